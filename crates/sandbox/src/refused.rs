//! [`RefusedPaths`]: the paths that were not read because of their location, and the names that cannot be read.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The paths that were requested and not read because of their location. Clones share the set, so that a caller can
/// report which files an answer does not contain.
///
/// ```
/// use hieratic_sandbox::{Files, RefusedPaths};
///
/// let refused = RefusedPaths::default();
/// let files = Files::below(["/srv/repository"]).with_refused(&refused);
/// assert!(files.read("/etc/hostname".as_ref()).is_err());
/// assert!(refused.paths().contains("/etc/hostname".as_ref() as &std::path::Path));
/// ```
#[derive(Clone, Debug, Default)]
pub struct RefusedPaths(Arc<Mutex<PathSets>>);

#[derive(Debug, Default)]
struct PathSets {
    outside: BTreeSet<PathBuf>,
    /// The names that are not Unicode, escaped.
    unnamed: BTreeSet<PathBuf>,
}

impl RefusedPaths {
    /// Returns the paths that were not read because of their location.
    pub fn paths(&self) -> BTreeSet<PathBuf> {
        self.locked().outside.clone()
    }

    /// Returns the files and folders that listings left out because their names are not Unicode, with escaped names.
    /// Nothing below them was read.
    pub fn unnamed(&self) -> BTreeSet<PathBuf> {
        self.locked().unnamed.clone()
    }

    pub(crate) fn add(&self, path: &Path) {
        add(&mut self.locked().outside, path.to_path_buf());
    }

    pub(crate) fn add_unnamed(&self, folder: &Path, names: &[String]) {
        // Nearly no folder has one.
        if !names.is_empty() {
            let mut paths = self.locked();
            names.iter().for_each(|name| add(&mut paths.unnamed, folder.join(name)));
        }
    }

    fn locked(&self) -> MutexGuard<'_, PathSets> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(paths: &mut BTreeSet<PathBuf>, path: PathBuf) {
    if paths.len() < MAX_PATHS {
        paths.insert(path);
    }
}

/// The limit of recorded paths: a repository may name any number of them.
const MAX_PATHS: usize = 10_000;
