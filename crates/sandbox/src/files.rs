//! [`Files`]: regular files of bounded size below the allowed folders.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::denied::{Denied, DeniedReason};
use crate::mount::{Mount, ResolvedPath, missing_error};
use crate::mounted::ReadErrors;
use crate::open::{self, Folder};
use crate::real;
use crate::refused::RefusedPaths;
use crate::tree::Tree;

/// The files that a repository may read. Clones share the list of refused paths.
///
/// A path is resolved as the operating system resolves it, and its target decides: a link below an allowed folder that
/// leads out of all of them is refused like a path that names the outside. Only regular files up to a size are read.
/// Devices, pipes and the virtual files of the kernel (`/proc`, `/sys`) are errors.
///
/// ```
/// use hieratic_sandbox::Files;
/// let folder = tempfile::tempdir().unwrap();
/// std::fs::write(folder.path().join("a"), "1").unwrap();
/// std::os::unix::fs::symlink("/etc/passwd", folder.path().join("b")).unwrap();
/// let files = Files::below([folder.path()]);
/// assert_eq!(files.read(&folder.path().join("a")).unwrap(), b"1");
/// assert!(files.read(&folder.path().join("b")).is_err());
/// assert_eq!(files.refused(), [folder.path().join("b")]);
/// ```
#[derive(Clone, Debug)]
pub struct Files(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    /// Folders below which everything may be read; absolute, without `..`.
    trees: Vec<PathBuf>,
    outside: Outside,
    largest: u64,
    /// The paths that were refused because of their location.
    refused: RefusedPaths,
    /// The tree that is read instead of a folder.
    mount: Option<Arc<Mount>>,
    /// The folders as they were when something below them was read first, if they are to stay so.
    opened: Option<Box<[OnceLock<Folder>]>>,
}

/// The policy for files outside of the allowed folders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// No file.
    Never,
    /// Files that a path names directly (`/srv/data/a.yaml`, `../data/a.yaml`), but no target of a link below an
    /// allowed folder.
    Named,
    /// Every regular file.
    Always,
    /// Like [`Named`](Self::Named), for paths on the command line. Pipes are allowed as well, which shells create for
    /// `<(...)`.
    User,
}

/// The metadata of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The kind of the file, links followed.
    pub kind: FileKind,
    /// The length in bytes.
    pub len: u64,
    /// The inode number. In a mounted tree, a hash of the content. 0 if unknown.
    pub inode: u128,
    /// The id of the file system. 0 if unknown.
    pub device: u64,
    /// The Unix mode: type and permissions. On other systems, the nearest equivalent.
    pub mode: u32,
    /// The time of the last change of the content, as reported by the file system.
    pub modified: Option<SystemTime>,
    /// The time of the last change of the content or the metadata. Unlike `modified`, programs cannot set it back.
    pub changed: Option<SystemTime>,
}

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, which was not followed.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

/// An entry of a folder: its name and its kind, links not followed.
#[derive(Clone, Debug)]
pub struct DirEntry {
    /// The name. Listings leave out names that are not Unicode and record them: see [`Files::unnamed`].
    pub name: String,
    /// The kind of the entry.
    pub kind: FileKind,
}

impl Files {
    /// Allows all files below the folders, and nothing else. Folders that are links are resolved first. The path of a
    /// file allows this file.
    pub fn below<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> Files {
        let mut trees: Vec<PathBuf> = folders.into_iter().map(|folder| plain(folder.as_ref())).collect();
        trees.dedup();
        Files(Arc::new(Inner {
            trees,
            outside: Outside::Never,
            largest: hieratic_budget::Limits::default().file,
            refused: RefusedPaths::default(),
            mount: None,
            opened: None,
        }))
    }

    /// Allows every file, pipes included, for paths on the command line.
    pub fn of_user() -> Files {
        Files::below([] as [&Path; 0]).with_outside(Outside::User)
    }

    /// Allows every regular file.
    pub fn anywhere() -> Files {
        Files::below([] as [&Path; 0]).with_outside(Outside::Always)
    }

    /// Returns these files with another policy for paths outside of the folders.
    pub fn with_outside(&self, outside: Outside) -> Files {
        self.modify(|inner| inner.outside = outside)
    }

    /// Returns these files with additional allowed folders.
    pub fn and_below<P: AsRef<Path>>(&self, folders: impl IntoIterator<Item = P>) -> Files {
        let more: Vec<PathBuf> = folders.into_iter().map(|folder| plain(folder.as_ref())).collect();
        self.modify(|inner| inner.trees.extend(more))
    }

    /// Returns these files with another limit for the size of a file.
    pub fn with_largest(&self, bytes: u64) -> Files {
        self.modify(|inner| inner.largest = bytes)
    }

