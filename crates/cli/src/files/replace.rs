//! Atomic replacement of several files: all of them or none.
//!
//! 1. A [journal](super::journal) records the plan.
//! 2. The new content of every file is written next to it and flushed to the disk, with the owner, permissions and attributes of the
//!    old file. On Linux these files have no name while they are written.
//! 3. If all files are unchanged, the journal is marked: after this, the replacement is completed in any case.
//! 4. Each new file is exchanged with the old one. If the old file is not the expected one, because another process has
//!    just changed it, all exchanges are undone.
//! 5. The old files and the journal are removed.
//!
//! A run that is killed before step 3 has changed nothing, and the next run that writes removes its temporary files. If
//! a run is killed later, the next run completes its work ([`super::recovery`]). If a file system cannot exchange two
//! files, new files are renamed over the old ones; if that fails, the next run completes the replacement.

use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

use hieratic::value::ErasedSort as _;

use super::attributes;
use super::claim::{Claim, WriteError};
use super::journal::{self, Journal, Mark, Record};
use crate::documents;

/// The new content of a claimed file.
pub(crate) struct Change<'c> {
    pub(crate) claim: &'c Claim,
    pub(crate) bytes: &'c [u8],
    /// Whether only its owner may read the new file, even if others may read the old one.
    pub(crate) is_private: bool,
}

impl<'c> Change<'c> {
    /// A change of the content that keeps the permissions.
    pub(crate) fn new(claim: &'c Claim, bytes: &'c [u8]) -> Change<'c> {
        Change { claim, bytes, is_private: false }
    }
}

/// Replaces files, or creates missing ones.
///
/// # Errors
/// Then none of them is changed, unless the message reports otherwise.
pub(crate) fn replace(changes: &[Change<'_>]) -> std::result::Result<(), WriteError> {
    let changes: Vec<&Change<'_>> =
        changes.iter().filter(|change| change.claim.before() != Some(change.bytes)).collect();
    let Some(first) = changes.first() else { return Ok(()) };
    let folder = journal::folder().map_err(|error| WriteError::unwritable(&first.claim.shown, &error))?;
    let mut transaction = Transaction::new(&changes, &folder)?;
    loop {
        match transaction.step() {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(problem) => return Err(transaction.fail(problem)),
        }
    }
}

/// Files that are being replaced.
pub(super) struct Transaction<'c> {
    files: Vec<PlannedChange<'c>>,
    journal: Journal,
    step: Step,
}

struct PlannedChange<'c> {
    change: &'c Change<'c>,
    record: Record,
    /// The new file.
    new: Option<File>,
    /// Whether the new file has a name next to the old one.
    is_named: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    /// The new file has the name; the old one has the temporary name.
    Exchanged,
    /// The new file has the name, and there was no old one.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Write(usize),
    Name(usize),
    Commit,
    Exchange(usize),
    Clean(usize),
    End,
    Done,
}

/// An error, with the index of its file.
pub(super) struct FileError {
    file: usize,
    error: Option<Error>,
}

