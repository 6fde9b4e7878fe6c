//! `--watch`: repeats an answer whenever a file below a folder changes.
//!
//! Linux reports changes, so that only files that it names are looked at. Elsewhere, and from time to time on Linux, the
//! names, times and sizes of all files are compared: a file system of another machine reports nothing. The interval
//! grows with the duration of a comparison, so that watching takes at most a fifth of a processor.

#[cfg(target_os = "linux")]
mod events;
#[cfg(not(target_os = "linux"))]
mod no_events;

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

#[cfg(target_os = "linux")]
use events::Events;
#[cfg(not(target_os = "linux"))]
use no_events::Events;

use hieratic::{Error, ErrorKind};
use hieratic_git::Repository;

use crate::codes;
use crate::report::{Reporter, send};
use crate::streams::ANSWERS;

/// The shortest time between two comparisons of all files.
const INTERVAL: Duration = Duration::from_millis(25);
/// The time between two of them where the system reports changes.
const INTERVAL_WITH_EVENTS: Duration = Duration::from_secs(2);
/// The longest time for which a report is awaited: then it is asked whether anybody still reads the answers.
const LONGEST_WAIT: Duration = Duration::from_millis(250);
/// The time that all steps of a save take.
const SETTLE_TIME: Duration = Duration::from_millis(6);
/// The most files that are looked at.
const MOST_FILES: usize = 200_000;
/// The exit status if changes are not reported any more.
const FAILED: u8 = 2;
/// The deepest folder.
const DEEPEST: usize = 64;

/// The files below a folder.
#[derive(Default)]
struct FolderContent {
    /// The time of the last change of each file, and its size.
    files: BTreeMap<PathBuf, FileState>,
    folders: Vec<PathBuf>,
}

/// The time of the last change of a file, and its size. A system without times has sizes.
type FileState = (Option<SystemTime>, u64);

/// A step of watching.
pub(crate) enum Step<'s> {
    /// Answer, after these files have changed.
    Answer(&'s [PathBuf]),
    /// Use the time until the next change.
    Prepare,
}

/// The changes that the system has reported.
#[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "other systems are not asked"))]
enum ChangeReport {
    /// Nothing has changed, as far as the system reports changes.
    Nothing,
    /// Only these files may have changed.
    Files(Vec<PathBuf>),
    /// Anything may have changed.
    Anything,
}

/// Answers, and answers again after each change, until the command is interrupted or the reader of the answers is gone.
/// The function takes each step, and answers with an exit status.
///
/// If the system stops to report changes, the error is reported and the command ends.
pub(crate) fn repeat(
    folder: &Path,
    reporter: &Reporter,
    mut take: impl FnMut(Step<'_>) -> Option<ExitCode>,
) -> ExitCode {
    let mut watched = WatchedFolder::new(folder);
    let mut changed = Vec::new();
    loop {
        if std::io::stdout().is_terminal() {
            // The screen begins anew.
            crate::output::print(b"\x1b[H\x1b[2J\x1b[3J");
        }
        let status = take(Step::Answer(&changed)).unwrap_or(ExitCode::SUCCESS);
        send(&format!("Watching {}. Ctrl-C ends it", folder.display()));
        take(Step::Prepare);
        match watched.wait(&|| ANSWERS.is_gone()) {
            Ok(Some(files)) => changed = files,
            Ok(None) => return status,
            Err(error) => {
                let message = format!("changes of files below {} are not reported any more: {error}", folder.display());
                reporter
                    .error("", &Error::new(ErrorKind::Fatal, codes::WATCH, message).help("start the command again"));
                return ExitCode::from(FAILED);
            }
        }
    }
}

/// A folder whose files are watched.
struct WatchedFolder {
    folder: PathBuf,
    /// The files of git that a commit or another branch changes.
    heads: Vec<PathBuf>,
    files: BTreeMap<PathBuf, FileState>,
    /// The reports of the system; `None` where it reports nothing.
    events: Option<Events>,
    /// The time of the last comparison of all files, and its duration.
    compared: (Instant, Duration),
}

impl WatchedFolder {
    fn new(folder: &Path) -> WatchedFolder {
        let mut watched = WatchedFolder {
            folder: folder.to_owned(),
            heads: heads(folder),
            files: BTreeMap::new(),
            events: Events::new(),
            compared: (Instant::now(), Duration::ZERO),
        };
        watched.compare();
        watched
    }

    /// Waits for changes, and returns the changed files; `None` when it is over.
    ///
    /// # Errors
    /// The system reports no more changes.
    fn wait(&mut self, is_over: &dyn Fn() -> bool) -> std::io::Result<Option<Vec<PathBuf>>> {
        loop {
            if is_over() {
                return Ok(None);
            }
            let (compared, duration) = self.compared;
            let changed = match self.take_report()? {
                ChangeReport::Files(files) => files.into_iter().filter(|file| self.has_changed(file)).collect(),
                ChangeReport::Nothing if compared.elapsed() < INTERVAL_WITH_EVENTS.max(duration * 20) => continue,
                ChangeReport::Nothing | ChangeReport::Anything => self.compare(),
            };
            if !changed.is_empty() {
                return Ok(Some(changed));
            }
            if self.events.is_none() {
                std::thread::sleep(INTERVAL.max(self.compared.1 * 4));
            }
        }
    }

    /// Returns the changes that the system has reported, when they have settled. Waits for them.
    fn take_report(&mut self) -> std::io::Result<ChangeReport> {
        let Some(events) = &mut self.events else { return Ok(ChangeReport::Anything) };
        let mut all = match events.take(LONGEST_WAIT)? {
            ChangeReport::Files(files) => files,
            other => return Ok(other),
        };
        std::thread::sleep(SETTLE_TIME);
        match events.take(Duration::ZERO)? {
            ChangeReport::Nothing => {}
            ChangeReport::Files(more) => all.extend(more),
            ChangeReport::Anything => return Ok(ChangeReport::Anything),
        }
        all.sort_unstable();
        all.dedup();
        Ok(ChangeReport::Files(all))
    }

    /// Returns whether a file has changed since it was looked at.
    fn has_changed(&mut self, file: &Path) -> bool {
        // Git writes many files for a commit.
        let is_of_git = self.heads.iter().any(|head| head.parent() == file.parent());
        if is_of_git && !self.heads.iter().any(|head| head == file) {
            return false;
        }
        match state_of(file) {
            Some(now) => self.files.insert(file.to_owned(), now) != Some(now),
            None => self.files.remove(file).is_some(),
        }
    }

    /// Compares all files, and returns those that have changed.
    fn compare(&mut self) -> Vec<PathBuf> {
        let started = Instant::now();
        let mut found = files_below(&self.folder);
        for head in &self.heads {
            found.folders.extend(head.parent().map(Path::to_owned));
            if let Some(state) = state_of(head) {
                found.files.insert(head.clone(), state);
            }
        }
        // A system with too few watches for all folders reports too little.
        if self.events.as_mut().is_some_and(|events| !events.watch(&found.folders)) {
            self.events = None;
        }
        let before = std::mem::replace(&mut self.files, found.files);
        let gone = before.keys().filter(|file| !self.files.contains_key(*file));
        let other = self.files.iter().filter(|(file, state)| before.get(*file) != Some(*state));
        let changed = gone.chain(other.map(|(file, _)| file)).cloned().collect();
        self.compared = (Instant::now(), started.elapsed());
        changed
    }
}

/// The state of a file; `None` for folders and files that do not exist.
fn state_of(file: &Path) -> Option<FileState> {
    // A file that cannot be looked at is not watched; the answer reports that it cannot be read. Links are not followed.
    let data = file.symlink_metadata().ok().filter(|data| !data.is_dir())?;
    Some((data.modified().ok(), data.len()))
}

fn files_below(folder: &Path) -> FolderContent {
    let mut found = FolderContent::default();
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
            } else if found.files.len() < MOST_FILES {
                found.files.insert(entry.path(), (data.modified().ok(), data.len()));
            }
        }
        found.folders.push(folder);
    }
    found
}