    /// Mounts a tree on a folder: everything below the folder is read from the tree only.
    pub fn mounted(&self, root: &Path, tree: impl Tree + 'static) -> Files {
        self.with_mount(root, Arc::new(tree))
    }

    /// Like [`mounted`](Self::mounted), for a shared tree.
    pub fn with_mount(&self, root: &Path, tree: Arc<dyn Tree>) -> Files {
        self.modify(|inner| inner.mount = Some(Arc::new(Mount::new(plain(root), tree, None))))
    }

    /// Like [`with_mount`](Self::with_mount), for a tree whose read errors are recorded.
    pub(crate) fn with_recorded_mount(&self, root: &Path, tree: Arc<dyn Tree>, faults: Arc<ReadErrors>) -> Files {
        self.modify(|inner| inner.mount = Some(Arc::new(Mount::new(plain(root), tree, Some(faults)))))
    }

    /// Returns the first read error of the mounted tree, as a sentence: see [`Mounted::fault`](crate::Mounted::fault).
    pub fn fault(&self) -> Option<String> {
        self.0.mount.as_ref()?.faults.as_ref()?.message()
    }

    /// Returns these files for a short run: each allowed folder is opened once and stays the same, even if a link on
    /// its path is changed during the run.
    pub fn at_one_moment(&self) -> Files {
        self.modify(|inner| inner.opened = Some(Box::default()))
    }

    /// Returns whether the entry at a path, or a link on the way to it, differs from the tree under a
    /// [patch](crate::Patched).
    pub fn is_patched(&self, path: &Path) -> bool {
        match self.resolve_in_mount(path).as_deref() {
            Some(ResolvedPath::Inside { is_patched, .. } | ResolvedPath::Missing { is_patched, .. }) => *is_patched,
            // An unreadable entry may differ.
            Some(ResolvedPath::Unreadable(..)) => true,
            Some(ResolvedPath::Outside(_)) | None => false,
        }
    }

    /// Returns whether a path is below a folder on which a tree is mounted.
    pub fn is_mounted(&self, path: &Path) -> bool {
        self.0.mount.as_ref().is_some_and(|mount| mount.name(&plain(path)).is_some())
    }

    /// Resolves a path in the mounted tree. Returns `None` if the path is outside of it.
    fn resolve_in_mount(&self, path: &Path) -> Option<Arc<ResolvedPath>> {
        let mount = self.0.mount.as_ref()?;
        Some(mount.resolve(&mount.name(&plain(path))?))
    }

    /// The metadata of a path and its name in the mounted tree. Returns `None` if the path is on the disk.
    fn stat_in_mount(&self, path: &Path) -> Option<io::Result<(&Mount, PathBuf, Stat)>> {
        let mount = self.0.mount.as_deref()?;
        let found = match &*self.resolve_in_mount(path)? {
            ResolvedPath::Inside { name, stat, .. } => {
                let whole = mount.root.join(name);
                if self.needs_no_check(path) || self.lexically_below(&whole) {
                    Ok((mount, name.clone(), stat.clone()))
                } else {
                    Err(self.deny(path, DeniedReason::Outside { link: self.lexically_below(path) }))
                }
            }
            ResolvedPath::Outside(_) if self.0.outside == Outside::Always => return None,
            ResolvedPath::Outside(target) if is_missing(target) => Err(missing_error(false)),
            ResolvedPath::Outside(_) => Err(self.deny(path, DeniedReason::Outside { link: true })),
            ResolvedPath::Missing { loops, .. } => Err(missing_error(*loops)),
            ResolvedPath::Unreadable(kind, message) => Err(io::Error::new(*kind, message.clone())),
        };
        Some(found)
    }

    fn modify(&self, change: impl FnOnce(&mut Inner)) -> Files {
        let Inner { trees, outside, largest, refused, mount, opened } = &*self.0;
        let mut inner = Inner {
            trees: trees.clone(),
            outside: *outside,
            largest: *largest,
            refused: refused.clone(),
            mount: mount.clone(),
            opened: opened.as_ref().map(|_| Box::default()),
        };
        change(&mut inner);
        inner.opened = inner.opened.map(|_| inner.trees.iter().map(|_| OnceLock::new()).collect());
        Files(Arc::new(inner))
    }

    /// Returns the allowed folders.
    pub fn trees(&self) -> &[PathBuf] {
        &self.0.trees
    }

    /// Returns the policy for files outside of the allowed folders.
    pub fn outside(&self) -> Outside {
        self.0.outside
    }

    /// Returns the size of the largest file that is read.
    pub fn largest(&self) -> u64 {
        self.0.largest
    }

    /// Returns the paths that were refused so far because of their location, sorted.
    pub fn refused(&self) -> Vec<PathBuf> {
        self.0.refused.paths().into_iter().collect()
    }

