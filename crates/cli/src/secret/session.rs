//! [`Session`]: a private place for a file that is being edited.
//!
//! Plain text lies only in one folder of the user's, which nobody else can enter. Each run has a folder of its own there, and
//! holds a lock beside it; when it ends, it removes both. A run that was killed cannot, but its lock is gone with it: the
//! next run sees that and removes what is left.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// The folder of one run.
pub(super) struct Session {
    folder: PathBuf,
    lock_path: PathBuf,
    /// Held as long as the run goes on.
    _lock: File,
}

/// The variable that names another place for the folder of sessions, for systems whose folders for such are not private.
pub(super) const PLACE: &str = "HIERATIC_PRIVATE_DIR";

impl Session {
    /// Begins a session, and removes what runs that were killed have left.
    pub(super) fn begin() -> Result<Session> {
        let root = root();
        private_folder(&root)?;
        // Whoever begins or removes a session holds this lock, so that no session is taken for one that was left.
        let all = lock_file(&root.join("lock"))?;
        all.lock()?;
        remove_left(&root)?;
        let name = (0..1000)
            .map(|number| format!("{}-{number}", std::process::id()))
            .find(|name| !root.join(name).exists() && !root.join(format!("{name}.lock")).exists())
            .ok_or_else(|| Error::new(ErrorKind::AlreadyExists, "there are too many sessions"))?;
        let lock_path = root.join(format!("{name}.lock"));
        let lock = lock_file(&lock_path)?;
        lock.lock()?;
        let folder = root.join(name);
        let session = Session { folder, lock_path, _lock: lock };
        private_folder(&session.folder)?;
        Ok(session)
    }

    /// Writes a file that only its owner may read.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.folder.join(name);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?.write_all(bytes)?;
        Ok(path)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // What cannot be removed now, the next run removes.
        let _ = remove(&self.folder);
        let _ = std::fs::remove_file(&self.lock_path);
    }
}

/// The folder of all sessions of the user: in memory where the system has such a place.
fn root() -> PathBuf {
    let named = std::env::var_os(PLACE).map(PathBuf::from);
    let runtime = || std::env::var_os("XDG_RUNTIME_DIR").map(|folder| Path::new(&folder).join("hieratic-secrets"));
    named.or_else(runtime).unwrap_or_else(|| std::env::temp_dir().join(format!("hieratic-secrets-{}", user())))
}

#[cfg(unix)]
fn user() -> String {
    // The owner of the process's own folder is the user that it runs for.
    let owner = std::fs::metadata("/proc/self").map(|data| std::os::unix::fs::MetadataExt::uid(&data).to_string());
    owner.unwrap_or_else(|_| std::env::var("USER").unwrap_or_default())
}

#[cfg(not(unix))]
fn user() -> String {
    std::env::var("USERNAME").unwrap_or_default()
}

/// Makes a folder that only its owner may enter; one that is there has to be such.
fn private_folder(path: &Path) -> Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => check_private(path),
        made => made,
    }
}

#[cfg(unix)]
fn check_private(path: &Path) -> Result<()> {
    use std::os::unix::fs::MetadataExt;
    let data = std::fs::symlink_metadata(path)?;
    let own = std::fs::metadata("/proc/self").map_or(data.uid(), |own| own.uid());
    if data.is_dir() && data.mode() & 0o077 == 0 && data.uid() == own {
        return Ok(());
    }
    let message =
        format!("{} is no folder that only you may enter: remove it, or name another with {PLACE}", path.display());
    Err(Error::new(ErrorKind::PermissionDenied, message))
}

#[cfg(not(unix))]
fn check_private(_: &Path) -> Result<()> {
    Ok(())
}

fn lock_file(path: &Path) -> Result<File> {
    OpenOptions::new().write(true).create(true).truncate(false).open(path)
}

/// Removes the sessions whose locks nobody holds.
fn remove_left(root: &Path) -> Result<()> {
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "lock") {
            if lock_file(&path)?.try_lock().is_ok() {
                remove(&path.with_extension(""))?;
                std::fs::remove_file(&path)?;
            }
        } else if path.is_dir() && !path.with_extension("lock").exists() {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes a folder of a session, after what is in its files was written over.
fn remove(folder: &Path) -> Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Some file systems keep what was there all the same; the folder is best in memory.
            let _ = overwrite(&entry.path());
        }
    }
    std::fs::remove_dir_all(folder)
}

fn overwrite(path: &Path) -> Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    let length = file.metadata()?.len();
    std::io::copy(&mut std::io::Read::take(std::io::repeat(0), length), &mut file)?;
    file.sync_data()
}
