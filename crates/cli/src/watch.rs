//! `--watch`: repeats an answer whenever a file below a folder changes.
//!
//! The names, times and sizes of files are compared periodically. The interval grows with the duration of a comparison,
//! so that watching takes at most a fifth of a processor.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use crate::report::send;
use crate::streams::ANSWERS;

/// The shortest time between two looks.
const INTERVAL: Duration = Duration::from_millis(25);
/// The most files that are looked at.
const MOST_FILES: usize = 200_000;
/// The deepest folder.
const DEEPEST: usize = 64;

/// The files below a folder: the time of their last change, and their size.
type Files = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// Answers, and answers again after each change, until the command is interrupted or the reader of the answers is gone.
pub(crate) fn repeat(folder: &Path, mut answer: impl FnMut() -> ExitCode) -> ExitCode {
    let mut before = files(folder);
    loop {
        if std::io::stdout().is_terminal() {
            // The screen begins anew.
            crate::output::print(b"\x1b[H\x1b[2J\x1b[3J");
        }
        let status = answer();
        send(&format!("Watching {}. Ctrl-C ends it", folder.display()));
        loop {
            let started = Instant::now();
            let now = files(folder);
            if now != before {
                before = now;
                break;
            }
            if ANSWERS.is_gone() {
                return status;
            }
            std::thread::sleep(INTERVAL.max(started.elapsed() * 4));
        }
    }
}

fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        // A folder that cannot be listed is not watched; the answer says what of it is missing.
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            // Links are not followed.
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                if depth < DEEPEST && entry.file_name() != ".git" {
                    open.push((entry.path(), depth + 1));
                }
            } else if found.len() < MOST_FILES {
                // A system without times has sizes.
                found.insert(entry.path(), (data.modified().ok(), data.len()));
            }
        }
    }
    // A commit moves the head, and the base of a comparison with it.
    let head = folder.join(".git/HEAD");
    if let Ok(data) = head.metadata() {
        found.insert(head, (data.modified().ok(), data.len()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_file_is_seen() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(path("data/deep")).unwrap();
        std::fs::create_dir_all(path(".git/objects")).unwrap();
        let mut last = files(folder.path());
        let mut changes = |subject: &str, is_seen: bool, change: &dyn Fn()| {
            change();
            let now = files(folder.path());
            assert_eq!(now != last, is_seen, "{subject}");
            last = now;
        };
        changes("a new file", true, &|| std::fs::write(path("data/a.yaml"), "a: 1\n").unwrap());
        changes("another size", true, &|| std::fs::write(path("data/a.yaml"), "a: 11\n").unwrap());
        changes("nothing", false, &|| ());
        changes("an object of git", false, &|| std::fs::write(path(".git/objects/x"), "x").unwrap());
        changes("a file that is gone", true, &|| std::fs::remove_file(path("data/a.yaml")).unwrap());
    }
}
