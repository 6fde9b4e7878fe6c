//! [`Refused`]: the paths that were asked for and not read because of where they lie, and those that nothing can ask for.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The paths that were asked for and not read because of where they lie. Clones share them, so that whoever asked a question can tell what
/// its answer was made without.
///
/// ```
/// use hieratic_powers::{Files, Refused};
///
/// let refused = Refused::default();
/// let files = Files::below(["/srv/repository"]).with_refused(&refused);
/// assert!(files.read("/etc/hostname".as_ref()).is_err());
/// assert!(refused.paths().contains("/etc/hostname".as_ref() as &std::path::Path));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Refused(Arc<Mutex<Paths>>);

#[derive(Debug, Default)]
struct Paths {
    outside: BTreeSet<PathBuf>,
    /// Names that are no Unicode, escaped.
    unnamed: BTreeSet<PathBuf>,
}

impl Refused {
    /// The paths that were not read because of where they lie, in order.
    pub fn paths(&self) -> BTreeSet<PathBuf> {
        self.locked().outside.clone()
    }

    /// The files and folders that listings left out because their names are no Unicode, in order; their names are escaped. Nothing was read
    /// of them, whatever was asked.
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

    fn locked(&self) -> MutexGuard<'_, Paths> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn add(paths: &mut BTreeSet<PathBuf>, path: PathBuf) {
    if paths.len() < MOST {
        paths.insert(path);
    }
}

/// How many paths are kept: a repository may name any number of them.
const MOST: usize = 10_000;
