//! Pointers of Git LFS: files whose content is in another store.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hieratic_sandbox::{Tree, TreeEntry};

use crate::changed::Changed;

/// The beginning of a pointer. See <https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md>.
const BEGINNING: &[u8] = b"version https://git-lfs.github.com/spec/";
/// A pointer is smaller than this, in bytes.
const LARGEST: u64 = 1024;

impl Changed {
    /// Removes files that are a pointer of Git LFS on either side, and adds a note on each: the commit has the pointer,
    /// but the working tree has the content.
    pub fn without_pointers(mut self, base: &dyn Tree, head: &dyn Tree) -> Changed {
        let (pointers, paths): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) =
            self.paths.into_iter().partition(|path| is_pointer(base, path) || is_pointer(head, path));
        self.paths = paths;
        let note = |path: &PathBuf| {
            format!("{} is a pointer of Git LFS: its content is not in the repository", path.display())
        };
        self.notes.extend(pointers.iter().map(note));
        self
    }
}

/// An unreadable file stays among the changed ones: the code that reads it then reports the error.
fn is_pointer(tree: &dyn Tree, path: &Path) -> bool {
    let is_small = matches!(tree.entry(path), Ok(TreeEntry::Stat(stat)) if stat.is_file() && stat.len < LARGEST);
    is_small && tree.read(path).is_ok_and(|bytes| bytes.starts_with(BEGINNING))
}
