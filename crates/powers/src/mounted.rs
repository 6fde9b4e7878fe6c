//! [`Mounted`]: what is read in the place of a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Files, Tree};

/// A tree in the place of a folder, such as a revision of a repository in the place of its working tree. Messages name files by their paths
/// in that folder.
///
/// ```
/// use hieratic_powers::{Files, Memory, Mounted};
///
/// let memory: Memory = [("hiera.yaml", "version: 5")].into_iter().collect();
/// let mounted = Mounted::new("/repo", memory);
/// let files = Mounted::over(Some(&mounted), Files::below(["/repo"]));
/// assert_eq!(files.read("/repo/hiera.yaml".as_ref()).unwrap(), b"version: 5");
/// ```
#[derive(Clone, Debug)]
pub struct Mounted {
    root: PathBuf,
    tree: Arc<dyn Tree>,
}

impl Mounted {
    /// A tree in the place of the folder `root`.
    pub fn new(root: impl Into<PathBuf>, tree: impl Tree + 'static) -> Mounted {
        Mounted::shared(root, Arc::new(tree))
    }

    /// A tree that is shared with others.
    pub fn shared(root: impl Into<PathBuf>, tree: Arc<dyn Tree>) -> Mounted {
        Mounted { root: root.into(), tree }
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The tree.
    pub fn tree(&self) -> &Arc<dyn Tree> {
        &self.tree
    }

    /// Files, of which those below the folder are the tree's, if there is one.
    pub fn over(mounted: Option<&Mounted>, files: Files) -> Files {
        match mounted {
            Some(Mounted { root, tree }) => files.with_mount(root, tree.clone()),
            None => files,
        }
    }
}
