//! Warnings of read-only runs about interrupted replacements: they change nothing, and report that files are
//! inconsistent.

use std::path::{Path, PathBuf};

use hieratic_diagnostics::{Diagnostic, Severity};

use super::journal::{self, Journal, Mark, Record, digest};
use crate::codes;
use crate::report::Reporter;

/// The maximum number of journals that are read. Each killed run leaves one, which the next run that writes removes.
const MOST_JOURNALS: usize = 1_000;

/// Warns of files in these folders that a killed run has replaced only in part.
pub(crate) fn warn(folders: &[PathBuf], reporter: &Reporter) {
    for root in journal::folders() {
        for message in find_inconsistent(&root.join("journals"), folders) {
            reporter.diagnostic(&Diagnostic::new(Severity::Warning, codes::INTERRUPTED, message));
        }
    }
}

/// A sentence for each journal without a lock that has files in these folders.
pub(super) fn find_inconsistent(journals: &Path, folders: &[PathBuf]) -> Vec<String> {
    // Most users have no such folder, and one that others may write to is not ours. A run that writes reports it.
    let Ok(entries) = std::fs::read_dir(journals) else { return Vec::new() };
    if super::private::folder(journals, journal::PLACE).is_err() {
        return Vec::new();
    }
    let paths = entries.flatten().map(|entry| entry.path());
    let journals = paths.filter(|path| path.extension().is_some_and(|extension| extension == "journal"));
    journals.take(MOST_JOURNALS).filter_map(|path| sentence(&path, folders)).collect()
}

fn sentence(path: &Path, folders: &[PathBuf]) -> Option<String> {
    // The lock is released at once: a run that writes at this moment leaves the journal to the next one.
    let (records, mark) = match Journal::take_over(path) {
        Ok(found) => found.map(|(_, records, mark)| (records, mark))?,
        // Its files are unknown. A run that writes does not remove it either.
        Err(_) => return None,
    };
    let inside: Vec<&Record> =
        records.iter().filter(|record| folders.iter().any(|folder| record.target.starts_with(folder))).collect();
    let first = inside.first()?;
    // Files that are all old or all new belong together.
    let new = inside.iter().filter(|record| is_replaced(record)).count();
    if mark == Mark::Begun || new == 0 || new == inside.len() {
        return None;
    }
    Some(format!(
        "a killed run was to replace {} files, {} among them, and replaced {new}: run its command again, which first \
         completes or undoes the change",
        inside.len(),
        first.target.display()
    ))
}

/// Returns whether a file has its new content. An unreadable one does not; the verb that needs it reports the reason.
fn is_replaced(record: &Record) -> bool {
    std::fs::read(&record.target).is_ok_and(|bytes| digest(&bytes) == record.after)
}
