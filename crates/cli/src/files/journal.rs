//! [`Journal`]: the planned replacement of files, recorded before it starts.
//!
//! A journal is in a private folder of the user, never next to the files: a repository may contain any file, which must
//! not be mistaken for a journal. The process locks its journal, so a journal without a lock belongs to a killed run.
//!
//! It consists of strings, each terminated by a zero byte: a line that identifies the format; for each file its path,
//! the path of its temporary file, and the digests of its content before (empty for a new file) and after; then `end`.
//! Marks are appended later: `commit` once all temporary files are ready, and `back` once the changes are undone.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::private;

/// The environment variable for the folder of journals.
pub(super) const PLACE: &str = "HIERATIC_STATE_DIR";

const KIND: &[u8] = b"hieratic journal 1";

/// A file that is to be replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// The file, links followed.
    pub(super) target: PathBuf,
    /// The temporary file with the new content, in the same folder.
    pub(super) beside: PathBuf,
    /// The digest of the old content; `None` for a new file.
    pub(super) before: Option<String>,
    /// The digest of the new bytes.
    pub(super) after: String,
}

/// The progress of the replacement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// No file was changed; temporary files may exist.
    Begun,
    /// Everything is ready, and files are being replaced.
    Commit,
    /// Files are being put back.
    Back,
}

impl Mark {
    fn word(self) -> &'static [u8] {
        match self {
            Mark::Begun => b"end",
            Mark::Commit => b"commit",
            Mark::Back => b"back",
        }
    }
}

/// A journal that this process has locked.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Records the planned replacement.
    pub(super) fn begin(folder: &Path, records: &[Record]) -> Result<Journal> {
        let path = folder.join(format!("{}.journal", unique_name()));
        let file = private::new_file(&path)?;
        private::lock(&file)?;
        let mut journal = Journal { path, file };
        let mut text = Vec::new();
        let mut add = |part: &[u8]| text.extend_from_slice(&[part, b"\0"].concat());
        add(KIND);
        for record in records {
            add(&bytes_of(&record.target)?);
            add(&bytes_of(&record.beside)?);
            add(record.before.as_deref().unwrap_or("").as_bytes());
            add(record.after.as_bytes());
        }
        add(Mark::Begun.word());
        journal.file.write_all(&text)?;
        journal.file.sync_all()?;
        super::flush(folder);
        Ok(journal)
    }

    /// Notes how far it is.
    pub(super) fn mark(&mut self, mark: Mark) -> Result<()> {
        self.file.write_all(&[mark.word(), b"\0"].concat())?;
        self.file.sync_all()
    }

    /// Takes over a journal of a dead process; `None` if its process lives, or the journal is gone.
    pub(super) fn take_over(path: &Path) -> Result<Option<(Journal, Vec<Record>, Mark)>> {
        let opened = File::options().read(true).append(true).open(path);
        let mut file = match opened {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            opened => opened?,
        };
        if file.try_lock().is_err() || !path.exists() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (records, mark) = parse(&bytes)?;
        Ok(Some((Journal { path: path.to_owned(), file }, records, mark)))
    }

    /// Removes the journal: the replacement is complete, or undone.
    pub(super) fn end(&self) -> Result<()> {
        std::fs::remove_file(&self.path)
    }
}

/// Parses a journal. A truncated one belongs to a run that has not changed any file.
fn parse(bytes: &[u8]) -> Result<(Vec<Record>, Mark)> {
    let nothing = Ok((Vec::new(), Mark::Begun));
    let whole = &bytes[..bytes.iter().rposition(|byte| *byte == 0).map_or(0, |at| at + 1)];
    let mut parts = whole.split(|byte| *byte == 0);
    if parts.next().is_none_or(|kind| kind != KIND) {
        return nothing;
    }
    let mut records = Vec::new();
    loop {
        match parts.next() {
            Some(part) if part == Mark::Begun.word() => break,
            Some(target) if !target.is_empty() => {
                let (Some(beside), Some(before), Some(after)) = (parts.next(), parts.next(), parts.next()) else {
                    return nothing;
                };
                let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
                let before = Some(text(before)).filter(|before| !before.is_empty());
                records.push(Record { target: path_of(target)?, beside: path_of(beside)?, before, after: text(after) });
            }
            _ => return nothing,
        }
    }
    let mut mark = Mark::Begun;
    for part in parts {
        mark = [Mark::Commit, Mark::Back].into_iter().find(|mark| mark.word() == part).unwrap_or(mark);
    }
    Ok((records, mark))
}

#[cfg(unix)]
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    Ok(std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec())
}

#[cfg(not(unix))]
fn bytes_of(path: &Path) -> Result<Vec<u8>> {
    let text = path.to_str().map(|text| text.as_bytes().to_vec());
    text.ok_or_else(|| Error::new(ErrorKind::InvalidInput, "the path is not valid Unicode"))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> Result<PathBuf> {
    let path = PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes));
    whole(path)
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> Result<PathBuf> {
    whole(PathBuf::from(String::from_utf8_lossy(bytes).into_owned()))
}

fn whole(path: PathBuf) -> Result<PathBuf> {
    if path.is_absolute() {
        Ok(path)
    } else {
        Err(Error::new(ErrorKind::InvalidData, "a journal contains a relative path"))
    }
}

/// The digest of a file's bytes.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A unique part of a file name.
pub(super) fn unique_name() -> String {
    use std::hash::{BuildHasher, RandomState};
    // The keys of each are from the system's source of chance.
    let number = || RandomState::new().hash_one(private::process_number());
    format!("{:016x}{:016x}", number(), number())
}

/// The possible folders for journals, the best first: on a disk that survives a reboot, if there is one.
pub(super) fn folders() -> Vec<PathBuf> {
    let named = std::env::var_os(PLACE).filter(|place| !place.is_empty()).map(PathBuf::from);
    [named, crate::places::state(), Some(private::temporary("hieratic-state"))].into_iter().flatten().collect()
}

/// The folder for a new journal, created if necessary.
pub(super) fn folder() -> Result<PathBuf> {
    let mut last = Error::from(ErrorKind::NotFound);
    for root in folders() {
        let journals = root.join("journals");
        match std::fs::create_dir_all(&root).and_then(|()| private::folder(&journals, PLACE)) {
            Ok(()) => return Ok(journals),
            Err(error) => last = error,
        }
    }
    Err(Error::new(last.kind(), format!("no private folder for the journal (set {PLACE}): {last}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_complete_journals_are_parsed() {
        let folder = tempfile::tempdir().unwrap();
        let record = |name: &str, before: Option<&str>| Record {
            target: Path::new("/a").join(name),
            beside: Path::new("/a").join(format!(".{name}")),
            before: before.map(str::to_owned),
            after: "2".into(),
        };
        let records = vec![record("b\nc", Some("1")), record("end", None)];
        let mut journal = Journal::begin(folder.path(), &records).unwrap();
        let path = journal.path.clone();
        assert!(Journal::take_over(&path).unwrap().is_none(), "its process lives");
        journal.mark(Mark::Commit).unwrap();
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(parse(&bytes).unwrap(), (records.clone(), Mark::Commit));
        for end in 0..bytes.len() {
            let (read, mark) = parse(&bytes[..end]).unwrap();
            assert!((read.is_empty() || read == records) && mark == Mark::Begun, "{end}");
        }
        assert!(Journal::take_over(&path).unwrap().is_some());
    }
}
