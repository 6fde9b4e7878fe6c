//! [`Tree`]: files that are not, or not only, on the disk: a revision of a repository, files in memory, one tree
//! patched by another.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Arc, LazyLock, OnceLock};

use crate::denied::{Denied, DeniedReason, is_absence};
use crate::files::{DirEntry, FileKind, Stat};
use crate::open::{Folder, NamedEntry, OpenOutcome, OpenPurpose};

/// Files that [`Files`] reads instead of a folder of the disk, see [`Files::mounted`].
///
/// Paths are relative to the root of the tree and plain: no `.`, no `..`, no leading slash. The root is the empty path.
/// A tree does not follow links. [`Files`] does, because it knows which paths may be read.
pub trait Tree: fmt::Debug + Send + Sync {
    /// Returns the entry at a path.
    ///
    /// # Errors
    /// `NotFound` if there is no entry, or the error of the system.
    fn entry(&self, path: &Path) -> io::Result<TreeEntry>;

    /// Reads a file. The path must not be a link.
    ///
    /// # Errors
    /// As [`entry`](Self::entry), and any error of reading.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Returns the entries of a folder, in any order.
    ///
    /// # Errors
    /// As [`entry`](Self::entry).
    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>>;

    /// Returns the names in a folder that are not Unicode, escaped. [`list`](Self::list) leaves them out.
    ///
    /// # Errors
    /// As [`entry`](Self::entry).
    fn unnamed(&self, _path: &Path) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    /// Returns whether the entry at a path differs from the tree under a patch. Only [`Patched`] implements this.
    fn is_patched(&self, _path: &Path) -> bool {
        false
    }
}

/// An entry of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TreeEntry {
    /// A file or a folder.
    Stat(Stat),
    /// A link, with its literal target.
    Link(PathBuf),
}

impl TreeEntry {
    /// Creates the entry of a folder.
    pub fn folder() -> TreeEntry {
        TreeEntry::Stat(Stat {
            kind: FileKind::Folder,
            len: 0,
            inode: 0,
            device: 0,
            mode: 0o040_755,
            modified: None,
            changed: None,
        })
    }

    /// Creates the entry of a file. `identity` is a hash of the content; it must be collision-resistant.
    pub fn file(len: u64, identity: u128) -> TreeEntry {
        TreeEntry::Stat(Stat {
            kind: FileKind::File,
            len,
            inode: identity,
            device: 0,
            mode: 0o100_644,
            modified: None,
            changed: None,
        })
    }

    fn is_folder(&self) -> bool {
        matches!(self, TreeEntry::Stat(stat) if stat.is_folder())
    }
}

/// A folder of the disk as a tree. It reads regular files only, and nothing outside of the folder: a path through a
/// link is an error.
///
/// ```
/// use hieratic_sandbox::{Disk, Tree, TreeEntry};
/// let folder = tempfile::tempdir().unwrap();
/// std::os::unix::fs::symlink("/etc", folder.path().join("link")).unwrap();
/// let disk = Disk::new(folder.path());
/// assert_eq!(disk.entry("link".as_ref()).unwrap(), TreeEntry::Link("/etc".into()));
/// assert!(disk.entry("link/passwd".as_ref()).is_err() && disk.read("link/passwd".as_ref()).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
    /// The size of the largest file.
    largest: u64,
    /// The folder as it was when something in it was read first, if it is to stay so.
    opened: Option<Arc<OnceLock<Folder>>>,
}

impl Disk {
    /// Creates the tree of a folder.
    pub fn new(root: &Path) -> Disk {
        Disk { root: crate::plain(root), largest: u64::MAX - 1, opened: None }
    }

    /// Like [`new`](Self::new), for a short run: the folder is opened once and stays the same.
    #[must_use]
    pub fn at_one_moment(&self) -> Disk {
        Disk { opened: Some(Arc::default()), ..self.clone() }
    }

