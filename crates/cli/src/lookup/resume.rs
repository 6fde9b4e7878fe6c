//! `lookup --nodes --resume`: continues an interrupted run, if its inputs are the same.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use hieratic::sandbox::{FileKind, Files};
use hieratic::value::ErasedSort as _;
use hieratic::value::ids::Fingerprint;
use hieratic::{Environment, Error, Facts, Settings, Value};
#[cfg(not(target_os = "wasi"))]
use hieratic_fleet::join;
use hieratic_fleet::{Format, Ledger, Options, Progress, Sources, Summary, export_continued};

use super::flags::LookupArguments;
use crate::files::{MAX_DEPTH, ResumableFile, RunParameters, folder_of};
use crate::output::counted;
use crate::report::Reporter;
use crate::usage::usage;

/// Rows on the disk.
struct ResumableSink<'r>(&'r mut ResumableFile);

impl Write for ResumableSink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Ledger for ResumableSink<'_> {
    fn keep(&mut self, progress: &Progress) -> io::Result<()> {
        self.0.keep(&progress.to_json())
    }
}

/// A run that is begun or continued.
pub(super) struct Run {
    resumed: ResumableFile,
    from: Progress,
}

impl Run {
    /// Begins a run, or continues the one that was interrupted.
    pub(super) fn open(output: &Path, question: RunParameters, reporter: &Reporter) -> Result<Run, Error> {
        let (resumed, progress) = ResumableFile::open(output, question)?;
        let from = match progress {
            None => Progress::default(),
            Some(json) => Progress::of_json(&json).ok_or_else(|| {
                usage(format!("{} cannot be continued: its progress cannot be read", output.display()))
                    .help(format!("remove {} to start again", folder_of(output).display()))
            })?,
        };
        if from.sources > 0 {
            reporter.log_line("", &format!("continues after {}", counted(from.summary.nodes, "node")), false);
        }
        Ok(Run { resumed, from })
    }

    /// A file with the facts of these nodes. They are read once: when a run is continued, the facts are those that it began with.
    pub(super) fn facts(&self, nodes: impl Iterator<Item = Result<Facts, Error>>) -> Result<PathBuf, Error> {
        let mut broken = None;
        let kept = self.resumed.beside("facts.ndjson", |file| {
            let mut lines = BufWriter::new(file);
            for node in nodes {
                match node.and_then(|facts| line(&facts)) {
                    Ok(line) => writeln!(lines, "{line}")?,
                    Err(error) => {
                        broken = Some(error);
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
            }
            lines.flush()
        });
        kept.map_err(|refusal| broken.unwrap_or_else(|| refusal.into()))
    }

    /// Writes the rows that are missing, then the file.
    pub(super) fn export(
        mut self,
        environment: &Environment,
        sources: Sources,
        options: &Options<'_>,
        format: Format,
    ) -> io::Result<Summary> {
        let out = ResumableSink(&mut self.resumed);
        let summary = export_continued(environment, sources, options, format, self.from, out)?;
        // WebAssembly writes no groups of Parquet.
        #[cfg(target_os = "wasi")]
        let joined = |_: &File, _: File| -> io::Result<()> { Err(io::ErrorKind::Unsupported.into()) };
        #[cfg(not(target_os = "wasi"))]
        let joined = |rows: &File, file: File| join(BufReader::new(rows), BufWriter::new(file), options, &summary);
        self.resumed.complete((format == Format::Parquet).then_some(&joined))?;
        Ok(summary)
    }
}

/// The facts of a node as a line of a file of facts, as PuppetDB writes them.
fn line(facts: &Facts) -> Result<String, Error> {
    let pairs = [("certname", Value::from(facts.node().unwrap_or_default())), ("facts", facts.facts().clone().into())];
    hieratic_output::json(&Value::Hash(pairs.into_iter().collect()))
        .map_err(|error| usage(format!("the facts of {} cannot be kept: {error}", facts.node().unwrap_or("a node"))))
}

/// Identifies a run by fingerprints of its flags and settings, its facts, and the files of the environment. `puppetdb`
/// is the address of PuppetDB if the nodes come from there.
pub(super) fn question(
    arguments: &LookupArguments,
    settings: &Settings,
    environment: &Environment,
    format: Format,
    output: &Path,
    puppetdb: Option<&str>,
) -> RunParameters {
    let many = &arguments.many;
    let flags = format!(
        "{} {puppetdb:?} {:?} {:?} {:?} {:?} {:?} {:?} {format:?} {settings:?}",
        env!("CARGO_PKG_VERSION"),
        many.nodes,
        many.shard,
        many.filter,
        arguments.keys,
        arguments.all,
        (arguments.reveal, &arguments.place.fact),
    );
    let mut metadata = FileMetadata { all: Vec::new(), skipped: vec![real(output), real(&folder_of(output))] };
    let files = Files::anywhere();
    for path in &many.nodes {
        metadata.add(&real(path), &files, MAX_DEPTH);
    }
    let facts = Fingerprint::new(&std::mem::take(&mut metadata.all));
    let layers = environment.layers();
    let modules = layers.modules.values().map(|module| &module.root);
    let folders = layers.environment.datadirs.iter().map(|folder| &folder.here);
    // Files of a revision are identified by the settings, which name it.
    let files = settings.mounted(files);
    let roots = [&layers.environment.root, &layers.global_config].into_iter().chain(modules).chain(folders);
    for root in roots.filter(|root| !settings.tree.as_ref().is_some_and(|mounted| root.starts_with(mounted.root()))) {
        metadata.add(&real(root), &files, MAX_DEPTH);
    }
    let data = Fingerprint::new(&metadata.all);
    vec![
        ("the command", Fingerprint::new(&flags).to_string()),
        ("the facts", facts.to_string()),
        ("the files of the environment", data.to_string()),
    ]
}

/// A path by which a file is known, however it was named. The file need not be there.
fn real(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let named = || Some(hieratic::sandbox::real_path(folder).ok()?.join(path.file_name()?));
    hieratic::sandbox::real_path(path).ok().or_else(named).unwrap_or_else(|| path.to_owned())
}

/// Metadata of files, to detect changes.
struct FileMetadata {
    all: Vec<(PathBuf, u64, Option<std::time::SystemTime>, Option<std::time::SystemTime>)>,
    /// The files that the run itself writes.
    skipped: Vec<PathBuf>,
}

impl FileMetadata {
    /// The stamps of a file, or of all files below a folder, in the order of their names. Links are followed, so deep and no deeper.
    fn add(&mut self, path: &Path, files: &Files, depth: usize) {
        if self.skipped.iter().any(|skipped| skipped == path) {
            return;
        }
        let Some(about) = files.settled(path) else {
            self.all.push((path.to_owned(), 0, None, None));
            return;
        };
        if about.kind != FileKind::Folder {
            self.all.push((path.to_owned(), about.len, about.modified, about.changed));
            return;
        }
        let mut names: Vec<_> = match files.list(path) {
            Ok(entries) => entries.into_iter().map(|entry| entry.name).collect(),
            // Its entries are unknown: the fingerprint changes once the folder can be listed.
            Err(_) => return self.all.push((path.to_owned(), u64::MAX, None, None)),
        };
        names.sort_erased();
        for name in names.iter().filter(|name| *name != ".git") {
            if depth > 0 {
                self.add(&path.join(name), files, depth - 1);
            }
        }
    }
}