impl<'c> Transaction<'c> {
    pub(super) fn new(changes: &[&'c Change<'c>], folder: &Path) -> std::result::Result<Transaction<'c>, WriteError> {
        let files: Vec<PlannedChange<'c>> = changes
            .iter()
            .map(|change| {
                let target = change.claim.path.clone();
                let beside = documents::folder(&target).join(format!(".hieratic-{}", journal::unique_name()));
                let before = change.claim.before().map(journal::digest);
                let record = Record { target, beside, before, after: journal::digest(change.bytes) };
                PlannedChange { change, record, new: None, is_named: false, state: State::Before }
            })
            .collect();
        let records: Vec<Record> = files.iter().map(|file| file.record.clone()).collect();
        let shown = files.first().map_or(Path::new(""), |file| &file.change.claim.shown);
        let journal = Journal::begin(folder, &records).map_err(|error| {
            WriteError::unwritable(shown, &format!("the journal in {} cannot be written: {error}", folder.display()))
        })?;
        Ok(Transaction { files, journal, step: Step::Write(0) })
    }

    /// Makes the next step. Returns false if all steps are done.
    pub(super) fn step(&mut self) -> std::result::Result<bool, FileError> {
        let last = self.files.len() - 1;
        let next =
            |index: usize, more: fn(usize) -> Step, then: Step| if index < last { more(index + 1) } else { then };
        let at = |file: usize| move |error: Error| FileError { file, error: Some(error) };
        self.step = match self.step {
            Step::Write(file) => {
                self.files[file].write().map_err(at(file))?;
                next(file, Step::Write, Step::Name(0))
            }
            Step::Name(file) => {
                self.files[file].name().map_err(at(file))?;
                next(file, Step::Name, Step::Commit)
            }
            Step::Commit => {
                if let Some(file) = self.files.iter().position(|file| !file.change.claim.is_unchanged()) {
                    return Err(FileError { file, error: None });
                }
                self.flush();
                self.journal.mark(Mark::Commit).map_err(at(0))?;
                Step::Exchange(0)
            }
            Step::Exchange(file) => {
                let is_expected = self.files[file].exchange().map_err(at(file))?;
                if !is_expected {
                    return Err(FileError { file, error: None });
                }
                next(file, Step::Exchange, Step::Clean(0))
            }
            Step::Clean(file) => {
                if file == 0 {
                    self.flush();
                }
                if self.files[file].state == State::Exchanged {
                    // The next run removes files that cannot be removed now.
                    if std::fs::remove_file(&self.files[file].record.beside).is_err() {
                        self.step = Step::Done;
                        return Ok(false);
                    }
                }
                next(file, Step::Clean, Step::End)
            }
            Step::End => {
                // A remaining journal is recovered without effect.
                let _ = self.journal.end();
                Step::Done
            }
            Step::Done => return Ok(false),
        };
        Ok(true)
    }

    /// Puts everything back, and returns the error.
    pub(super) fn fail(mut self, problem: FileError) -> WriteError {
        let shown = self.files[problem.file].change.claim.shown.clone();
        let mut refusal = match &problem.error {
            Some(error) => WriteError::unwritable(&shown, error),
            None => WriteError {
                is_conflict: true,
                ..WriteError::new(
                    format!("{} was changed by another process in the meantime and was not written", shown.display()),
                    "run the command again",
                )
            },
        };
        if self.files.len() > 1 {
            refusal.help = format!("no file was changed; {}", refusal.help);
        }
        if let Err(error) = self.take_back() {
            refusal.message.push_str(&format!("; the changes made so far could not be reverted: {error}"));
            refusal.help = "the next run that writes files completes or reverts the change".to_owned();
        }
        refusal
    }

    fn take_back(&mut self) -> Result<()> {
        if matches!(self.step, Step::Exchange(_)) {
            self.journal.mark(Mark::Back)?;
        }
        for file in self.files.iter_mut().rev() {
            file.take_back()?;
        }
        self.flush();
        self.journal.end()
    }

    /// New names are on the disk once their folders are.
    fn flush(&self) {
        let mut folders: Vec<PathBuf> = self.files.iter().map(|file| documents::folder(&file.record.target)).collect();
        folders.sort_erased();
        folders.dedup();
        folders.iter().for_each(|folder| super::flush(folder));
    }
}