    /// Returns this tree with a limit for the size of a file.
    #[must_use]
    pub fn with_largest(&self, bytes: u64) -> Disk {
        Disk { largest: bytes, ..self.clone() }
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Opens a file for reading in parts. The size limit does not apply.
    ///
    /// # Errors
    /// As [`read`](Tree::read).
    pub fn reader(&self, path: &Path) -> io::Result<impl Read + Send + use<>> {
        self.open(path, OpenPurpose::Content).map(|(file, _)| file)
    }

    fn open(&self, path: &Path, purpose: OpenPurpose) -> io::Result<(fs::File, Stat)> {
        match self.folder(|folder| folder.plainly(path, purpose))? {
            OpenOutcome::Is(file, about) => Ok((file, about)),
            OpenOutcome::Irregular | OpenOutcome::LeadsOut => {
                Err(io::Error::other(Denied { reason: DeniedReason::NotRegular }))
            }
        }
    }

    fn names(&self, path: &Path) -> io::Result<crate::open::Listing> {
        let (folder, _) = self.open(path, OpenPurpose::Names)?;
        crate::open::names(&folder, &self.root.join(path))
    }

    fn folder<T>(&self, ask: impl FnOnce(&Folder) -> io::Result<T>) -> io::Result<T> {
        match &self.opened {
            None => ask(&Folder::open(&self.root)?),
            Some(slot) => match slot.get() {
                Some(folder) => ask(folder),
                None => {
                    let opened = Folder::open_for_many(&self.root)?;
                    ask(slot.get_or_init(|| opened))
                }
            },
        }
    }
}

impl Tree for Disk {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        Ok(match self.folder(|folder| folder.named(path))? {
            NamedEntry::Is(about) => TreeEntry::Stat(about),
            NamedEntry::Link(target) => TreeEntry::Link(target),
        })
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let (file, about) = self.open(path, OpenPurpose::Content)?;
        let too_large = || io::Error::other(Denied { reason: DeniedReason::TooLarge(self.largest) });
        if about.len > self.largest {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        // A file may grow while it is read.
        file.take(self.largest.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > self.largest {
            return Err(too_large());
        }
        Ok(bytes)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = self.names(path)?.entries;
        entries.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(entries)
    }

    fn unnamed(&self, path: &Path) -> io::Result<Vec<String>> {
        self.names(path).map(|names| names.unnamed)
    }
}

/// A tree of files in memory. The folders are those in the paths of the files.
///
/// ```
/// use hieratic_sandbox::{Files, Memory};
/// let tree: Memory = [("data/common.yaml", "a: 1")].into_iter().collect();
/// let files = Files::below(["/repository"]).mounted("/repository".as_ref(), tree);
/// assert_eq!(files.read_text("/repository/data/common.yaml".as_ref()).unwrap(), "a: 1");
/// assert!(files.is_folder("/repository/data".as_ref()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory(BTreeMap<PathBuf, MemoryFile>);

/// The content of a file in memory.
#[derive(Clone, Debug)]
struct MemoryFile {
    bytes: Arc<[u8]>,
    /// The hash of the bytes: equal ones are read once for all trees.
    identity: u64,
}

/// The random keys of the hash. They are unknown to the author of a file, so collisions cannot be constructed.
static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);

impl MemoryFile {
    fn new(bytes: Arc<[u8]>) -> MemoryFile {
        MemoryFile { identity: KEYS.hash_one(&bytes), bytes }
    }
}

impl Memory {
    /// Adds a file, or replaces it.
    pub fn insert(&mut self, path: impl Into<PathBuf>, bytes: impl Into<Arc<[u8]>>) {
        self.0.insert(path.into(), MemoryFile::new(bytes.into()));
    }

    /// Removes a file.
    pub fn remove(&mut self, path: &Path) {
        self.0.remove(path);
    }

    /// Returns the paths of the files, sorted.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(PathBuf::as_path)
    }
}

impl<P: Into<PathBuf>, B: AsRef<[u8]>> FromIterator<(P, B)> for Memory {
    fn from_iter<I: IntoIterator<Item = (P, B)>>(files: I) -> Memory {
        let file = |(path, bytes): (P, B)| (path.into(), MemoryFile::new(bytes.as_ref().into()));
        Memory(files.into_iter().map(file).collect())
    }
}

impl Tree for Memory {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        if let Some(text) = self.0.get(path) {
            return Ok(TreeEntry::file(text.bytes.len() as u64, text.identity.into()));
        }
        if path.as_os_str().is_empty()
            || is_parent_folder(self.0.range(path.to_path_buf()..).next().map(|(name, _)| name), path)
        {
            return Ok(TreeEntry::folder());
        }
        Err(ErrorKind::NotFound.into())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.get(path).map(|text| text.bytes.to_vec()).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        let names = names_below(self.0.range(path.to_path_buf()..).map(|(name, _)| name.as_path()), path);
        if names.is_empty() && !path.as_os_str().is_empty() {
            return Err(ErrorKind::NotFound.into());
        }
        Ok(names)
    }
}

/// Returns whether a path is a folder around a name. `next` is the first name that does not sort before it.
fn is_parent_folder(next: Option<&PathBuf>, path: &Path) -> bool {
    next.is_some_and(|next| next != path && next.starts_with(path))
}

