//! [`Session`]: a private folder for a file that is being edited.
//!
//! Plain text is only written to one folder of the user, which no other user can enter. Each run has its own folder in
//! it, and a lock next to that folder. It removes both at its end. The lock of a killed run is released, so the next
//! run removes its folder. Only input that could not be saved because the disk is full is kept and reported.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use crate::files::private;

/// The folder of one run.
pub(super) struct Session {
    folder: PathBuf,
    lock_path: PathBuf,
    /// Locked while the run lasts.
    _lock: File,
}

/// The variable that overrides the folder of sessions, for systems without a private folder of this kind.
pub(super) const PLACE: &str = "HIERATIC_PRIVATE_DIR";

/// The prefix of folders with kept input.
const KEPT: &str = "kept-";

fn is_kept(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(KEPT))
}

impl Session {
    /// Begins a session, and removes what runs that were killed have left.
    pub(super) fn begin() -> Result<Session> {
        let root = root();
        private::folder(&root, PLACE)?;
        // Starting or removing a session needs this lock, so that no running session counts as abandoned.
        let all = private::lock_file(&root.join("lock"))?;
        private::lock(&all)?;
        remove_left(&root)?;
        let name = (0..1000)
            .map(|number| format!("{}-{number}", private::process_number()))
            .find(|name| !root.join(name).exists() && !root.join(format!("{name}.lock")).exists())
            .ok_or_else(|| Error::new(ErrorKind::AlreadyExists, "there are too many sessions"))?;
        let lock_path = root.join(format!("{name}.lock"));
        let lock = private::lock_file(&lock_path)?;
        private::lock(&lock)?;
        let folder = root.join(name);
        let session = Session { folder, lock_path, _lock: lock };
        private::folder(&session.folder, PLACE)?;
        Ok(session)
    }

    /// Writes a file that only its owner may read.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<PathBuf> {
        let path = self.folder.join(name);
        private::new_file(&path)?.write_all(bytes)?;
        Ok(path)
    }

    /// Ends the session and keeps its folder, which no later run removes; gives back its new name. Renaming needs no room on a
    /// disk that is full.
    pub(super) fn keep(self) -> Result<PathBuf> {
        let name = self.folder.file_name().unwrap_or_default().to_string_lossy();
        let free = (0..1000).map(|number| self.folder.with_file_name(format!("{KEPT}{name}-{number}")));
        let kept = free.into_iter().find(|path| !path.exists()).ok_or(ErrorKind::AlreadyExists)?;
        std::fs::rename(&self.folder, &kept)?;
        Ok(kept)
    }

    /// Returns the input that earlier runs have kept because it could not be written.
    pub(super) fn kept(&self) -> Vec<PathBuf> {
        let entries = self.folder.parent().and_then(|root| std::fs::read_dir(root).ok());
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| is_kept(path)).collect()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // The next run removes files that cannot be removed now.
        let _ = remove(&self.folder);
        let _ = std::fs::remove_file(&self.lock_path);
    }
}

/// Returns the folder of all sessions of the user: in memory if the system has such a folder.
fn root() -> PathBuf {
    let named = std::env::var_os(PLACE).map(PathBuf::from);
    let runtime = || std::env::var_os("XDG_RUNTIME_DIR").map(|folder| Path::new(&folder).join("hieratic-secrets"));
    named.or_else(runtime).unwrap_or_else(|| private::temporary("hieratic-secrets"))
}

/// Removes the sessions whose locks are free.
fn remove_left(root: &Path) -> Result<()> {
    for entry in std::fs::read_dir(root)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "lock") {
            if private::lock_file(&path)?.try_lock().is_ok() {
                remove(&path.with_extension(""))?;
                std::fs::remove_file(&path)?;
            }
        } else if path.is_dir() && !is_kept(&path) && !path.with_extension("lock").exists() {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes the folder of a session, after overwriting its files.
fn remove(folder: &Path) -> Result<()> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    for entry in entries.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // Some file systems keep the old content nevertheless. The folder should be in memory.
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
