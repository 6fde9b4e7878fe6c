//! Private files and folders, and locks that the operating system releases when their process dies.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

/// Creates a private folder. An existing one must be private; `instead` names the environment variable for another
/// folder.
pub(crate) fn folder(path: &Path, instead: &str) -> Result<()> {
    match create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => check(path, instead),
        created => created,
    }
}

#[cfg(unix)]
fn create(path: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().mode(0o700).create(path)
}

#[cfg(windows)]
fn create(path: &Path) -> Result<()> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    super::windows::create_private_folder(path)
}

#[cfg(not(any(unix, windows)))]
fn create(path: &Path) -> Result<()> {
    std::fs::create_dir(path)
}

#[cfg(unix)]
fn check(path: &Path, instead: &str) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::symlink_metadata(path)?;
    let own = std::fs::metadata("/proc/self").map_or(data.uid(), |own| own.uid());
    if data.is_dir() && data.mode() & 0o077 == 0 && data.uid() == own {
        return Ok(());
    }
    let place = path.display();
    let message = format!("{place} is not a private folder of yours: remove it, or set {instead}");
    Err(std::io::Error::new(ErrorKind::PermissionDenied, message))
}

/// It is below the profile of the user, or where the user wants it. Only links are refused.
#[cfg(windows)]
fn check(path: &Path, instead: &str) -> Result<()> {
    if std::fs::symlink_metadata(path)?.is_dir() {
        return Ok(());
    }
    let message = format!("{} is not a folder: remove it, or set {instead}", path.display());
    Err(std::io::Error::new(ErrorKind::PermissionDenied, message))
}

#[cfg(not(any(unix, windows)))]
fn check(_: &Path, _: &str) -> Result<()> {
    Ok(())
}

/// Opens a file that is there to be locked.
pub(crate) fn lock_file(path: &Path) -> Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path)
}

/// Locks a file for this process. WebAssembly has no locks, and no other process that could hold one.
pub(crate) fn lock(file: &File) -> Result<()> {
    if cfg!(target_os = "wasi") { Ok(()) } else { file.lock() }
}

/// Returns the number of this process, for names that no other process chooses. WebAssembly has no other processes, and no number.
pub(crate) fn process_number() -> u32 {
    if cfg!(target_os = "wasi") { 1 } else { std::process::id() }
}

/// Creates a private file.
pub(crate) fn new_file(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // Its access control list is changed below.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::access_mode(&mut options, super::windows::CHANGEABLE);
    let file = options.open(path)?;
    #[cfg(windows)]
    super::windows::make_private(&file)?;
    Ok(file)
}

/// The user's folder for temporary files, if there is no better one.
#[cfg(not(windows))]
pub(crate) fn temporary(name: &str) -> PathBuf {
    // WASI knows of no such folder, and the standard library panics there.
    let folder = if cfg!(target_os = "wasi") { PathBuf::from("/tmp") } else { std::env::temp_dir() };
    folder.join(format!("{name}-{}", user()))
}

#[cfg(unix)]
fn user() -> String {
    // The owner of the process's own folder is the user that it runs for.
    let owner = std::fs::metadata("/proc/self").map(|data| std::os::unix::fs::MetadataExt::uid(&data).to_string());
    owner.unwrap_or_else(|_| std::env::var("USER").unwrap_or_default())
}

#[cfg(not(any(unix, windows)))]
fn user() -> String {
    std::env::var("USERNAME").unwrap_or_default()
}

/// A folder in the profile of the user, which others may not enter.
#[cfg(windows)]
pub(crate) fn temporary(name: &str) -> PathBuf {
    crate::places::state().unwrap_or_else(std::env::temp_dir).join(name)
}
