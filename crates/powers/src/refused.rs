//! [`Refused`]: the paths that were asked for and not read because of where they lie.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

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
pub struct Refused(Arc<Mutex<BTreeSet<PathBuf>>>);

impl Refused {
    /// The paths, in order.
    pub fn paths(&self) -> BTreeSet<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn add(&self, path: &Path) {
        let mut paths = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if paths.len() < MOST && !paths.contains(path) {
            paths.insert(path.to_path_buf());
        }
    }
}

/// How many paths are kept: a repository may name any number of them.
const MOST: usize = 10_000;
