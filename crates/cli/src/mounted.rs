//! [`Mounted`]: a commit that is read in the place of the working tree.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic::powers::{Files, Tree};

/// A commit in the place of the folder that its repository is checked out in. Messages name files by their paths in that folder.
#[derive(Clone, Debug)]
pub(crate) struct Mounted {
    root: PathBuf,
    tree: Arc<dyn Tree>,
}

impl Mounted {
    pub(crate) fn new(root: PathBuf, tree: Arc<dyn Tree>) -> Mounted {
        Mounted { root, tree }
    }

    /// The folder that the repository is checked out in.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The folder, and what is read in its place.
    pub(crate) fn of(commit: Option<&Mounted>) -> Option<(PathBuf, Arc<dyn Tree>)> {
        commit.map(|Mounted { root, tree }| (root.clone(), tree.clone()))
    }

    /// Files, of which those of the repository are the commit's.
    pub(crate) fn over(commit: Option<&Mounted>, files: Files) -> Files {
        match commit {
            Some(Mounted { root, tree }) => files.with_mount(root, tree.clone()),
            None => files,
        }
    }
}