/// The entries of a folder, from sorted names that begin with its path.
fn names_below<'p>(names: impl Iterator<Item = &'p Path>, folder: &Path) -> Vec<DirEntry> {
    let mut entries: Vec<DirEntry> = Vec::new();
    for name in names.skip_while(|name| *name == folder).take_while(|name| name.starts_with(folder)) {
        let mut rest = name.strip_prefix(folder).unwrap_or(name).components();
        let Some(first) = rest.next().and_then(|first| first.as_os_str().to_str()) else { continue };
        let kind = if rest.next().is_some() { FileKind::Folder } else { FileKind::File };
        if entries.last().is_none_or(|last| last.name != first) {
            entries.push(DirEntry { name: first.to_owned(), kind });
        }
    }
    entries
}

/// A tree with some paths replaced by those of another tree: a revision as its differences from the working tree, or
/// unsaved files over the saved ones.
///
/// ```
/// use std::sync::Arc;
/// use hieratic_sandbox::{Files, Memory, Patched};
/// let under: Memory = [("a", "1"), ("b", "1")].into_iter().collect();
/// let over: Memory = [("a", "2")].into_iter().collect();
/// let tree = Patched::new(Arc::new(under), Arc::new(over), ["a".into(), "b".into()]);
/// let files = Files::below(["/r"]).mounted("/r".as_ref(), tree);
/// assert_eq!(files.read_text("/r/a".as_ref()).unwrap(), "2");
/// assert!(!files.exists("/r/b".as_ref()));
/// ```
#[derive(Clone, Debug)]
pub struct Patched {
    base: Arc<dyn Tree>,
    patch: Arc<dyn Tree>,
    changed: Arc<PatchedNames>,
}

/// The names that a patch replaces. Every read of a file looks up its name, so they are found by the bytes of the path,
/// without splitting it.
#[derive(Debug, Default)]
struct PatchedNames {
    sorted: BTreeSet<PathBuf>,
    names: HashSet<Box<[u8]>>,
    /// The folders around them, down from the root.
    parents: HashSet<Box<[u8]>>,
}

impl FromIterator<PathBuf> for PatchedNames {
    fn from_iter<I: IntoIterator<Item = PathBuf>>(paths: I) -> PatchedNames {
        // Written as every other plain path is.
        let sorted: BTreeSet<PathBuf> = paths.into_iter().map(|path| path.components().collect()).collect();
        let bytes = |path: &Path| path.as_os_str().as_encoded_bytes().into();
        let known = sorted.iter().map(|path| bytes(path)).collect();
        let outer = sorted.iter().flat_map(|path| path.ancestors().skip(1)).map(bytes).collect();
        PatchedNames { sorted, names: known, parents: outer }
    }
}

impl PatchedNames {
    fn contains(&self, path: &Path) -> bool {
        self.names.contains(path.as_os_str().as_encoded_bytes())
    }

    /// Returns whether the name, or a folder that contains it, is in the set.
    fn contains_or_is_below(&self, path: &Path) -> bool {
        let whole = path.as_os_str().as_encoded_bytes();
        let ends = whole.iter().enumerate().filter(|(_, byte)| is_separator(char::from(**byte))).map(|(at, _)| at);
        ends.chain([whole.len()]).any(|end| self.names.contains(whole.get(..end).unwrap_or(whole)))
    }

    /// Returns whether a name of the set is below this one.
    fn has_below(&self, path: &Path) -> bool {
        self.parents.contains(path.as_os_str().as_encoded_bytes())
    }
}

impl Patched {
    /// Creates a tree that takes the paths in `changed` from `over`, and all others from `under`. A changed path that
    /// `over` lacks does not exist.
    pub fn new(under: Arc<dyn Tree>, over: Arc<dyn Tree>, changed: impl IntoIterator<Item = PathBuf>) -> Patched {
        Patched { base: under, patch: over, changed: Arc::new(changed.into_iter().collect()) }
    }

    /// Creates a tree with additional files in memory, such as unsaved ones. They replace files at the same paths.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use hieratic_sandbox::{Files, Memory, Patched};
    /// let under: Memory = [("a", "1"), ("b", "1")].into_iter().collect();
    /// let tree = Patched::with_files(Arc::new(under), [("a", "2")].into_iter().collect());
    /// let files = Files::below(["/r"]).mounted("/r".as_ref(), tree);
    /// assert_eq!(files.read_text("/r/a".as_ref()).unwrap(), "2");
    /// assert_eq!(files.read_text("/r/b".as_ref()).unwrap(), "1");
    /// ```
    pub fn with_files(under: Arc<dyn Tree>, files: Memory) -> Patched {
        let names: Vec<PathBuf> = files.0.keys().cloned().collect();
        Patched::new(under, Arc::new(files), names)
    }

    /// Returns whether the name, or a folder that contains it, was changed: a folder may have been replaced by a file.
    fn is_replaced(&self, path: &Path) -> bool {
        !path.as_os_str().is_empty() && self.changed.contains_or_is_below(path)
    }

