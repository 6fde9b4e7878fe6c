//! Help for unreadable files, and the replacement of files: a file is locked ([`Claim`]), then replaced, alone or
//! atomically with others ([`replace`](replace())).

mod attributes;
mod claim;
pub(crate) mod interrupted;
mod journal;
pub(crate) mod private;
mod recovery;
mod replace;
mod resumable;
#[cfg(test)]
mod tests;
mod whole;
#[cfg(windows)]
mod windows;

use std::io::ErrorKind as IoErrorKind;
use std::path::{Path, PathBuf};

pub(crate) use claim::{Claim, WriteError};
pub(crate) use recovery::recover;
pub(crate) use replace::{Change, replace};
pub(crate) use resumable::{ResumableFile, RunParameters, folder_of};
pub(crate) use whole::whole;

use hieratic::sandbox::{Denied, DirEntry, FileKind, Files};
use hieratic::{Error, ErrorKind, Permissions};
use hieratic_lint::rules;

use crate::documents;

/// The help for a file or folder that cannot be read.
pub(crate) fn advice(path: &Path, error: &std::io::Error) -> String {
    if let Some(denied) = Denied::from_error(error) {
        return denied.help();
    }
    match error.kind() {
        IoErrorKind::NotFound => match nearest(path) {
            Some(near) => format!("did you mean '{}'?", near.display()),
            None => match std::env::current_dir() {
                Ok(here) if path.is_relative() => {
                    format!("check the file name, which is relative to {}", here.display())
                }
                _ => "check the file name: no such file".to_owned(),
            },
        },
        IoErrorKind::PermissionDenied => {
            "ask its owner for read permission, or check the permissions of its folders".to_owned()
        }
        IoErrorKind::IsADirectory => "this is a folder: name a file in it".to_owned(),
        _ => "name a file that can be read".to_owned(),
    }
}

/// The help for a file that cannot be written.
pub(crate) fn advice_to_write(path: &Path, error: &std::io::Error) -> String {
    match error.kind() {
        IoErrorKind::StorageFull | IoErrorKind::QuotaExceeded => {
            "free disk space or choose another disk; the partial file was removed".to_owned()
        }
        IoErrorKind::ReadOnlyFilesystem => "choose a writable disk".to_owned(),
        IoErrorKind::NotFound => "create its folder first, or name a file in one that exists".to_owned(),
        IoErrorKind::PermissionDenied => "check the permissions of its folder".to_owned(),
        _ => advice(path, error),
    }
}

/// The error of a file or folder that cannot be read.
pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Fatal, rules::UNREADABLE.code, format!("{} cannot be read: {error}", path.display()))
        .help(advice(path, error))
}

/// Removes an empty file. A file with content remains.
pub(crate) fn remove_empty(path: &Path) -> std::io::Result<()> {
    match std::fs::symlink_metadata(path)? {
        found if found.is_file() && found.len() == 0 => std::fs::remove_file(path),
        _ => Ok(()),
    }
}

/// The bytes of a file that a flag names; a link that leads out of the file's repository is refused.
pub(crate) fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    Permissions::default().files_named(path).read(path)
}

/// Reads a file as a string.
pub(crate) fn read_text(path: &Path) -> std::io::Result<String> {
    Permissions::default().files_named(path).read_text(path)
}

/// The maximum nesting depth of folders.
pub(crate) const MAX_DEPTH: usize = 64;

/// The files below a folder, down to the given depth, sorted by name. Rejected files are left out, and rejected folders
/// with their content; links are not followed.
pub(crate) fn below(
    folder: &Path,
    files: &Files,
    depth: usize,
    is_selected: &dyn Fn(&DirEntry, &Path) -> bool,
) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in files.list(folder).unwrap_or_default() {
        let path = folder.join(&entry.name);
        match entry.kind {
            FileKind::Folder if depth > 0 && is_selected(&entry, &path) => {
                found.extend(below(&path, files, depth - 1, is_selected))
            }
            FileKind::File if is_selected(&entry, &path) => found.push(path),
            _ => {}
        }
    }
    found
}

/// The maximum number of names of a folder that are compared with a misspelled one.
const MOST_NAMES: usize = 10_000;

/// The names in the folder of a path. Without a folder that can be listed there is nothing to suggest.
pub(crate) fn names_beside(path: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(documents::folder(path)).into_iter().flatten().take(MOST_NAMES);
    entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
}

/// The entry of the same folder with the most similar name.
fn nearest(path: &Path) -> Option<PathBuf> {
    let misspelled = path.file_name()?.to_str()?;
    let names = names_beside(path);
    hieratic_diagnostics::nearest(misspelled, names.iter().map(String::as_str)).map(|name| path.with_file_name(name))
}

/// A free name in the folder of a file, for another version of it.
pub(crate) fn beside(path: &Path) -> PathBuf {
    let named = |number: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".edited{}", if number == 0 { String::new() } else { number.to_string() }));
        PathBuf::from(name)
    };
    (0..1000).map(named).find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| named(1000))
}

/// Writes a new file that only its owner may read into a private folder of the command.
pub(crate) fn keep_safe(name: &str, bytes: &[u8]) -> std::io::Result<PathBuf> {
    use std::io::Write;
    let mut last = std::io::Error::from(IoErrorKind::NotFound);
    for root in journal::folders() {
        let write = || {
            let folder = root.join("kept");
            std::fs::create_dir_all(&root)?;
            private::folder(&folder, journal::PLACE)?;
            let path = beside(&folder.join(name));
            let mut file = private::new_file(&path)?;
            let written = file.write_all(bytes).and_then(|()| file.sync_all());
            if written.is_err() {
                // A part of it is of no use.
                let _ = std::fs::remove_file(&path);
            }
            written.map(|()| path)
        };
        match write() {
            Ok(path) => return Ok(path),
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// A new name is on the disk once the folder is; some systems cannot flush folders.
fn flush(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