    /// Returns the names that listings left out so far because they are not Unicode, with their folders, sorted.
    pub fn unnamed(&self) -> Vec<PathBuf> {
        self.0.refused.unnamed().into_iter().collect()
    }

    /// Returns these files, which record refused paths in `refused`.
    pub fn with_refused(&self, refused: &RefusedPaths) -> Files {
        self.modify(|inner| inner.refused = refused.clone())
    }

    /// Reads a file.
    ///
    /// # Errors
    /// The error of the system, or a [`Denied`] inside of an error of kind `Other`: see [`Denied::from_error`].
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read_with_stat(path, false).map(|(bytes, _)| bytes)
    }

    /// Reads a file and returns it with its metadata from just before. Set `is_file` if the caller has just seen that
    /// it is a regular file; this saves a check.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_with_stat(&self, path: &Path, is_file: bool) -> io::Result<(Vec<u8>, Stat)> {
        if let Some(found) = self.stat_in_mount(path) {
            let (mount, name, stat) = found?;
            return Ok((self.read_in(mount, &name, &stat, path)?, stat));
        }
        let purpose = if is_file { open::OpenPurpose::ContentOfFile } else { open::OpenPurpose::Content };
        let (file, about) = self.open_content(path, purpose)?;
        let largest = self.0.largest;
        if about.len > largest {
            return Err(self.deny(path, DeniedReason::TooLarge(largest)));
        }
        let mut bytes = Vec::new();
        if about.is_file() && read_at_once(&file, about.len, &mut bytes)? {
            return Ok((bytes, about));
        }
        // A file may grow while it is read.
        file.take((largest + 1).saturating_sub(bytes.len() as u64)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > largest {
            return Err(self.deny(path, DeniedReason::TooLarge(largest)));
        }
        Ok((bytes, about))
    }

    /// Opens a file for reading in parts. The size limit does not apply.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn reader(&self, path: &Path) -> io::Result<Box<dyn Read + Send>> {
        match self.stat_in_mount(path) {
            Some(found) => {
                let (mount, name, stat) = found?;
                Ok(Box::new(io::Cursor::new(self.read_in(mount, &name, &stat, path)?)))
            }
            None => Ok(Box::new(self.open_content(path, open::OpenPurpose::Content)?.0)),
        }
    }

    /// Opens a file of the disk for random access. The size limit does not apply.
    ///
    /// # Errors
    /// As [`read`](Self::read), and the file belongs to a mounted tree.
    pub fn random_access(&self, path: &Path) -> io::Result<fs::File> {
        match self.stat_in_mount(path) {
            Some(_) => Err(io::Error::new(io::ErrorKind::Unsupported, "it is not a file on disk")),
            None => Ok(self.open_content(path, open::OpenPurpose::Content)?.0),
        }
    }

    /// Opens a file of the disk, or a pipe that a person named.
    fn open_content(&self, path: &Path, purpose: open::OpenPurpose) -> io::Result<(fs::File, Stat)> {
        let (file, about) = self.open(path, purpose)?;
        let is_pipe = about.kind == FileKind::Other && self.0.outside == Outside::User;
        match about.kind {
            FileKind::Folder => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            FileKind::File => Ok((file, about)),
            _ if is_pipe => Ok((file, about)),
            _ => Err(self.deny(path, DeniedReason::NotRegular)),
        }
    }

    fn read_in(&self, mount: &Mount, name: &Path, stat: &Stat, path: &Path) -> io::Result<Vec<u8>> {
        match stat.kind {
            FileKind::File => {}
            FileKind::Folder => return Err(io::Error::from(io::ErrorKind::IsADirectory)),
            FileKind::Link | FileKind::Other => return Err(self.deny(path, DeniedReason::NotRegular)),
        }
        if stat.len > self.0.largest {
            return Err(self.deny(path, DeniedReason::TooLarge(self.0.largest)));
        }
        let bytes = mount.tree.read(name)?;
        if bytes.len() as u64 > self.0.largest {
            return Err(self.deny(path, DeniedReason::TooLarge(self.0.largest)));
        }
        Ok(bytes)
    }

    /// Reads a file as UTF-8.
    ///
    /// # Errors
    /// As [`read`](Self::read), and the file is not valid UTF-8.
    pub fn read_text(&self, path: &Path) -> io::Result<String> {
        let bytes = self.read(path)?;
        String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
    }

    /// Returns the metadata of a path, links followed. `None` if it does not exist or may not be read. An unreadable
    /// part of a mounted tree gives `None` as well, and is recorded: see [`Mounted::fault`](crate::Mounted::fault).
    pub fn stat(&self, path: &Path) -> Option<Stat> {
        self.try_stat(path).ok()
    }

    /// Returns the metadata of a path, links followed.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn try_stat(&self, path: &Path) -> io::Result<Stat> {
        if let Some(found) = self.stat_in_mount(path) {
            return found.map(|(_, _, stat)| stat);
        }
        if self.needs_no_check(path) {
            return fs::metadata(path).map(|data| Stat::from_metadata(&data));
        }
        self.open(path, open::OpenPurpose::Metadata).map(|(_, about)| about)
    }

    /// Returns the metadata of a path, after any truncation in progress has ended.
    ///
    /// File systems report a file that is being truncated as empty before they change its times. For an empty file, the
    /// function therefore waits for the writer, by a seek that needs the lock of the truncation.
    pub fn settled(&self, path: &Path) -> Option<Stat> {
        let about = self.stat(path)?;
        if about.len > 0 || !about.is_file() || self.resolve_in_mount(path).is_some() {
            return Some(about);
        }
        if let Ok((file, _)) = self.open(path, open::OpenPurpose::Content) {
            open::wait_for_changes(&file);
        }
        self.stat(path)
    }

    /// Returns whether a link at the path leads to an existing target that may not be read.
    pub fn leads_out(&self, path: &Path) -> bool {
        let refused = self.try_stat(path).err();
        let reason = refused.as_ref().and_then(Denied::from_error).map(Denied::reason);
        reason == Some(DeniedReason::Outside { link: true })
    }

    /// Returns whether a path may not be read because of its location. It need not exist.
    pub fn is_refused(&self, path: &Path) -> bool {
        self.try_stat(path).is_err_and(|error| is_refusal(&error))
    }

    /// Returns whether it is unknown if the path exists, because a parent folder may not be entered.
    pub fn is_forbidden(&self, path: &Path) -> bool {
        self.try_stat(path).is_err_and(|error| is_prohibition(&error))
    }

    /// Returns whether the path may exist but cannot be seen: it [is refused](Self::is_refused) or
    /// [forbidden](Self::is_forbidden).
    pub fn is_hidden(&self, path: &Path) -> bool {
        self.try_stat(path).is_err_and(|error| is_refusal(&error) || is_prohibition(&error))
    }

    /// Returns whether the path exists, links not followed. A dangling link counts.
    pub fn is_named(&self, path: &Path) -> bool {
        if let Some(mount) = &self.0.mount
            && let Some(name) = mount.name(&plain(path))
        {
            return mount.is_named(&name);
        }
        self.exists(path) || fs::symlink_metadata(path).is_ok_and(|about| about.is_symlink())
    }

    /// Returns whether a path is below the allowed folders, literally or after its links are resolved.
    pub fn holds(&self, path: &Path) -> bool {
        if self.resolve_in_mount(path).is_some() {
            return self.lexically_below(path);
        }
        self.lexically_below(path)
            || !self.leads_to_host(path) && real::path(path).is_ok_and(|real| self.is_below(&real))
    }

    /// Returns whether a path exists.
    pub fn exists(&self, path: &Path) -> bool {
        self.stat(path).is_some()
    }

    /// Returns whether a path is a regular file.
    pub fn is_file(&self, path: &Path) -> bool {
        self.stat(path).is_some_and(|about| about.kind == FileKind::File)
    }

    /// Returns whether a path is a folder.
    pub fn is_folder(&self, path: &Path) -> bool {
        self.stat(path).is_some_and(|about| about.kind == FileKind::Folder)
    }

    /// Returns the entries of a folder, sorted by name.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn list(&self, folder: &Path) -> io::Result<Vec<DirEntry>> {
        if let Some(found) = self.stat_in_mount(folder) {
            let (mount, name, stat) = found?;
            if stat.kind != FileKind::Folder {
                return Err(io::Error::from(io::ErrorKind::NotADirectory));
            }
            let mut entries = mount.tree.list(&name)?;
            entries.sort_by(|a, b| a.name.cmp(&b.name));
            self.0.refused.add_unnamed(folder, &mount.tree.unnamed(&name)?);
            return Ok(entries);
        }
        let (opened, about) = self.open(folder, open::OpenPurpose::Names)?;
        if about.kind != FileKind::Folder {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        let open::Listing { mut entries, unnamed } = open::names(&opened, folder)?;
        self.0.refused.add_unnamed(folder, &unnamed);
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Returns the path with all links resolved.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn real(&self, path: &Path) -> io::Result<PathBuf> {
        if let Some(found) = self.stat_in_mount(path) {
            return found.map(|(mount, name, _)| mount.root.join(name));
        }
        let needs_no_check = self.needs_no_check(path);
        if needs_no_check || !self.leads_to_host(path) {
            let real = real::path(path)?;
            if needs_no_check || self.is_below(&real) {
                return Ok(dunce::simplified(&real).to_owned());
            }
        }
        Err(self.deny(path, DeniedReason::Outside { link: self.lexically_below(path) }))
    }

    /// Returns whether the location of a path allows reading it.
    ///
    /// # Errors
    /// [`Denied`], or the error of the system.
    pub fn check(&self, path: &Path) -> io::Result<()> {
        self.try_stat(path).map(|_| ())
    }

    /// Returns whether the location of a path needs no check.
    fn needs_no_check(&self, path: &Path) -> bool {
        match self.0.outside {
            Outside::Never => false,
            // Data names no device and no other machine: asking one would tell it who this user is.
            Outside::Named => !self.lexically_below(path) && !open::names_host(&plain(path)),
            Outside::User => !self.lexically_below(path),
            Outside::Always => true,
        }
    }

    fn lexically_below(&self, path: &Path) -> bool {
        self.tree_of(&plain(path)).is_some()
    }

    /// The innermost of the allowed folders that a plain path is in by its text, its number, and the rest of the path.
    fn tree_of(&self, path: &Path) -> Option<(usize, &Path, PathBuf)> {
        let outer = self.0.trees.iter().enumerate();
        let outer = outer.filter_map(|(number, tree)| Some((number, tree.as_path(), strip_folder(path, tree)?)));
        outer.max_by_key(|(_, tree, _)| tree.as_os_str().len())
    }

    /// Returns whether a path leads to a device or to another machine that is not where an allowed folder is.
    fn leads_to_host(&self, path: &Path) -> bool {
        let whole = plain(path);
        match self.tree_of(&whole) {
            Some((_, tree, rest)) => open::leads_to_host(tree, &rest),
            None => open::leads_to_host(Path::new(""), &whole),
        }
    }

    /// Returns whether a path without links is below a folder.
    fn is_below(&self, real: &Path) -> bool {
        self.0.trees.iter().any(|tree| real::path(tree).is_ok_and(|tree| real.starts_with(tree)))
    }

    /// Opens a path. The location of the opened file is checked, even if a link on the path changes meanwhile.
    fn open(&self, path: &Path, purpose: open::OpenPurpose) -> io::Result<(fs::File, Stat)> {
        if self.needs_no_check(path) {
            let opened = open::open_anywhere(path, purpose, self.0.outside == Outside::User)?;
            return opened.ok_or_else(|| self.deny(path, DeniedReason::NotRegular));
        }
        let whole = plain(path);
        let tree = self.tree_of(&whole);
        if let Some((number, tree, rest)) = &tree {
            match self.open_below(*number, tree, rest, purpose)? {
                open::OpenOutcome::Is(file, about) => return Ok((file, about)),
                open::OpenOutcome::Irregular => return Err(self.deny(path, DeniedReason::NotRegular)),
                open::OpenOutcome::LeadsOut => {}
            }
        }
        // A link that leads out of its folder may lead into another, or back into the same folder by an absolute path.
        // The error does not reveal whether a path outside exists.
        if self.leads_to_host(path) {
            return Err(self.deny(path, DeniedReason::Outside { link: tree.is_some() }));
        }
        let real = match real::path(&whole) {
            Err(_) if tree.is_none() => return Err(self.deny(path, DeniedReason::Outside { link: false })),
            real => real?,
        };
        for tree in &self.0.trees {
            let Ok(tree) = real::path(tree) else { continue };
            let Ok(rest) = real.strip_prefix(&tree) else { continue };
            let folder = match Folder::open(&tree) {
                // An allowed file has nothing below it, and a link to another place does not allow that place.
                Err(error) if is_file(&error, rest) => continue,
                folder => folder?,
            };
            if let open::OpenOutcome::Is(file, about) = folder.below(rest, purpose)? {
                return Ok((file, about));
            }
        }
        Err(self.deny(path, DeniedReason::Outside { link: tree.is_some() }))
    }

    /// Opens the rest of a path below an allowed folder, or the allowed file itself.
    fn open_below(
        &self,
        number: usize,
        tree: &Path,
        rest: &Path,
        purpose: open::OpenPurpose,
    ) -> io::Result<open::OpenOutcome> {
        let outcome = match self.folder(number, tree) {
            Ok(Some(folder)) => folder.below(rest, purpose),
            Ok(None) => Folder::open(tree).and_then(|folder| folder.below(rest, purpose)),
            Err(error) => Err(error),
        };
        match (outcome, tree.parent(), tree.file_name()) {
            (Err(error), Some(folder), Some(name)) if is_file(&error, rest) => {
                Folder::open(folder)?.below(Path::new(name), purpose)
            }
            (outcome, ..) => outcome,
        }
    }

    /// The allowed folder with this index, opened once so that it stays the same. Returns `None` if folders may be
    /// exchanged.
    fn folder(&self, number: usize, path: &Path) -> io::Result<Option<&Folder>> {
        let Some(slot) = self.0.opened.as_ref().and_then(|opened| opened.get(number)) else { return Ok(None) };
        if let Some(known) = slot.get() {
            return Ok(Some(known));
        }
        let opened = Folder::open_for_many(path)?;
        Ok(Some(slot.get_or_init(|| opened)))
    }

    fn deny(&self, path: &Path, reason: DeniedReason) -> io::Error {
        if matches!(reason, DeniedReason::Outside { .. }) {
            self.0.refused.add(path);
        }
        io::Error::other(Denied { reason })
    }
}

