//! Writing files whole or not at all.

use std::io::Write;
use std::path::Path;

use crate::documents;

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
