//! Files that cannot be read, with what to do about it, and writing files whole or not at all.

use std::io::{ErrorKind as IoErrorKind, Write};
use std::path::{Path, PathBuf};

use hieratic::{Error, ErrorKind};

use crate::documents;

/// What to do about a file or folder that cannot be read.
pub(crate) fn advice(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        IoErrorKind::NotFound => match nearest(path) {
            Some(near) => format!("did you mean '{}'?", near.display()),
            None => match std::env::current_dir() {
                Ok(here) if path.is_relative() => format!("name a file that is there, as seen from {}", here.display()),
                _ => "name a file that is there".to_owned(),
            },
        },
        IoErrorKind::PermissionDenied => {
            "ask its owner for leave to read it, or look at the permissions of its folders".to_owned()
        }
        IoErrorKind::IsADirectory => "this is a folder: name a file in it".to_owned(),
        _ => "name a file that can be read".to_owned(),
    }
}

/// The error of a file or folder that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Fatal, "unreadable", format!("{} cannot be read: {error}", path.display()))
        .help(advice(path, error))
}

/// How many names of a folder are looked at for one that was meant.
const MOST_NAMES: usize = 10_000;

/// What is in the same folder under the name that is nearest.
fn nearest(path: &Path) -> Option<PathBuf> {
    let meant = path.file_name()?.to_str()?;
    let entries = std::fs::read_dir(documents::folder(path)).ok()?.take(MOST_NAMES);
    let names: Vec<String> = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    hieratic_diagnostics::nearest(meant, names.iter().map(String::as_str)).map(|name| path.with_file_name(name))
}

/// Who may read a new file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Its owner alone.
    Private,
    /// Whoever the user's mask lets.
    Shared,
}

/// Replaces a file whole or not at all: written beside it, flushed to the disk, renamed over it. A link stays a link;
/// permissions and owner stay.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let path = path.canonicalize()?;
    let before = std::fs::metadata(&path)?;
    let folder = documents::folder(&path);
    let mut new = tempfile::Builder::new().prefix(".hieratic-").tempfile_in(&folder)?;
    new.write_all(bytes)?;
    keep_owner(new.as_file(), &before)?;
    new.as_file().set_permissions(before.permissions())?;
    new.as_file().sync_all()?;
    new.persist(&path).map_err(|error| error.error)?;
    flush(&folder);
    Ok(())
}

/// Makes a file that was not there, or takes the place of one, whole or not at all.
pub(crate) fn create(path: &Path, bytes: &[u8], mode: Mode) -> std::io::Result<()> {
    let folder = documents::folder(path);
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hieratic-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let bits = if mode == Mode::Private { 0o600 } else { 0o666 };
        builder.permissions(std::fs::Permissions::from_mode(bits));
    }
    #[cfg(not(unix))]
    let _ = mode;
    let mut new = builder.tempfile_in(&folder)?;
    new.write_all(bytes)?;
    new.as_file().sync_all()?;
    new.persist(path).map_err(|error| error.error)?;
    flush(&folder);
    Ok(())
}

/// Gives the new file the owner and group of the old one, where they are others.
#[cfg(unix)]
fn keep_owner(new: &std::fs::File, before: &std::fs::Metadata) -> std::io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = new.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(new, Some(before.uid()), Some(before.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &std::fs::File, _: &std::fs::Metadata) -> std::io::Result<()> {
    Ok(())
}

/// A new name is on the disk once the folder is; some systems cannot flush folders.
fn flush(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
