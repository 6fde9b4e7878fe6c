//! [`Mounted`]: a tree that is read instead of a folder.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::denied::is_absence;
use crate::files::DirEntry;
use crate::{Files, Tree, TreeEntry};

/// A tree that is mounted on a folder, such as a revision of a repository on its working tree. Messages name files by
/// their paths in that folder.
///
/// ```
/// use hieratic_sandbox::{Files, Memory, Mounted};
///
/// let memory: Memory = [("hiera.yaml", "version: 5")].into_iter().collect();
/// let mounted = Mounted::new("/repo", memory);
/// let files = Mounted::over(Some(&mounted), Files::below(["/repo"]));
/// assert_eq!(files.read("/repo/hiera.yaml".as_ref()).unwrap(), b"version: 5");
/// ```
///
/// Read errors are recorded. After one, a missing path may exist after all: check [`fault`](Self::fault) before an
/// answer is returned.
#[derive(Clone, Debug)]
pub struct Mounted {
    root: PathBuf,
    tree: Arc<dyn Tree>,
    faults: Arc<ReadErrors>,
}

/// The first read error of a tree: the path and the message.
#[derive(Debug, Default)]
pub(crate) struct ReadErrors(Mutex<Option<(PathBuf, String)>>);

impl ReadErrors {
    pub(crate) fn message(&self) -> Option<String> {
        let error = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (path, message) = error.as_ref()?;
        let path = path.display().to_string();
        Some(if message.contains(&path) {
            format!("a part of the revision cannot be read: {message}")
        } else {
            format!("a part of the revision cannot be read: {path}: {message}")
        })
    }
}

/// A tree whose faults are remembered.
#[derive(Debug)]
struct RecordingTree {
    tree: Arc<dyn Tree>,
    faults: Arc<ReadErrors>,
}

impl RecordingTree {
    fn record<T>(&self, path: &Path, read: io::Result<T>) -> io::Result<T> {
        if let Err(error) = &read
            && !is_absence(error)
            && error.kind() != io::ErrorKind::IsADirectory
        {
            let mut problem = self.faults.0.lock().unwrap_or_else(PoisonError::into_inner);
            problem.get_or_insert_with(|| (path.to_owned(), error.to_string()));
        }
        read
    }
}

impl Tree for RecordingTree {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        self.record(path, self.tree.entry(path))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.record(path, self.tree.read(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.record(path, self.tree.list(path))
    }

    fn unnamed(&self, path: &Path) -> io::Result<Vec<String>> {
        self.record(path, self.tree.unnamed(path))
    }

    fn is_patched(&self, path: &Path) -> bool {
        self.tree.is_patched(path)
    }
}

impl Mounted {
    /// Mounts a tree on the folder `root`.
    pub fn new(root: impl Into<PathBuf>, tree: impl Tree + 'static) -> Mounted {
        Mounted::shared(root, Arc::new(tree))
    }

    /// Like [`new`](Self::new), for a shared tree.
    pub fn shared(root: impl Into<PathBuf>, tree: Arc<dyn Tree>) -> Mounted {
        let faults = Arc::<ReadErrors>::default();
        Mounted { root: root.into(), tree: Arc::new(RecordingTree { tree, faults: faults.clone() }), faults }
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the tree.
    pub fn tree(&self) -> &Arc<dyn Tree> {
        &self.tree
    }

    /// Returns the first read error so far, as a sentence. `None` if every read succeeded or found no file.
    pub fn fault(&self) -> Option<String> {
        self.faults.message()
    }

    /// Mounts the tree, if there is one, on `files`.
    pub fn over(mounted: Option<&Mounted>, files: Files) -> Files {
        match mounted {
            Some(Mounted { root, tree, faults }) => files.with_recorded_mount(root, tree.clone(), faults.clone()),
            None => files,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    /// A file that is there and cannot be read, and nothing else.
    #[derive(Debug)]
    struct UnreadableTree;

    impl Tree for UnreadableTree {
        fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
            match path.to_str() {
                Some("") => Ok(TreeEntry::folder()),
                Some("broken") => Err(io::Error::other("an object is missing")),
                _ => Err(ErrorKind::NotFound.into()),
            }
        }

        fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
            self.entry(path).and(Err(ErrorKind::IsADirectory.into()))
        }

        fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
            self.entry(path).and(Ok(Vec::new()))
        }
    }

    #[test]
    fn an_unreadable_file_is_not_a_missing_file() {
        let mounted = Mounted::new("/r", UnreadableTree);
        let files = Mounted::over(Some(&mounted), Files::below(["/r"]));
        assert!(!files.exists("/r/missing".as_ref()) && files.read("/r".as_ref()).is_err());
        assert!(!files.exists("/r/missing/more".as_ref()) && files.list("/r".as_ref()).is_ok());
        assert_eq!(mounted.fault(), None);
        let error = files.try_stat("/r/broken".as_ref()).unwrap_err();
        assert_eq!((error.kind(), &*error.to_string()), (ErrorKind::Other, "an object is missing"));
        assert!(files.is_named("/r/broken".as_ref()) && files.is_patched("/r/broken".as_ref()));
        let problem = mounted.clone().fault().unwrap();
        assert!(problem.contains("broken: an object is missing"), "{problem}");
        assert_eq!(files.clone().fault(), Some(problem));
    }
}
