//! [`Claim`]: an exclusive lock on a file before its replacement.
//!
//! The lock is on the inode and not on the name. The operating system releases it when the process dies. A rename gives
//! the name to another file, so a run that has waited for the lock of the old file opens the path again.

use std::fmt;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use hieratic::{Error, Permissions};
use zeroize::Zeroizing;

use crate::codes;
use crate::documents;
use crate::report::Reporter;

/// The maximum number of times that a file is opened again because it was replaced between two checks.
const MOST_TRIES: usize = 100;

/// A file that no other run replaces meanwhile, or a free name.
#[derive(Debug)]
pub(crate) struct Claim {
    /// The path as it was named.
    pub(super) shown: PathBuf,
    /// With links followed.
    pub(super) path: PathBuf,
    pub(super) locked: Option<LockedFile>,
}

/// A file that is there.
#[derive(Debug)]
pub(super) struct LockedFile {
    /// The file, locked; `None` once it was released.
    file: Mutex<Option<File>>,
    pub(super) before: Zeroizing<Vec<u8>>,
}

/// The reason why a file is not replaced.
#[derive(Debug)]
pub(crate) struct WriteError {
    pub(crate) message: String,
    pub(crate) help: String,
    /// Whether another process has changed the file meanwhile.
    pub(crate) is_conflict: bool,
}

impl From<WriteError> for Error {
    fn from(refusal: WriteError) -> Error {
        Error::new(hieratic::ErrorKind::Fatal, codes::UNWRITABLE, refusal.message).help(refusal.help)
    }
}

impl WriteError {
    pub(super) fn new(message: String, help: &str) -> WriteError {
        WriteError { message, help: help.to_owned(), is_conflict: false }
    }

    pub(super) fn unwritable(path: &Path, error: &dyn fmt::Display) -> WriteError {
        WriteError::new(format!("{} cannot be written: {error}", path.display()), "the file was not changed")
    }
}

impl Claim {
    /// Claims a file, after the recovery of interrupted runs.
    ///
    /// # Errors
    /// Another process holds the file, or it cannot be replaced without loss.
    pub(crate) fn acquire(path: &Path, reporter: &Reporter) -> Result<Claim, WriteError> {
        super::recovery::recover(reporter);
        // A link in a repository could lead to any file of the user.
        if Permissions::default().files_named(path).leads_out(path) {
            let message = format!("{} was not written: a link leads out of the repository", path.display());
            return Err(WriteError::new(message, "name the file itself"));
        }
        let failed = |error: std::io::Error| WriteError::unwritable(path, &error);
        for _ in 0..MOST_TRIES {
            let whole = match hieratic::sandbox::real_path(path) {
                Ok(whole) => whole,
                Err(error) if error.kind() == ErrorKind::NotFound && path.symlink_metadata().is_err() => {
                    return Claim::of_new(path).map_err(failed);
                }
                Err(error) => return Err(failed(error)),
            };
            if !std::fs::metadata(&whole).map_err(failed)?.is_file() {
                let help = "name a regular file";
                return Err(WriteError::new(
                    format!("{} cannot be written: it is not a regular file", path.display()),
                    help,
                ));
            }
            let file = match File::open(&whole) {
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                opened => opened.map_err(failed)?,
            };
            lock(&file, path)?;
            // The file may have been replaced between opening and locking.
            if !is_at(&file, &whole) {
                continue;
            }
            check_links(&file, path).map_err(failed)??;
            let mut claim = Claim { shown: path.to_owned(), path: whole, locked: None };
            let mut before = Zeroizing::new(Vec::new());
            (&file).read_to_end(&mut before).map_err(failed)?;
            claim.locked = Some(LockedFile { file: Mutex::new(Some(file)), before });
            return Ok(claim);
        }
        Err(WriteError::new(
            format!("{} keeps being replaced by other processes", path.display()),
            "wait until they finish, then run the command again",
        ))
    }

    fn of_new(path: &Path) -> std::io::Result<Claim> {
        let name = path.file_name().ok_or(ErrorKind::InvalidInput)?;
        let whole = hieratic::sandbox::real_path(&documents::folder(path))?.join(name);
        Ok(Claim { shown: path.to_owned(), path: whole, locked: None })
    }

    /// The content of the file when it was claimed; `None` if it did not exist.
    pub(crate) fn before(&self) -> Option<&[u8]> {
        self.locked.as_ref().map(|lock| lock.before.as_slice())
    }

