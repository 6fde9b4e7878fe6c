//! Recovery of killed runs: completes or undoes their replacements.

use std::fs::File;
use std::io::{ErrorKind, Result};
use std::path::{Path, PathBuf};

use hieratic_diagnostics::{Diagnostic, Severity};

use super::journal::{self, Journal, Mark, Record, digest};
use super::replace::{exchange, rename_to_free};
use crate::codes;
use crate::report::Reporter;
use hieratic::sandbox::SlashPath as _;

/// Finds journals without a lock, and brings their files into one consistent state.
pub(crate) fn recover(reporter: &Reporter) {
    for root in journal::folders() {
        recover_in(&root.join("journals"), &mut |message| {
            reporter.diagnostic(&Diagnostic::new(Severity::Note, codes::INTERRUPTED, message));
        });
    }
}

/// Recovers the journals of one folder. Those that cannot be recovered now are left for the next run.
pub(super) fn recover_in(folder: &Path, tell: &mut dyn FnMut(String)) {
    let unread = |path: &Path, error: &std::io::Error| {
        format!("{} cannot be read, so an interrupted change may remain: {error}", path.display())
    };
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        // No run was interrupted.
        Err(error) if error.kind() == ErrorKind::NotFound => return,
        Err(error) => return tell(unread(folder, &error)),
    };
    // The folder was replaced by one that others may write to.
    if super::private::folder(folder, journal::PLACE).is_err() {
        return;
    }
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "journal") {
            continue;
        }
        let (mut journal, records, mark) = match Journal::take_over(&path) {
            Ok(Some(file)) => file,
            // It was completed, or its process is alive.
            Ok(None) => continue,
            Err(error) => {
                tell(unread(&path, &error));
                continue;
            }
        };
        // A process that changes one of the files now has run the recovery before, and checks the file again.
        let Some(_locks) = locks(&records) else { continue };
        let done = match mark {
            Mark::Begun => records.iter().try_for_each(|record| remove(&record.beside)),
            Mark::Commit => complete(&records, tell).or_else(|error| {
                journal.mark(Mark::Back)?;
                take_back(&records).map_err(|_| error)
            }),
            Mark::Back => take_back(&records),
        };
        if done.is_ok() {
            let folders = records.iter().map(|record| crate::documents::folder(&record.target));
            folders.for_each(|folder| super::flush(&folder));
            // A remaining journal is recovered again, without effect.
            let _ = journal.end();
        }
    }
}

/// The locks of all existing files; `None` if another process holds one, or a folder cannot be read now.
fn locks(records: &[Record]) -> Option<Vec<File>> {
    let mut locks = Vec::new();
    for record in records {
        if !crate::documents::folder(&record.target).is_dir() {
            return None;
        }
        // A missing file needs no lock. One that cannot be opened is not replaced either, which is reported.
        let Ok(file) = File::open(&record.target) else { continue };
        if matches!(super::claim::try_lock(&file), Err(std::fs::TryLockError::WouldBlock)) {
            return None;
        }
        // Windows replaces no open file, so that there the lock is only tried.
        if cfg!(not(windows)) {
            locks.push(file);
        }
    }
    Some(locks)
}

/// Gives every file its new content.
fn complete(records: &[Record], tell: &mut dyn FnMut(String)) -> Result<()> {
    let mut completed = Vec::new();
    for record in records {
        let Record { target, beside, before, after } = record;
        let Some(ready) = digest_of(beside)? else { continue };
        let now = digest_of(target)?;
        let is_same = ready == *after && now.as_ref() == Some(after);
        if Some(&ready) == before.as_ref() || is_same {
            // The target has its new content already; this is the old content, or the new one again.
            remove(beside)?;
            continue;
        }
        if ready != *after || now != *before {
            // Another process has changed one of them since. Both versions remain.
            let copy = super::beside(target);
            rename_to_free(beside, &copy)?;
            tell(format!(
                "a killed run was about to replace {}, which has changed since: the other version is {}",
                target.display(),
                copy.display()
            ));
            continue;
        }
        if before.is_none() {
            rename_to_free(beside, target)?;
        } else if exchange(beside, target)? {
            remove(beside)?;
        } else {
            std::fs::rename(beside, target)?;
        }
        completed.push(target.to_slashes());
    }
    if !completed.is_empty() {
        tell(format!("completed the changes of a killed run: {} replaced", completed.join(", ")));
    }
    Ok(())
}

/// Gives every file its old content.
fn take_back(records: &[Record]) -> Result<()> {
    for Record { target, beside, before, after } in records {
        let (aside, now) = (digest_of(beside)?, digest_of(target)?);
        match before {
            Some(before) if aside.as_ref() == Some(before) && now.as_ref() == Some(after) => {
                exchange(beside, target)?;
            }
            // The file did not exist before.
            None if aside.is_none() && now.as_ref() == Some(after) => remove(target)?,
            _ => {}
        }
        if digest_of(beside)?.as_ref() == Some(after) {
            remove(beside)?;
        }
    }
    Ok(())
}

/// The digest of a file; `None` if it does not exist.
fn digest_of(path: &PathBuf) -> Result<Option<String>> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(Some(digest(&bytes))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn remove(path: &Path) -> Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}