/// Returns whether an allowed folder cannot be opened because the path is that of a file.
fn is_file(error: &io::Error, rest: &Path) -> bool {
    error.kind() == io::ErrorKind::NotADirectory && rest.as_os_str().is_empty()
}

fn is_refusal(error: &io::Error) -> bool {
    matches!(Denied::from_error(error).map(Denied::reason), Some(DeniedReason::Outside { .. }))
}

fn is_prohibition(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied
}

impl Stat {
    pub(crate) fn from_metadata(data: &fs::Metadata) -> Stat {
        #[cfg(unix)]
        let (inode, device, mode, changed) = {
            use std::os::unix::fs::MetadataExt;
            use std::time::Duration;
            let seconds = u64::try_from(data.ctime()).unwrap_or(0);
            let nanoseconds = u64::try_from(data.ctime_nsec()).unwrap_or(0);
            let since = Duration::from_secs(seconds).checked_add(Duration::from_nanos(nanoseconds));
            (
                data.ino().into(),
                data.dev(),
                data.mode(),
                since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since)),
            )
        };
        #[cfg(not(unix))]
        let (inode, device, mode, changed) = {
            let kind = if data.is_dir() { 0o040_111 } else { 0o100_000 };
            let rights = if data.permissions().readonly() { 0o444 } else { 0o666 };
            (0, 0, kind | rights, data.modified().ok())
        };
        let (kind, modified) = (FileKind::from_file_type(data.file_type()), data.modified().ok());
        Stat { kind, len: data.len(), inode, device, mode, modified, changed }
    }

    /// Returns whether the path is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == FileKind::File
    }

    /// Returns whether the path is a folder.
    pub fn is_folder(&self) -> bool {
        self.kind == FileKind::Folder
    }
}