    /// Returns whether the name still refers to the claimed file.
    pub(super) fn is_unchanged(&self) -> bool {
        let Some(lock) = &self.locked else { return self.path.symlink_metadata().is_err() };
        lock.is_at(&self.path) && lock.has_its_bytes()
    }
}

impl LockedFile {
    /// Calls a function with the file. Returns `None` if the file was released.
    pub(super) fn with<T>(&self, call: impl FnOnce(&mut File) -> T) -> Option<T> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(call)
    }

    /// Closes the file and releases its lock, for systems that replace no open file.
    pub(super) fn release(&self) {
        *self.file.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns whether a path leads to the file.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        self.with(|file| is_at(file, path)) == Some(true)
    }

    /// Returns whether the file still has the same content, regardless of its current name.
    pub(super) fn has_its_bytes(&self) -> bool {
        let mut now = Zeroizing::new(Vec::new());
        let read = self.with(|file| file.rewind().is_ok() && file.read_to_end(&mut now).is_ok());
        read == Some(true) && now == self.before
    }
}

/// Locks a file for this process.
fn lock(file: &File, path: &Path) -> Result<(), WriteError> {
    match try_lock(file) {
        Err(std::fs::TryLockError::WouldBlock) => {
            let holder =
                holder(file).map_or("another process".to_owned(), |(id, name)| format!("process {id} ({name})"));
            Err(WriteError::new(
                format!("{} is being changed by {holder}", path.display()),
                "wait until it finishes, then run the command again",
            ))
        }
        // Without support for locks, the content is still compared before the replacement.
        Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(()),
    }
}

/// Locks a file for this process, if no other one has locked it.
#[cfg(not(windows))]
pub(super) fn try_lock(file: &File) -> Result<(), std::fs::TryLockError> {
    file.try_lock()
}

#[cfg(windows)]
pub(super) use super::windows::try_lock;

/// Returns whether a path leads to this file.
#[cfg(unix)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::io::Result<std::fs::Metadata>| data.ok().map(|data| (data.dev(), data.ino()));
    let open = identity(file.metadata());
    open.is_some() && open == identity(path.symlink_metadata())
}

#[cfg(not(any(unix, windows)))]
pub(super) fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(windows)]
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::windows::fs::OpenOptionsExt;
    use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_BACKUP_SEMANTICS, FILE_FLAG_OPEN_REPARSE_POINT};
    let identity = |file: &File| {
        let about = winapi_util::file::information(file).ok()?;
        Some((about.volume_serial_number(), about.file_index()))
    };
    let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    let named = File::options().access_mode(0).custom_flags(flags).open(path).ok();
    let open = identity(file);
    open.is_some() && open == named.as_ref().and_then(identity)
}

/// Rejects a file with several hard links: a rename would separate them, and writing in place could be interrupted.
fn check_links(file: &File, path: &Path) -> std::io::Result<Result<(), WriteError>> {
    let links = count_links(file)?;
    if links <= 1 {
        return Ok(Ok(()));
    }
    let message = format!(
        "{} has {links} hard links and was not changed: replacing it would separate this name from the others",
        path.display()
    );
    let help = "copy the file and rename the copy to this name, or use symbolic links instead";
    Ok(Err(WriteError::new(message, help)))
}

#[cfg(unix)]
fn count_links(file: &File) -> std::io::Result<u64> {
    Ok(std::os::unix::fs::MetadataExt::nlink(&file.metadata()?))
}

#[cfg(not(any(unix, windows)))]
fn count_links(_: &File) -> std::io::Result<u64> {
    Ok(1)
}

#[cfg(windows)]
fn count_links(file: &File) -> std::io::Result<u64> {
    Ok(winapi_util::file::information(file)?.number_of_links())
}

/// The process that holds the lock of a file, with its name, if the operating system reports it.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<(u32, String)> {
    use std::os::unix::fs::MetadataExt;
    let data = file.metadata().ok()?;
    let (major, minor) = (rustix::fs::major(data.dev()), rustix::fs::minor(data.dev()));
    let identity = format!("{major:02x}:{minor:02x}:{}", data.ino());
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let id: u32 = locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_it = words.get(1) == Some(&"FLOCK") && words.get(5) == Some(&identity.as_str());
        is_it.then(|| words.get(4)?.parse().ok()).flatten()
    })?;
    let name = std::fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
    Some((id, name.trim_end().to_owned()))
}

#[cfg(not(target_os = "linux"))]
fn holder(_: &File) -> Option<(u32, String)> {
    None
}
