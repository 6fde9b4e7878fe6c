//! [`Uncompared`]: the files that changed and whose effect a comparison does not show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Environment;
use hieratic::powers::Files;
use hieratic_audit::is_job;

use crate::counted;
use crate::sides::Sides;

/// The files that changed, by their kinds, on which neither lookups nor the catalogs that are compared depend.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uncompared(BTreeMap<Kind, BTreeSet<PathBuf>>);

/// Kinds of files, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
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

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Manifest => "manifest",
            Kind::Template | Kind::ForeignTemplate => "template",
            Kind::File => "file of a module",
            Kind::Ruby => "file of Ruby",
            Kind::Fact => "custom fact",
            Kind::Plan => "plan or task",
            Kind::Job => "job",
            Kind::Puppetfile => "Puppetfile",
        }
    }

    /// Whether the comparison of catalogs shows changes of such files.
    fn is_in_catalogs(self) -> bool {
        matches!(self, Kind::Manifest | Kind::Template | Kind::File | Kind::Ruby)
    }

    /// The kind of a file that no code of an environment uses from where it is.
    fn elsewhere(path: &Path, files: &Files) -> Option<Kind> {
        if path.file_name().is_some_and(|name| name == "Puppetfile") {
            return Some(Kind::Puppetfile);
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("epp" | "erb" | "j2" | "jinja" | "jinja2")) {
            return Some(Kind::ForeignTemplate);
        }
        // The other side may have it.
        (files.is_file(path) && is_job(path, files)).then_some(Kind::Job)
    }

    /// The kind of a file, seen from the folder of its module.
    fn of(below: &Path) -> Option<Kind> {
        let folder = below.components().next()?.as_os_str().to_str()?;
        let extension = below.extension().and_then(|extension| extension.to_str());
        match (folder, extension) {
            ("manifests" | "functions" | "types", Some("pp")) => Some(Kind::Manifest),
            ("templates", _) => Some(Kind::Template),
            ("files" | "scripts", _) => Some(Kind::File),
            ("facts.d", _) => Some(Kind::Fact),
            ("plans" | "tasks", _) => Some(Kind::Plan),
            ("lib", Some("rb")) if below.starts_with("lib/facter") => Some(Kind::Fact),
            ("lib", Some("rb")) => Some(Kind::Ruby),
            _ => None,
        }
    }
}

/// Counts, in words, the files that change catalogs or jobs but no answer: code, jobs, templates, the `Puppetfile`.
pub fn not_shown(
    paths: impl IntoIterator<Item = PathBuf>,
    environments: &[&Environment],
    files: &Files,
) -> Option<String> {
    let found = Uncompared::among(paths, environments, std::slice::from_ref(files));
    let counts: Vec<String> = [true, false].into_iter().filter_map(|in_catalogs| found.counted(in_catalogs)).collect();
    (!counts.is_empty()).then(|| counts.join(", "))
}

impl Uncompared {
    /// The files that changed on a side: those of code if no catalogs are compared, jobs, templates that no module has, the Puppetfile.
    pub(crate) fn of(sides: &Sides, environments: [&Environment; 2], has_catalogs: bool) -> Uncompared {
        let mut found = Uncompared::among(sides.changed(), &environments, &sides.files());
        found.0.retain(|kind, _| !has_catalogs || !kind.is_in_catalogs());
        found
    }

    fn among(paths: impl IntoIterator<Item = PathBuf>, environments: &[&Environment], files: &[Files]) -> Uncompared {
        let mut found = Uncompared::default();
        let manifests: BTreeSet<PathBuf> =
            environments.iter().flat_map(|environment| environment.manifests()).collect();
        for path in paths {
            let of_environment = || environments.iter().find_map(|environment| kind(&path, environment));
            let of_files = || files.iter().find_map(|files| Kind::elsewhere(&path, files));
            let kind = if manifests.contains(&path) { Some(Kind::Manifest) } else { of_environment() };
            if let Some(kind) = kind.or_else(of_files) {
                found.0.entry(kind).or_default().insert(path);
            }
        }
        found
    }

    /// Those of several environments.
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
        let wanted = self.0.iter().filter(|(kind, _)| kind.is_in_catalogs() == in_catalogs);
        let counts: Vec<String> = wanted
            .map(|(kind, files)| match (kind, files.len()) {
                (Kind::File | Kind::Ruby, count) if count > 1 => {
                    kind.name().replacen("file", &format!("{count} files"), 1)
                }
                (Kind::Plan, count) if count > 1 => format!("{count} plans or tasks"),
                (kind, count) => counted(count, kind.name()),
            })
            .collect();
        (!counts.is_empty()).then(|| counts.join(", "))
    }
}

/// The kind of a file in the code of an environment.
fn kind(path: &Path, environment: &Environment) -> Option<Kind> {
    let layers = environment.layers();
    let of_module = layers.modules.values().find_map(|module| Kind::of(path.strip_prefix(&module.root).ok()?));
    of_module.or_else(|| Kind::of(path.strip_prefix(&layers.environment.root).ok()?))
}