impl FileKind {
    pub(crate) fn from_file_type(kind: fs::FileType) -> FileKind {
        if kind.is_file() {
            FileKind::File
        } else if kind.is_dir() {
            FileKind::Folder
        } else if kind.is_symlink() {
            FileKind::Link
        } else {
            FileKind::Other
        }
    }
}

/// The most bytes that are read with a single call, into memory that is filled with zeros first.
const MAX_FILLED: usize = 64 << 10;

/// Reads the bytes of a file that had `len` bytes when it was opened. Returns whether these are all. A file that ends where it ended before has been read
/// whole, and need not be asked whether there is more.
fn read_at_once(mut file: &fs::File, len: u64, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let Some(room) = usize::try_from(len).ok().and_then(|len| len.checked_add(1)) else { return Ok(false) };
    if room > MAX_FILLED {
        bytes.reserve_exact(room);
        file.take(room as u64).read_to_end(bytes)?;
        return Ok(bytes.len() as u64 == len);
    }
    bytes.resize(room, 0);
    let count = loop {
        match file.read(bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => break read?,
        }
    };
    bytes.truncate(count);
    Ok(count as u64 == len)
}

/// Makes a path absolute and removes `.` and `..`, without resolving links. On Windows, also removes the prefix `\\?\`
/// and writes backslashes.
pub fn plain(path: &Path) -> PathBuf {
    let is_plain = cfg!(not(windows))
        && path.is_absolute()
        && path.components().all(|part| !matches!(part, Component::ParentDir | Component::CurDir));
    if is_plain {
        return path.components().collect();
    }
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut plain = PathBuf::new();
    for component in dunce::simplified(&whole).components() {
        match component {
            // Above the root is the root.
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// Returns a path with all links resolved, on Windows without the prefix `\\?\`.
///
/// # Errors
/// The error of the system.
pub fn real_path(path: &Path) -> io::Result<PathBuf> {
    real::path(path).map(|real| dunce::simplified(&real).to_owned())
}

/// Paths as configuration files and reports write them.
pub trait SlashPath {
    /// Returns the path as a string, with slashes on all systems.
    fn to_slashes(&self) -> String;
}

impl SlashPath for Path {
    fn to_slashes(&self) -> String {
        slashes(&self.display().to_string()).into_owned()
    }
}

/// Returns a path with slashes. On Windows, backslashes are replaced.
pub fn slashes(path: &str) -> Cow<'_, str> {
    if cfg!(windows) && path.contains('\\') { path.replace('\\', "/").into() } else { path.into() }
}

/// The rest of a plain path below a folder, by its text. Where names are equal in capital and small letters, it compares them so.
pub(crate) fn strip_folder(path: &Path, folder: &Path) -> Option<PathBuf> {
    if let Ok(rest) = path.strip_prefix(folder) {
        return Some(rest.to_owned());
    }
    if cfg!(any(windows, target_vendor = "apple")) { strip_folder_in_any_case(path, folder) } else { None }
}

fn strip_folder_in_any_case(path: &Path, folder: &Path) -> Option<PathBuf> {
    let mut parts = path.components();
    for expected in folder.components() {
        let part = parts.next()?;
        let fold = |component: Component<'_>| component.as_os_str().to_str().map(str::to_lowercase);
        if part != expected && (fold(part).is_none() || fold(part) != fold(expected)) {
            return None;
        }
    }
    Some(parts.as_path().to_owned())
}

/// Returns whether a link out of a mounted tree leads nowhere. It is absent then, as on the disk: the working tree and a
/// revision with the same link give the same answers.
fn is_missing(target: &Path) -> bool {
    !open::leads_to_host(Path::new(""), target)
        && real::path(target).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn names_are_compared_in_any_case() {
        let rest = |path: &str, folder: &str| strip_folder_in_any_case(Path::new(path), Path::new(folder));
        assert_eq!(rest("/Repo/Ärger/a", "/repo/ärger"), Some("a".into()));
        assert_eq!(rest("/repo", "/REPO"), Some("".into()));
        assert_eq!(rest("/repository/a", "/repo"), None);
        assert_eq!(rest("/repo", "/repo/a"), None);
    }
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder `in` with files and links, beside a folder `out`.
    fn tree() -> (tempfile::TempDir, PathBuf, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let (inside, outside) = (root.join("in"), root.join("out"));
        fs::create_dir_all(inside.join("a/b")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        for file in [inside.join("a/b/f"), inside.join("g"), outside.join("s")] {
            fs::write(file, "x").unwrap();
        }
        (folder, inside, outside)
    }

    #[test]
    fn a_file_can_be_allowed_alone() {
        let (_folder, inside, outside) = tree();
        symlink(outside.join("s"), inside.join("out")).unwrap();
        for files in [Files::below([inside.join("a"), inside.join("g")]), Files::below([&inside, &inside.join("g")])] {
            for files in [files.clone(), files.at_one_moment()] {
                assert!(files.is_file(&inside.join("g")) && !files.is_folder(&inside.join("g")));
                assert_eq!(files.read(&inside.join("g")).unwrap(), b"x");
                assert!(files.list(&inside.join("g")).is_err() && files.read(&inside.join("g/h")).is_err());
            }
        }
        let alone = Files::below([inside.join("g"), inside.join("out")]);
        assert!(alone.read(&inside.join("a/b/f")).is_err());
        // A link is not what it leads to.
        let refusal = alone.read(&inside.join("out")).unwrap_err();
        assert!(is_refusal(&refusal), "{refusal}");
        assert!(Files::below([inside.join("none")]).read(&inside.join("none")).is_err());
    }

    #[test]
    fn links_are_followed_as_long_as_they_stay_inside() {
        let (_folder, inside, outside) = tree();
        symlink("a/b/f", inside.join("relative")).unwrap();
        symlink(inside.join("g"), inside.join("absolute")).unwrap();
        symlink("../out/s", inside.join("up")).unwrap();
        symlink(&outside, inside.join("folder")).unwrap();
        symlink("nowhere", inside.join("dangling")).unwrap();
        symlink("loop", inside.join("loop")).unwrap();
        let files = Files::below([&inside]);
        let reads = |name: &str| files.read(&inside.join(name)).is_ok();
        assert!(reads("relative") && reads("absolute") && reads("a/../g") && reads("./a/b/f"));
        for name in ["up", "folder/s", "../out/s", "dangling", "loop", "a/b/../../../out/s"] {
            assert!(!reads(name), "{name}");
        }
        assert!(files.leads_out(&inside.join("up")) && files.leads_out(&inside.join("folder")));
        assert!(!files.leads_out(&inside.join("dangling")) && !files.leads_out(&outside.join("s")));
        assert!(files.list(&inside.join("folder")).is_err());
        assert!(files.is_named(&inside.join("dangling")) && !files.exists(&inside.join("dangling")));
        assert!(files.real(&inside.join("up")).is_err());
    }

    #[test]
    fn named_paths_outside_are_read() {
        let (_folder, inside, outside) = tree();
        symlink(outside.join("s"), inside.join("link")).unwrap();
        symlink(outside.join("s"), outside.join("link")).unwrap();
        let reads = |outside_is, path: &Path| Files::below([&inside]).with_outside(outside_is).read(path).is_ok();
        for (allowed, by_name, by_link) in
            [(Outside::Never, false, false), (Outside::Named, true, false), (Outside::Always, true, true)]
        {
            assert_eq!(reads(allowed, &outside.join("link")), by_name, "{allowed:?}");
            assert_eq!(reads(allowed, &inside.join("link")), by_link, "{allowed:?}");
        }
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let (_folder, inside, _) = tree();
        let pipe = inside.join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RWXU).unwrap();
        fs::write(inside.join("large"), "12345").unwrap();
        for files in [Files::below([&inside]), Files::anywhere()] {
            let reason = |path: &Path| {
                let error = files.with_largest(4).read(path).unwrap_err();
                Denied::from_error(&error).map(Denied::reason)
            };
            assert_eq!(reason(&pipe), Some(DeniedReason::NotRegular));
            assert_eq!(reason(&inside.join("large")), Some(DeniedReason::TooLarge(4)));
            assert_eq!(files.read(&inside.join("a")).unwrap_err().kind(), io::ErrorKind::IsADirectory);
        }
        for device in
            ["/dev/zero", "/proc/self/environ", "/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"]
        {
            if Path::new(device).exists() {
                assert!(Files::anywhere().read(device.as_ref()).is_err(), "{device}");
            }
        }
    }

    #[test]
    fn a_folder_that_was_allowed_may_be_a_link_and_be_exchanged() {
        let (_folder, inside, outside) = tree();
        let current = inside.with_file_name("current");
        symlink(&inside, &current).unwrap();
        let files = Files::below([&current]);
        assert!(files.read(&current.join("g")).is_ok() && files.read(&current.join("s")).is_err());
        fs::remove_file(&current).unwrap();
        symlink(&outside, &current).unwrap();
        assert!(files.read(&current.join("g")).is_err() && files.read(&current.join("s")).is_ok());
    }

    #[test]
    fn at_one_moment_folders_are_opened_once() {
        let (_folder, inside, outside) = tree();
        let current = inside.with_file_name("current");
        symlink(&inside, &current).unwrap();
        let files = Files::below([&current, &inside.join("missing")]).at_one_moment();
        assert!(files.read(&inside.join("missing/g")).is_err());
        assert!(files.read(&current.join("g")).is_ok());
        fs::remove_file(&current).unwrap();
        symlink(&outside, &current).unwrap();
        for same in [&files, &files.clone()] {
            assert!(same.read(&current.join("g")).is_ok() && same.read(&current.join("s")).is_err());
        }
        assert!(files.with_largest(100).read(&current.join("s")).is_ok());
    }

    #[test]
    fn reading_a_known_file_skips_checks_with_equal_results() {
        let (_folder, inside, outside) = tree();
        fs::write(inside.join("empty"), "").unwrap();
        fs::write(inside.join("long"), "x".repeat(100_000)).unwrap();
        symlink(outside.join("s"), inside.join("out")).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, inside.join("pipe"), rustix::fs::Mode::RWXU).unwrap();
        let files = Files::below([&inside]);
        for files in [files.clone(), files.at_one_moment(), files.with_largest(99_999), Files::anywhere()] {
            for name in ["g", "a/b/f", "empty", "long", "out", "pipe", "a", "missing"] {
                let read_again = |is_file: bool| {
                    let read = files.read_with_stat(&inside.join(name), is_file);
                    read.map_err(|error| (error.kind(), error.to_string()))
                };
                assert_eq!(read_again(true), read_again(false), "{name}");
                if let Ok((bytes, about)) = read_again(true) {
                    assert_eq!(bytes.len() as u64, about.len, "{name}");
                }
            }
        }
    }

    #[test]
    fn both_ways_of_opening_agree() {
        let (_folder, inside, outside) = tree();
        for (name, target) in [("u", "../out/s"), ("d", "a/b"), ("e", ".."), ("n", "nowhere"), ("s", "a/../g")] {
            symlink(target, inside.join(name)).unwrap();
        }
        symlink(&outside, inside.join("o")).unwrap();
        let names = ["g", "u", "d", "d/f", "e", "e/in/g", "n", "s", "o", "o/s", "a", "a/b/f", "missing", "g/x"];
        for name in names {
            let outcome = |found: io::Result<open::OpenOutcome>| match found {
                Ok(open::OpenOutcome::Is(_, about)) => Some((about.kind, about.inode)),
                Ok(open::OpenOutcome::LeadsOut | open::OpenOutcome::Irregular) | Err(_) => None,
            };
            let (fast, slow) = (
                Folder::open(&inside).and_then(|folder| folder.below(name.as_ref(), open::OpenPurpose::Content)),
                open::open_by_components(&inside, name.as_ref(), open::OpenPurpose::Content),
            );
            let may_differ = name == "e/in/g";
            // The kernel refuses a path that leaves the folder and comes back. By its names alone, the path stays
            // inside.
            assert!(may_differ || outcome(fast) == outcome(slow), "{name}");
        }
    }
}