    /// Returns whether a name below this one was changed.
    fn is_mixed(&self, path: &Path) -> bool {
        self.changed.has_below(path)
    }
}

impl Tree for Patched {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        if self.is_mixed(path) {
            let over = self.patch.entry(path);
            let is_over = match &over {
                Ok(known) => known.is_folder(),
                Err(error) => !is_absence(error),
            };
            if self.changed.contains(path) || is_over {
                return over;
            }
            // The rest of the folder in the tree below, if that is a folder at all.
            let under = self.base.entry(path)?;
            let is_left = under.is_folder() && !self.list(path)?.is_empty();
            return if is_left { Ok(under) } else { Err(ErrorKind::NotFound.into()) };
        }
        if self.is_replaced(path) { self.patch.entry(path) } else { self.base.entry(path) }
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if self.is_replaced(path) { self.patch.read(path) } else { self.base.read(path) }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        if self.is_replaced(path) && !self.is_mixed(path) {
            return self.patch.list(path);
        }
        if !self.is_mixed(path) {
            return self.base.list(path);
        }
        let is_over = |name: &str| {
            let whole = path.join(name);
            self.changed.contains(&whole) || self.is_mixed(&whole)
        };
        let mut names: BTreeMap<String, FileKind> = BTreeMap::new();
        let under = match self.base.list(path) {
            Ok(entries) => entries,
            // The folder may exist only because a name in it was changed.
            Err(error) if is_absence(&error) => Vec::new(),
            Err(error) => return Err(error),
        };
        for entry in under {
            if !is_over(&entry.name) {
                names.insert(entry.name, entry.kind);
            }
        }
        let changed = names_below(self.changed.sorted.range(path.to_path_buf()..).map(PathBuf::as_path), path);
        for entry in changed {
            let kind = match self.entry(&path.join(&entry.name)) {
                Ok(TreeEntry::Stat(stat)) => stat.kind,
                Ok(TreeEntry::Link(_)) => FileKind::Link,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(error),
            };
            names.insert(entry.name, kind);
        }
        Ok(names.into_iter().map(|(name, kind)| DirEntry { name, kind }).collect())
    }

    fn unnamed(&self, path: &Path) -> io::Result<Vec<String>> {
        // Such names cannot be compared, so that none is known to differ.
        if self.is_replaced(path) && !self.is_mixed(path) {
            return self.patch.unnamed(path);
        }
        match self.base.unnamed(path) {
            // The patch has the folder, and the tree below has another kind of entry.
            Err(error) if is_absence(&error) => Ok(Vec::new()),
            found => found,
        }
    }

    fn is_patched(&self, path: &Path) -> bool {
        // A folder may exist on one side only because a name in it was changed.
        let kind = |known: io::Result<TreeEntry>| match known {
            Ok(TreeEntry::Stat(stat)) => Some(Some(stat.kind)),
            Ok(TreeEntry::Link(_)) => Some(Some(FileKind::Link)),
            Err(error) if is_absence(&error) => Some(None),
            // An unreadable entry may be of any kind.
            Err(_) => None,
        };
        let is_other = || match (kind(self.entry(path)), kind(self.base.entry(path))) {
            (Some(one), Some(other)) => one != other,
            _ => true,
        };
        self.is_replaced(path) || self.is_mixed(path) && is_other()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Files;

    #[test]
    fn files_in_memory_are_identified_by_content() {
        let seen = |text: &str| {
            let tree: Memory = [("a", text)].into_iter().collect();
            tree.entry(Path::new("a")).unwrap()
        };
        // The memory of the first is free again when the second is made.
        assert_ne!(seen("a: 1"), seen("a: 2"));
        assert_eq!(seen("a: 1"), seen("a: 1"));
    }

    #[test]
    fn entries_below_a_patched_folder_are_patched() {
        let under: Memory = [("gone/a", "1"), ("kept/a", "1"), ("kept/b", "1")].into_iter().collect();
        let over: Memory = [("new/a", "1"), ("kept/b", "2")].into_iter().collect();
        let changed = ["gone/a", "new/a", "kept/b"].map(PathBuf::from);
        let tree = Patched::new(Arc::new(under), Arc::new(over), changed);
        for (path, is_patched) in
            [("", false), ("gone", true), ("new", true), ("kept", false), ("kept/a", false), ("kept/b", true)]
        {
            assert_eq!(tree.is_patched(Path::new(path)), is_patched, "{path}");
        }
        let files = Files::below(["/r"]).mounted("/r".as_ref(), tree);
        for (path, is_patched) in [("/r/gone/a", true), ("/r/gone/z", true), ("/r/new/a", true), ("/r/kept/z", false)] {
            assert_eq!(files.is_patched(Path::new(path)), is_patched, "{path}");
        }
    }
}
