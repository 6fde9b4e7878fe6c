//! Finds the environments of a checkout, and the files that its other hierarchies read.

use std::path::{Path, PathBuf};

use hieratic::sandbox::Files;
use hieratic::value::ErasedSort as _;
use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Environment, Settings};

use super::{Workspace, hierarchy};
use crate::missing_parts::MissingParts;

/// The files that all hierarchies of a checkout read.
#[derive(Default)]
pub(crate) struct ExternalReads {
    /// Files that those reach which are not checked themselves.
    pub(super) read: HashSet<PathBuf>,
    /// Levels whose folders are not here.
    pub(super) missing_datadirs: Vec<hieratic::hiera::inspect::Level>,
    /// Whether an environment cannot be opened, so that its files are unknown.
    pub(super) is_incomplete: bool,
}

impl ExternalReads {
    /// Collects the files that the levels of the checked environments, and of the hierarchies inside of these, read.
    pub(crate) fn new(checked: &[Workspace], beside: &[Settings]) -> ExternalReads {
        let mut external_reads = ExternalReads::default();
        external_reads
            .missing_datadirs
            .extend(checked.iter().flat_map(|workspace| hierarchy::missing_datadirs(&workspace.configs)));
        for settings in beside {
            let Ok(environment) = Environment::open(settings) else {
                external_reads.is_incomplete = true;
                continue;
            };
            let configs = hierarchy::configs(&environment, &mut MissingParts::default()).usable;
            let located = hierarchy::locate(&configs, &environment, true).located;
            external_reads.read.extend(located.into_iter().map(|located| located.path));
            external_reads.missing_datadirs.extend(hierarchy::missing_datadirs(&configs));
        }
        external_reads
    }
}

/// The environments that were found around and below folders.
pub(crate) struct Environments {
    /// The environments that are checked.
    pub(crate) checked: Vec<Settings>,
    /// Hierarchies inside of these that something else than a server uses: a virtual machine, an example.
    pub(crate) beside: Vec<Settings>,
}

/// The environments around and below folders, by their roots. `named` are the paths that the user named.
pub(crate) fn environments(folders: &[PathBuf], named: &HashSet<PathBuf>, given: &Settings) -> Environments {
    if given.environment_dir.is_some() || given.environmentpath.is_some() || given.codedir.is_some() {
        return Environments { checked: vec![given.clone()], beside: Vec::new() };
    }
    let mut found: HashMap<PathBuf, Settings> = HashMap::default();
    for folder in folders {
        let mut settings = Settings { environment: None, ..given.clone() };
        settings.find_repository(folder);
        let root = match (&settings.environment_dir, &settings.environmentpath, &settings.environment) {
            (Some(root), ..) => root.clone(),
            (None, Some(path), Some(name)) => match path.folders().next() {
                Some(folder) => folder.join(name),
                None => continue,
            },
            // The folder of all environments is walked, which finds each of them.
            _ => continue,
        };
        if given.environment.as_ref().is_some_and(|name| settings.environment.as_ref().is_some_and(|own| own != name)) {
            continue;
        }
        // A checkout is deployed under the name that is given.
        settings.environment = settings.environment.or_else(|| given.environment.clone());
        found.entry(root).or_insert(settings);
    }
    let roots: Vec<PathBuf> = found.keys().cloned().collect();
    let mut all: Vec<(PathBuf, Settings)> = found.into_iter().collect();
    all.sort_erased_by(|(left, _), (right, _)| left.cmp(right));
    let (checked, beside): (Vec<_>, Vec<_>) = all.into_iter().partition(|(root, _)| is_checked(root, &roots, named));
    let settings = |all: Vec<(PathBuf, Settings)>| all.into_iter().map(|(_, settings)| settings).collect();
    Environments { checked: settings(checked), beside: settings(beside) }
}

/// Returns whether a root is checked as an environment. A root inside another environment or a module is not, unless it
/// is named or is one of several in a folder `environments`.
fn is_checked(root: &Path, roots: &[PathBuf], named: &HashSet<PathBuf>) -> bool {
    if named.iter().any(|path| path.starts_with(root)) {
        return true;
    }
    let among = root.parent().filter(|parent| parent.ends_with("environments"));
    let outer = among.and_then(Path::parent).unwrap_or(root);
    let is_in_another = roots.iter().any(|other| outer != other && outer.starts_with(other));
    !is_in_another && !is_in_module(outer, named)
}

/// Returns whether a folder is in a module below the named paths: next to code, as in a module.
fn is_in_module(folder: &Path, named: &HashSet<PathBuf>) -> bool {
    let files = Files::anywhere();
    let is_below_named = |above: &&Path| named.iter().any(|path| above.starts_with(path));
    folder
        .ancestors()
        .skip(1)
        .take_while(is_below_named)
        .any(|above| files.is_named(&above.join("manifests")) || files.is_named(&above.join("metadata.json")))
}
