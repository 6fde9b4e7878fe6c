//! [`ReadRecorder`]: a tree that records whether a file was read that differs in another tree.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hieratic::sandbox::{DirEntry, Stat, Tree, TreeEntry};

/// The base and the head of a repository as trees. The base is a [patch](hieratic::sandbox::Patched) of the head.
#[derive(Clone, Debug)]
pub struct Trees {
    /// The folder that they replace.
    pub root: PathBuf,
    /// The base.
    pub base: Arc<dyn Tree>,
    /// The head.
    pub head: Arc<dyn Tree>,
}

/// The base. It records whether anything was read that the head lacks or has differently.
#[derive(Debug)]
pub(crate) struct ReadRecorder {
    base: Arc<dyn Tree>,
    head: Arc<dyn Tree>,
    has_reads: AtomicBool,
    has_differed: AtomicBool,
}

impl ReadRecorder {
    pub(crate) fn new(trees: &Trees) -> ReadRecorder {
        let (has_reads, has_differed) = (AtomicBool::new(false), AtomicBool::new(false));
        ReadRecorder { base: trees.base.clone(), head: trees.head.clone(), has_reads, has_differed }
    }

    /// Returns whether something was read and all of it is the same in both states. If nothing was read, the reader has
    /// used another tree.
    pub(crate) fn is_untouched(&self) -> bool {
        self.has_reads.load(Ordering::Relaxed) && !self.has_differed.load(Ordering::Relaxed)
    }

    fn record(&self, is_same: impl FnOnce() -> bool) {
        self.has_reads.store(true, Ordering::Relaxed);
        if !self.has_differed.load(Ordering::Relaxed) && !is_same() {
            self.has_differed.store(true, Ordering::Relaxed);
        }
    }
}

impl Tree for ReadRecorder {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        let known = self.base.entry(path);
        self.record(|| {
            !self.base.is_patched(path)
                && match &known {
                    Ok(TreeEntry::Stat(stat)) if stat.is_file() => true,
                    Ok(TreeEntry::Stat(Stat { kind, .. })) => {
                        matches!(self.head.entry(path), Ok(TreeEntry::Stat(there)) if there.kind == *kind)
                    }
                    Ok(TreeEntry::Link(target)) => {
                        matches!(self.head.entry(path), Ok(TreeEntry::Link(there)) if there == *target)
                    }
                    Err(_) => self.head.entry(path).is_err(),
                }
        });
        known
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.record(|| !self.base.is_patched(path));
        self.base.read(path)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let listed = self.base.list(path);
        self.record(|| {
            let sorted = |entries: &[DirEntry]| {
                let mut names: Vec<_> = entries.iter().map(|entry| (entry.name.clone(), entry.kind as u8)).collect();
                names.sort_unstable();
                names
            };
            match (&listed, &self.head.list(path)) {
                (Ok(here), Ok(there)) => sorted(here) == sorted(there),
                (Err(_), Err(_)) => true,
                _ => false,
            }
        });
        listed
    }

    fn unnamed(&self, path: &Path) -> io::Result<Vec<String>> {
        self.base.unnamed(path)
    }

    fn is_patched(&self, path: &Path) -> bool {
        self.base.is_patched(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::sandbox::{Memory, Patched};

    fn watched() -> ReadRecorder {
        let head: Memory = [("a/same", "1"), ("a/other", "2"), ("a/new", "3"), ("b/same", "4")].into_iter().collect();
        let base: Memory = [("a/other", "1"), ("c/gone", "1")].into_iter().collect();
        let head: Arc<dyn Tree> = Arc::new(head);
        let changed = ["a/other", "a/new", "c/gone"].map(PathBuf::from);
        let base = Patched::new(head.clone(), Arc::new(base), changed);
        ReadRecorder::new(&Trees { root: "/r".into(), base: Arc::new(base), head })
    }

    #[test]
    fn reads_of_changed_files_are_recorded() {
        let is_untouched = |ask: &dyn Fn(&ReadRecorder)| {
            let watched = watched();
            ask(&watched);
            watched.is_untouched()
        };
        assert!(!is_untouched(&|_| {}));
        for (path, untouched) in [
            ("a", true),
            ("a/same", true),
            ("b", true),
            ("nothing", true),
            ("a/other", false),
            ("a/new", false),
            ("c", false),
            ("c/gone", false),
        ] {
            assert_eq!(is_untouched(&|recorder| _ = recorder.entry(Path::new(path))), untouched, "{path}");
        }
        for (path, untouched) in [("a", false), ("b", true), ("c", false), ("", false), ("nothing", true)] {
            assert_eq!(is_untouched(&|recorder| _ = recorder.list(Path::new(path))), untouched, "{path}");
        }
        assert!(is_untouched(&|recorder| _ = recorder.read(Path::new("a/same"))));
        assert!(!is_untouched(&|recorder| _ = recorder.read(Path::new("a/other"))));
    }
}
