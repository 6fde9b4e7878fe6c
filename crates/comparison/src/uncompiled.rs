//! [`Uncompiled`]: the files that changed and that only catalogs show.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::Environment;

use crate::counted;
use crate::sides::Sides;

/// The files of code that changed, by their kinds: no lookup depends on them as a rule, and catalogs do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uncompiled(BTreeMap<Kind, BTreeSet<PathBuf>>);

/// Kinds of files, in the order in which they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Manifest,
    Template,
    File,
    Ruby,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Manifest => "manifest",
            Kind::Template => "template",
            Kind::File => "file of a module",
            Kind::Ruby => "file of Ruby",
        }
    }

    /// The kind of a file, seen from the folder of its module.
    fn of(below: &Path) -> Option<Kind> {
        let folder = below.components().next()?.as_os_str().to_str()?;
        let extension = below.extension().and_then(|extension| extension.to_str());
        match (folder, extension) {
            ("manifests" | "functions" | "types", Some("pp")) => Some(Kind::Manifest),
            ("templates", _) => Some(Kind::Template),
            ("files" | "scripts", _) => Some(Kind::File),
            ("lib", Some("rb")) => Some(Kind::Ruby),
            _ => None,
        }
    }
}

impl Uncompiled {
    /// The files that changed and that belong to the code of an environment on a side.
    pub(crate) fn of(sides: &Sides, environments: [&Environment; 2]) -> Uncompiled {
        let mut found = Uncompiled::default();
        let manifests: BTreeSet<PathBuf> =
            environments.iter().flat_map(|environment| environment.manifests()).collect();
        for path in sides.changed() {
            let of_environment = || environments.iter().find_map(|environment| kind(&path, environment));
            let kind = if manifests.contains(&path) { Some(Kind::Manifest) } else { of_environment() };
            if let Some(kind) = kind {
                found.0.entry(kind).or_default().insert(path);
            }
        }
        found
    }

    /// Those of several environments.
    pub(crate) fn add(&mut self, other: Uncompiled) {
        for (kind, files) in other.0 {
            self.0.entry(kind).or_default().extend(files);
        }
    }

    /// How many there are, and what would compare them.
    pub(crate) fn note(&self) -> Option<String> {
        let counts: Vec<String> = self
            .0
            .iter()
            .map(|(kind, files)| match (kind, files.len()) {
                (Kind::File | Kind::Ruby, count) if count > 1 => {
                    kind.name().replacen("file", &format!("{count} files"), 1)
                }
                (kind, count) => counted(count, kind.name()),
            })
            .collect();
        (!counts.is_empty()).then(|| format!("{} (--catalogs)", counts.join(", ")))
    }
}

/// What a file is to the code of an environment.
fn kind(path: &Path, environment: &Environment) -> Option<Kind> {
    let layers = environment.layers();
    let of_module = layers.modules.values().find_map(|module| Kind::of(path.strip_prefix(&module.root).ok()?));
    of_module.or_else(|| Kind::of(path.strip_prefix(&layers.environment.root).ok()?))
}