/// The files of git that change with the commit or the branch that is checked out, and so with the base of a comparison.
fn heads(folder: &Path) -> Vec<PathBuf> {
    // A pointer to a folder outside is refused. Without a repository, one may be made later.
    let git = Repository::open(folder).map_or_else(|_| folder.join(".git"), |git| git.head_folder().to_owned());
    // A commit changes the log of the head.
    vec![git.join("HEAD"), git.join("logs/HEAD")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_of_a_file_is_seen() {
        for has_events in [true, false] {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name);
            std::fs::create_dir_all(path("data/deep")).unwrap();
            std::fs::create_dir_all(path(".git/objects")).unwrap();
            std::fs::create_dir_all(path(".git/logs")).unwrap();
            let mut watched = WatchedFolder::new(folder.path());
            if !has_events {
                watched.events = None;
            }
            let mut changes = |subject: &str, expected: &[&str], change: &dyn Fn()| {
                change();
                let started = Instant::now();
                let most = Duration::from_millis(if expected.is_empty() { 200 } else { 10_000 });
                let seen = watched.wait(&|| started.elapsed() > most).unwrap().unwrap_or_default();
                assert_eq!(seen, expected.iter().map(|name| path(name)).collect::<Vec<_>>(), "{subject}, {has_events}");
            };
            let write = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
            changes("a new file", &["data/a.yaml"], &|| write("data/a.yaml", "a: 1\n"));
            changes("another size", &["data/a.yaml"], &|| write("data/a.yaml", "a: 11\n"));
            changes("nothing", &[], &|| ());
            changes("an object of git", &[], &|| write(".git/objects/x", "x"));
            changes("a commit", &[".git/logs/HEAD"], &|| write(".git/logs/HEAD", "x"));
            changes("a new folder", &["data/new/b.yaml"], &|| {
                std::fs::create_dir(path("data/new")).unwrap();
                write("data/new/b.yaml", "b: 1\n");
            });
            changes("a file in it", &["data/new/c.yaml"], &|| write("data/new/c.yaml", "b: 1\n"));
            changes("a file that takes the place of another", &["data/a.yaml"], &|| {
                write(".git/objects/y", "a: 111\n");
                std::fs::rename(path(".git/objects/y"), path("data/a.yaml")).unwrap();
            });
            changes("a file that is gone", &["data/a.yaml"], &|| std::fs::remove_file(path("data/a.yaml")).unwrap());
        }
    }
}
