//! [`Uncompared`]: the changed files whose effect a comparison does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Environment;
use hieratic::sandbox::Files;
use hieratic_impact::Diff;
use hieratic_lint::is_job;

use crate::counted;
use crate::jobs::JobReport;
use crate::sides::Sides;

/// The files that changed, by their kinds, on which neither lookups nor the catalogs that are compared depend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uncompared(BTreeMap<FileKind, BTreeSet<PathBuf>>);

/// Kinds of files, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum FileKind {
    Manifest,
    Template,
    File,
    Ruby,
    Fact,
    Plan,
    Job,
    ForeignTemplate,
    Puppetfile,
}

impl FileKind {
    fn name(self) -> &'static str {
        match self {
            FileKind::Manifest => "manifest",
            FileKind::Template | FileKind::ForeignTemplate => "template",
            FileKind::File => "file of a module",
            FileKind::Ruby => "file of Ruby",
            FileKind::Fact => "custom fact",
            FileKind::Plan => "plan or task",
            FileKind::Job => "job",
            FileKind::Puppetfile => "Puppetfile",
        }
    }

    /// Whether the comparison of catalogs shows changes of such files.
    fn is_in_catalogs(self) -> bool {
        matches!(self, FileKind::Manifest | FileKind::Template | FileKind::File | FileKind::Ruby)
    }

    /// The kind of a file that no code of an environment uses from where it is.
    fn outside_modules(path: &Path, files: &Files) -> Option<FileKind> {
        if path.file_name().is_some_and(|name| name == "Puppetfile") {
            return Some(FileKind::Puppetfile);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("epp" | "erb" | "j2" | "jinja" | "jinja2")) {
            return Some(FileKind::ForeignTemplate);
        }
        // The other side may have it.
        (files.is_file(path) && is_job(path, files)).then_some(FileKind::Job)
    }

    /// The kind of a file, seen from the folder of its module.
    fn in_module(below: &Path) -> Option<FileKind> {
        let folder = below.components().next()?.as_os_str().to_str()?;
        let extension = below.extension().and_then(|extension| extension.to_str());
        match (folder, extension) {
            ("manifests" | "functions" | "types", Some("pp")) => Some(FileKind::Manifest),
            ("templates", _) => Some(FileKind::Template),
            ("files" | "scripts", _) => Some(FileKind::File),
            ("facts.d", _) => Some(FileKind::Fact),
            ("plans" | "tasks", _) => Some(FileKind::Plan),
            ("lib", Some("rb")) if below.starts_with("lib/facter") => Some(FileKind::Fact),
            ("lib", Some("rb")) => Some(FileKind::Ruby),
            _ => None,
        }
    }
}

/// Describes the number of changed files that affect catalogs or jobs but no answer: code, jobs, templates, the
/// `Puppetfile`.
pub fn describe_uncompared(
    paths: impl IntoIterator<Item = PathBuf>,
    environments: &[&Environment],
    files: &Files,
) -> Option<String> {
    let found = Uncompared::classify(paths, environments, std::slice::from_ref(files));
    let counts: Vec<String> = [true, false].into_iter().filter_map(|in_catalogs| found.counted(in_catalogs)).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

impl Uncompared {
    /// The files that changed on a side: those of code if no catalogs are compared, jobs, templates that no module has,
    /// the Puppetfile.
    pub(crate) fn new(
        sides: &Sides,
        environments: Diff<&Environment>,
        has_catalogs: bool,
        jobs: Option<&JobReport>,
    ) -> Uncompared {
        let environments: Vec<&Environment> = environments.into_iter().collect();
        let files: Vec<Files> = sides.files().into_iter().collect();
        let mut found = Uncompared::classify(sides.changed(), &environments, &files);
        found.0.retain(|kind, _| !has_catalogs || !kind.is_in_catalogs());
        if let (Some(jobs), Some(files)) = (jobs, found.0.get_mut(&FileKind::Job)) {
            files.retain(|file| !jobs.changed_files.contains(file));
        }
        found.0.retain(|_, files| !files.is_empty());
        found
    }

    fn classify(
        paths: impl IntoIterator<Item = PathBuf>,
        environments: &[&Environment],
        files: &[Files],
    ) -> Uncompared {
        let mut found = Uncompared::default();
        let manifests: BTreeSet<PathBuf> =
            environments.iter().flat_map(|environment| environment.manifests()).collect();
        for path in paths {
            let of_environment = || environments.iter().find_map(|environment| kind(&path, environment));
            let of_files = || files.iter().find_map(|files| FileKind::outside_modules(&path, files));
            let kind = if manifests.contains(&path) { Some(FileKind::Manifest) } else { of_environment() };
            if let Some(kind) = kind.or_else(of_files) {
                found.0.entry(kind).or_default().insert(path);
            }
        }
        found
    }

    /// Adds the files of another environment.
    pub(crate) fn add(&mut self, other: Uncompared) {
        for (kind, files) in other.0 {
            self.0.entry(kind).or_default().extend(files);
        }
    }

    /// The numbers of files, each with the option that would compare them.
    pub(crate) fn notes(&self) -> impl Iterator<Item = String> {
        let of_catalogs = self.counted(true).map(|counts| format!("{counts} (--catalogs)"));
        let others = self.counted(false).map(|counts| format!("{counts} (answers and catalogs do not show them)"));
        of_catalogs.into_iter().chain(others)
    }

    fn counted(&self, in_catalogs: bool) -> Option<String> {
        let kinds = self.0.iter().filter(|(kind, _)| kind.is_in_catalogs() == in_catalogs);
        let counts: Vec<String> = kinds
            .map(|(kind, files)| match (kind, files.len()) {
                (FileKind::File | FileKind::Ruby, count) if count > 1 => {
                    kind.name().replacen("file", &format!("{count} files"), 1)
                }
                (FileKind::Plan, count) if count > 1 => format!("{count} plans or tasks"),
                (kind, count) => counted(count, kind.name()),
            })
            .collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// The kind of a file in the code of an environment.
fn kind(path: &Path, environment: &Environment) -> Option<FileKind> {
    let layers = environment.layers();
    let of_module =
        layers.modules.values().find_map(|module| FileKind::in_module(path.strip_prefix(&module.root).ok()?));
    of_module.or_else(|| FileKind::in_module(path.strip_prefix(&layers.environment.root).ok()?))
}