impl PlannedChange<'_> {
    fn write(&mut self) -> Result<()> {
        let lock = self.change.claim.locked.as_ref();
        let is_shared = lock.is_none() && !self.change.is_private;
        let (mut new, is_named) = new_file(&self.record.beside, is_shared)?;
        self.is_named = is_named;
        new.write_all(self.change.bytes)?;
        if let Some(lock) = lock {
            lock.with(|file| attributes::copy(&new, file)).unwrap_or_else(|| Err(ErrorKind::NotFound.into()))?;
            if self.change.is_private {
                make_private(&new)?;
            }
        }
        new.sync_all()?;
        // Once it has the name, other runs would change it, so it must be locked. Where locks are not supported, it
        // stays unlocked.
        let _ = super::claim::try_lock(&new);
        self.new = Some(new);
        Ok(())
    }

    /// Gives the new file a temporary name in the same folder.
    fn name(&mut self) -> Result<()> {
        if let (false, Some(new)) = (self.is_named, &self.new) {
            give_name(new, &self.record.beside)?;
            self.is_named = true;
        }
        Ok(())
    }

    /// Gives the new file the name of the old one. Returns false if the old file is not the expected one.
    fn exchange(&mut self) -> Result<bool> {
        let Record { target, beside, .. } = &self.record;
        let Some(lock) = &self.change.claim.locked else {
            return match rename_to_free(beside, target) {
                Ok(()) => {
                    self.state = State::Over;
                    Ok(true)
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
                Err(error) => Err(error),
            };
        };
        if exchange(beside, target)? {
            self.state = State::Exchanged;
            return Ok(lock.is_at(beside) && lock.has_its_bytes());
        }
        if !self.change.claim.is_unchanged() {
            return Ok(false);
        }
        if cfg!(windows) {
            lock.release();
        }
        std::fs::rename(beside, target)?;
        self.state = State::Over;
        Ok(true)
    }

    fn take_back(&mut self) -> Result<()> {
        let Record { target, beside, before, .. } = &self.record;
        match self.state {
            State::Exchanged => {
                exchange(beside, target)?;
            }
            State::Over if before.is_none() => {
                std::fs::remove_file(target)?;
                return Ok(());
            }
            State::Over => return Err(Error::other(format!("{} was already replaced", target.display()))),
            State::Before => {}
        }
        self.state = State::Before;
        match std::fs::remove_file(beside) {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }
}

/// Creates a file for the new content of a path. Returns whether it already has a name.
#[cfg(target_os = "linux")]
fn new_file(path: &Path, is_shared: bool) -> Result<(File, bool)> {
    use rustix::fs::{CWD, Mode, OFlags, openat};
    use rustix::io::Errno;
    let mode = if is_shared { Mode::from_raw_mode(0o666) } else { Mode::from_raw_mode(0o600) };
    let flags = OFlags::RDWR | OFlags::CLOEXEC;
    match openat(CWD, documents::folder(path), flags | OFlags::TMPFILE, mode) {
        Ok(file) => Ok((File::from(file), false)),
        // The file system, or the kernel, has no files without a name.
        Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => {
            let file = openat(CWD, path, flags | OFlags::CREATE | OFlags::EXCL, mode)?;
            Ok((File::from(file), true))
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn new_file(path: &Path, is_shared: bool) -> Result<(File, bool)> {
    let file = if is_shared {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::access_mode(&mut options, super::windows::CHANGEABLE);
        options.open(path)?
    } else {
        super::private::new_file(path)?
    };
    Ok((file, true))
}

#[cfg(target_os = "linux")]
fn give_name(file: &File, path: &Path) -> Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn give_name(_: &File, _: &Path) -> Result<()> {
    Ok(())
}

/// Exchanges two files. Returns false if the file system does not support it.
#[cfg(target_os = "linux")]
pub(super) fn exchange(one: &Path, other: &Path) -> Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn exchange(_: &Path, _: &Path) -> Result<bool> {
    Ok(false)
}

/// Renames a file to a name that must be free.
pub(super) fn rename_to_free(from: &Path, to: &Path) -> Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        use rustix::io::Errno;
        match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
            Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {}
            done => return Ok(done?),
        }
    }
    std::fs::hard_link(from, to)?;
    std::fs::remove_file(from)
}

#[cfg(unix)]
fn make_private(file: &File) -> Result<()> {
    file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(0o600))
}

#[cfg(not(any(unix, windows)))]
fn make_private(_: &File) -> Result<()> {
    Ok(())
}

#[cfg(windows)]
fn make_private(file: &File) -> Result<()> {
    super::windows::make_private(file)
}
