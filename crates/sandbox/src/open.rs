//! Race-free opening: the file that is checked is the file that is read (no TOCTOU).

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::files::{DirEntry, FileKind, Stat};
use crate::real;

/// The purpose for which a file is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OpenPurpose {
    /// Its bytes.
    Content,
    /// Its bytes, and it was a regular file just before.
    ContentOfFile,
    /// Its metadata only.
    Metadata,
    /// If it is a folder, its names.
    Names,
}

/// The outcome of opening a path below a folder.
pub(crate) enum OpenOutcome {
    /// It is there.
    Is(fs::File, Stat),
    /// A link leads out of the folder, or may do so.
    LeadsOut,
    /// It is neither a regular file nor a folder, or made up by the kernel.
    Irregular,
}

/// The entry of a name, no link followed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum NamedEntry {
    /// A file, a folder, or something else.
    Is(Stat),
    /// A link, and where it leads as written.
    Link(PathBuf),
}

/// A folder below which files are opened; links are followed as long as they stay below it.
#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    #[cfg(target_os = "linux")]
    opened: std::os::fd::OwnedFd,
    /// The number of its file system if that is known to be one of a disk. As long as the folder is open, no other can have the number.
    #[cfg(target_os = "linux")]
    disk: Option<u64>,
}

#[cfg(target_os = "linux")]
impl Folder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        use rustix::fs::{CWD, Mode, OFlags, openat};
        let opened = openat(CWD, path, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Folder { path: path.to_owned(), opened, disk: None })
    }

    /// Like [`open`](Self::open), for many reads: the file system is checked once instead of once for each file.
    pub(crate) fn open_for_many(path: &Path) -> io::Result<Folder> {
        let folder = Folder::open(path)?;
        let disk = rustix::fs::fstat(&folder.opened)?.st_dev;
        let disk = (!is_virtual(&folder.opened)).then_some(disk);
        Ok(Folder { disk, ..folder })
    }

    /// The entry of a name below the folder, if no folder on the way is a link. If the name itself is a link, returns
    /// its target.
    pub(crate) fn named(&self, name: &Path) -> io::Result<NamedEntry> {
        use rustix::fs::{OFlags, readlinkat};
        use rustix::io::Errno;

        let known = match self.without_links(name, OFlags::PATH | OFlags::NOFOLLOW) {
            Ok(known) => known,
            Err(Errno::NOSYS | Errno::PERM) => return entry_by_components(&self.path, name),
            // A folder on the way is a link, or the root of another one.
            Err(Errno::LOOP | Errno::XDEV) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(error) => return Err(error.into()),
        };
        let about = Stat::from_metadata(&known.metadata()?);
        if about.kind != FileKind::Link {
            return Ok(NamedEntry::Is(about));
        }
        let target = readlinkat(&known, "", Vec::new())?.into_bytes();
        Ok(NamedEntry::Link(PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(target))))
    }

    /// Opens a regular file or a folder below the folder; neither the name nor a folder on the way is a link.
    pub(crate) fn plainly(&self, name: &Path, purpose: OpenPurpose) -> io::Result<OpenOutcome> {
        use rustix::fs::OFlags;
        use rustix::io::Errno;

        let kind = match self.named(name)? {
            NamedEntry::Is(about) => about.kind,
            NamedEntry::Link(_) => FileKind::Link,
        };
        let flags = match (purpose, kind) {
            (OpenPurpose::Names, FileKind::Folder) => OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW,
            (OpenPurpose::Names, _) => return Err(io::ErrorKind::NotADirectory.into()),
            (_, FileKind::File) => OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW,
            (_, FileKind::Folder) => return Err(io::ErrorKind::IsADirectory.into()),
            (_, FileKind::Link | FileKind::Other) => return Ok(OpenOutcome::Irregular),
        };
        match self.without_links(name, flags) {
            Ok(file) => accept_regular(file, self.disk),
            Err(Errno::NOSYS | Errno::PERM) => open_by_components(&self.path, name, purpose),
            // It was exchanged since.
            Err(Errno::LOOP | Errno::XDEV) => Ok(OpenOutcome::Irregular),
            Err(error) => Err(error.into()),
        }
    }

    fn without_links(&self, name: &Path, flags: rustix::fs::OFlags) -> rustix::io::Result<fs::File> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        let name = if name.as_os_str().is_empty() { Path::new(".") } else { name };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | ResolveFlags::NO_SYMLINKS;
        openat2(&self.opened, name, flags | OFlags::CLOEXEC, Mode::empty(), resolve).map(fs::File::from)
    }

    /// Opens the entry with a name below the folder. The name has no `..`.
    pub(crate) fn below(&self, name: &Path, purpose: OpenPurpose) -> io::Result<OpenOutcome> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        use rustix::io::Errno;

        let name = if name.as_os_str().is_empty() { Path::new(".") } else { name };
        let inside = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let open = |flags| match openat2(&self.opened, name, flags | OFlags::CLOEXEC, Mode::empty(), inside) {
            Ok(file) => Ok(Some(fs::File::from(file))),
            Err(Errno::XDEV | Errno::LOOP) => Ok(None),
            Err(error) => Err(error),
        };
        let content = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY;
        if purpose == OpenPurpose::Names {
            // Only folders are opened, so that the kind need not be checked before.
            match open(OFlags::RDONLY | OFlags::DIRECTORY) {
                Ok(Some(folder)) => return accept_regular(folder, self.disk),
                Ok(None) => return Ok(OpenOutcome::LeadsOut),
                // A file, which is reported as such, or a call that is not there.
                Err(Errno::NOTDIR | Errno::NOSYS | Errno::PERM) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let flags = if purpose == OpenPurpose::ContentOfFile {
            content
        } else {
            // The kind is checked before the file is opened: opening a device may have side effects.
            let known = match open(OFlags::PATH) {
                Ok(Some(known)) => known,
                Ok(None) => return Ok(OpenOutcome::LeadsOut),
                // An old kernel, or a sandbox that does not know the call.
                Err(Errno::NOSYS | Errno::PERM) => return open_by_components(&self.path, name, purpose),
                Err(error) => return Err(error.into()),
            };
            let about = Stat::from_metadata(&known.metadata()?);
            match (purpose, about.kind) {
                (OpenPurpose::Content, FileKind::File) => content,
                (OpenPurpose::Names, FileKind::Folder) => OFlags::RDONLY | OFlags::DIRECTORY,
                (OpenPurpose::Content, FileKind::Link | FileKind::Other) => return Ok(OpenOutcome::Irregular),
                _ => return Ok(OpenOutcome::Is(known, about)),
            }
        };
        match open(flags) {
            Ok(Some(file)) => accept_regular(file, self.disk),
            Ok(None) => Ok(OpenOutcome::LeadsOut),
            Err(Errno::NOSYS | Errno::PERM) => open_by_components(&self.path, name, purpose),
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Folder {
    pub(crate) fn open(path: &Path) -> io::Result<Folder> {
        Ok(Folder { path: path.to_owned() })
    }

    pub(crate) fn open_for_many(path: &Path) -> io::Result<Folder> {
        Folder::open(path)
    }

    pub(crate) fn below(&self, name: &Path, purpose: OpenPurpose) -> io::Result<OpenOutcome> {
        open_by_components(&self.path, name, purpose)
    }

    pub(crate) fn named(&self, name: &Path) -> io::Result<NamedEntry> {
        entry_by_components(&self.path, name)
    }

    pub(crate) fn plainly(&self, name: &Path, purpose: OpenPurpose) -> io::Result<OpenOutcome> {
        match self.named(name)? {
            NamedEntry::Is(about) if purpose == OpenPurpose::Names && about.kind != FileKind::Folder => {
                Err(io::ErrorKind::NotADirectory.into())
            }
            NamedEntry::Is(about) if purpose != OpenPurpose::Names && about.kind == FileKind::Folder => {
                Err(io::ErrorKind::IsADirectory.into())
            }
            NamedEntry::Is(_) => open_by_components(&self.path, name, purpose),
            NamedEntry::Link(_) => Ok(OpenOutcome::Irregular),
        }
    }
}

/// Like [`Folder::named`], component by component, for systems without `openat2`: no folder on the way is a link.
pub(crate) fn entry_by_components(folder: &Path, name: &Path) -> io::Result<NamedEntry> {
    let mut whole = folder.to_owned();
    let mut about = fs::metadata(&whole)?;
    for part in name.components() {
        if !about.is_dir() {
            return Err(io::ErrorKind::NotADirectory.into());
        }
        let std::path::Component::Normal(part) = part else { return Err(io::ErrorKind::NotFound.into()) };
        whole.push(part);
        about = fs::symlink_metadata(&whole)?;
    }
    if about.is_symlink() {
        return fs::read_link(&whole).map(NamedEntry::Link);
    }
    Ok(NamedEntry::Is(Stat::from_metadata(&about)))
}

/// Like [`Folder::below`], for systems that cannot confine a path: the links are resolved first, and the path of the opened file is checked
/// where it is, so that a link that takes the place of a folder meanwhile leads nowhere.
pub(crate) fn open_by_components(folder: &Path, rest: &Path, purpose: OpenPurpose) -> io::Result<OpenOutcome> {
    let folder = real::path(folder)?;
    if leads_to_host(&folder, rest) {
        return Ok(OpenOutcome::LeadsOut);
    }
    let real = real::path(folder.join(rest))?;
    if !real.starts_with(&folder) {
        return Ok(OpenOutcome::LeadsOut);
    }
    let Some((file, about)) = open_anywhere(&real, purpose, false)? else { return Ok(OpenOutcome::Irregular) };
    if path_of(&file)?.is_some_and(|now| !now.starts_with(&folder)) {
        return Ok(OpenOutcome::LeadsOut);
    }
    Ok(OpenOutcome::Is(file, about))
}

/// The path that an opened file has, all links followed. Returns `None` if the system does not report it.
#[cfg(windows)]
fn path_of(file: &fs::File) -> io::Result<Option<PathBuf>> {
    crate::windows::path_of(file).map(Some)
}

#[cfg(target_vendor = "apple")]
fn path_of(file: &fs::File) -> io::Result<Option<PathBuf>> {
    let path = rustix::fs::getpath(file)?.into_bytes();
    Ok(Some(PathBuf::from(<std::ffi::OsString as std::os::unix::ffi::OsStringExt>::from_vec(path))))
}

#[cfg(not(any(windows, target_vendor = "apple")))]
fn path_of(_: &fs::File) -> io::Result<Option<PathBuf>> {
    Ok(None)
}

/// Returns whether a name below a folder leads to a device or to another machine, which would learn the name of the user. So no
/// link is followed before its target is known. On other systems, a path names neither.
pub(crate) fn leads_to_host(folder: &Path, name: &Path) -> bool {
    if cfg!(not(windows)) {
        return false;
    }
    let parts =
        |path: &Path| -> Vec<PathBuf> { path.components().rev().map(|part| PathBuf::from(part.as_os_str())).collect() };
    let (mut whole, mut pending, mut links) = (folder.to_owned(), parts(name), 0);
    while let Some(part) = pending.pop() {
        if part.as_os_str() == ".." {
            whole.pop();
            continue;
        }
        whole.push(&part);
        if names_host(&part) {
            return true;
        }
        // Only links matter here: a missing or forbidden folder fails when it is opened.
        if !whole.is_symlink() {
            continue;
        }
        links += 1;
        match fs::read_link(&whole) {
            Ok(target) if links <= crate::mount::MAX_LINKS => {
                whole.pop();
                pending.extend(parts(&target));
            }
            _ => return true,
        }
    }
    false
}

/// Returns whether a path begins with a device or another machine (`\\.\pipe`, `\\server\share`), as only paths of Windows do.
pub(crate) fn names_host(path: &Path) -> bool {
    use std::path::{Component, Prefix};
    match path.components().next() {
        Some(Component::Prefix(prefix)) => !matches!(prefix.kind(), Prefix::Disk(_) | Prefix::VerbatimDisk(_)),
        _ => false,
    }
}

/// Opens a file anywhere. Returns `None` if it is neither a regular file nor a folder. `pipes` allows pipes and
/// terminals as well.
pub(crate) fn open_anywhere(path: &Path, purpose: OpenPurpose, pipes: bool) -> io::Result<Option<(fs::File, Stat)>> {
    let about = Stat::from_metadata(&fs::metadata(path)?);
    if pipes && about.kind == FileKind::Other {
        return Ok(Some((fs::File::open(path)?, about)));
    }
    if about.kind == FileKind::Other && matches!(purpose, OpenPurpose::Content | OpenPurpose::ContentOfFile) {
        return Ok(None);
    }
    let file = match about.kind {
        FileKind::File => without_waiting(path)?,
        _ => open_folder(path)?,
    };
    Ok(match accept_regular(file, None)? {
        OpenOutcome::Is(file, about) => Some((file, about)),
        OpenOutcome::LeadsOut | OpenOutcome::Irregular => None,
    })
}

/// Opens a file without blocking: it may have been replaced by a pipe without a writer since it was checked.
#[cfg(unix)]
fn without_waiting(path: &Path) -> io::Result<fs::File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(fs::File::from(openat(CWD, path, flags, Mode::empty())?))
}

#[cfg(not(unix))]
fn without_waiting(path: &Path) -> io::Result<fs::File> {
    // It may have become a folder.
    open_folder(path)
}

/// Opens a path that may be a folder.
#[cfg(not(windows))]
fn open_folder(path: &Path) -> io::Result<fs::File> {
    fs::File::open(path)
}

/// Opens a path that may be a folder, which Windows opens only with a flag.
#[cfg(windows)]
fn open_folder(path: &Path) -> io::Result<fs::File> {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_BACKUP_SEMANTICS;
    fs::File::options().read(true).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

/// Accepts an opened file if it is a folder or a regular file on a disk. `disk` is the number of a known file system on
/// a disk.
fn accept_regular(file: fs::File, disk: Option<u64>) -> io::Result<OpenOutcome> {
    let about = Stat::from_metadata(&file.metadata()?);
    let is_sound = match about.kind {
        FileKind::Folder => true,
        FileKind::File => disk == Some(about.device) || !is_virtual(&file),
        FileKind::Link | FileKind::Other => false,
    };
    Ok(if is_sound { OpenOutcome::Is(file, about) } else { OpenOutcome::Irregular })
}

/// Returns whether the file is virtual, like those in `/proc` and `/sys`: such files describe the process and the
/// machine, and some never end.
#[cfg(target_os = "linux")]
fn is_virtual(file: impl std::os::fd::AsFd) -> bool {
    /// The file systems that hold no data, as `statfs(2)` numbers them: proc, sysfs, debugfs, tracefs, cgroup and cgroup2,
    /// securityfs, bpf, efivarfs, selinux.
    const VIRTUAL: [u64; 10] = [
        0x9fa0,
        0x6265_6572,
        0x6462_6720,
        0x7472_6163,
        0x0027_e0eb,
        0x6367_7270,
        0x7363_6673,
        0xcafe_4a11,
        0xde5e_81e4,
        0xf97c_ff8c,
    ];
    rustix::fs::fstatfs(file).is_ok_and(|about| VIRTUAL.contains(&((about.f_type as u64) & 0xffff_ffff)))
}

#[cfg(not(target_os = "linux"))]
fn is_virtual(_: &fs::File) -> bool {
    false
}

/// The names in a folder.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) entries: Vec<DirEntry>,
    /// The names that are not Unicode, escaped. Files with such names cannot be read.
    pub(crate) unnamed: Vec<String>,
}

/// The bytes for which the system is asked at once: some hundred names.
#[cfg(target_os = "linux")]
const LISTING_BUFFER: usize = 16 << 10;

/// Lists a folder that was just opened: the names and their kinds.
#[cfg(target_os = "linux")]
pub(crate) fn names(folder: &fs::File, _: &Path) -> io::Result<Listing> {
    use rustix::fs::{AtFlags, FileType, RawDir, statat};
    let mut found = Listing::default();
    let mut buffer = Vec::with_capacity(LISTING_BUFFER);
    // Not `Dir`, which opens the folder once more.
    let mut entries = RawDir::new(folder, buffer.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        let Ok(name) = entry.file_name().to_str() else {
            found.unnamed.push(entry.file_name().to_bytes().escape_ascii().to_string());
            continue;
        };
        if matches!(name, "." | "..") {
            continue;
        }
        let kind = match entry.file_type() {
            // Some file systems do not say it here.
            FileType::Unknown => statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |about| FileType::from_raw_mode(about.st_mode)),
            known => known,
        };
        let kind = match kind {
            FileType::RegularFile => FileKind::File,
            FileType::Directory => FileKind::Folder,
            FileType::Symlink => FileKind::Link,
            _ => FileKind::Other,
        };
        found.entries.push(DirEntry { name: name.to_owned(), kind });
    }
    Ok(found)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn names(_: &fs::File, path: &Path) -> io::Result<Listing> {
    let mut found = Listing::default();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        match entry.file_name().into_string() {
            Ok(name) => found.entries.push(DirEntry { name, kind: FileKind::from_file_type(entry.file_type()?) }),
            Err(name) => found.unnamed.push(name.as_encoded_bytes().escape_ascii().to_string()),
        }
    }
    Ok(found)
}

/// Waits until a truncation of the file in progress has ended.
pub(crate) fn wait_for_changes(file: &fs::File) {
    #[cfg(target_os = "linux")]
    {
        // Only the wait matters, not the result.
        let _ = rustix::fs::seek(file, rustix::fs::SeekFrom::Data(0));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = file;
}
