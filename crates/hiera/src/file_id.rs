//! [`FileId`]: the identity of a file's content, from its metadata.

use std::path::Path;
use std::time::{Duration, SystemTime};

use hieratic_sandbox::{FileKind, Files, Outside, Stat};

/// The identity of a file's content: equal stamps mean that the file was not changed in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileId {
    inode: u128,
    modified: Option<SystemTime>,
    /// The time of the last change of content or metadata, which programs cannot set back.
    changed: Option<SystemTime>,
    size: u64,
    is_file: bool,
}

impl FileId {
    /// Returns the stamp of a path, or `None` if it does not exist or is not visible.
    pub(crate) fn read(files: &Files, path: &Path) -> Option<FileId> {
        files.settled(path).map(FileId::from)
    }

    /// Returns the time from the last change to the given moment. A change in the future counts as long ago: the clock
    /// was set.
    pub(crate) fn age(&self, at: SystemTime) -> Duration {
        self.changed.and_then(|changed| at.duration_since(changed).ok()).unwrap_or(Duration::MAX)
    }
}

impl From<Stat> for FileId {
    fn from(Stat { inode, modified, changed, len: size, kind, .. }: Stat) -> FileId {
        FileId { inode, modified, changed, size, is_file: kind == FileKind::File }
    }
}

/// The minimum age of a file at which its stamp reveals every later change. Clocks of file systems tick slowly: writes
/// within one tick leave the same time.
const TICK: Duration = Duration::from_millis(20);

/// A stamp, and when the file was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) file_id: Option<FileId>,
    /// The time between the last change and the observation.
    pub(crate) age: Duration,
}

impl Observation {
    /// Observes a path. If it does not exist, the modification time of the folder tells when a file was removed, if the
    /// folder is visible.
    pub(crate) fn read(files: &Files, path: &Path) -> Observation {
        let file_id = FileId::read(files, path);
        let may_see = |folder: &&Path| files.outside() != Outside::Never || files.holds(folder);
        let folder = match file_id {
            Some(_) => None,
            None => path.parent().filter(may_see).and_then(|folder| FileId::read(files, folder)),
        };
        let age = file_id.as_ref().or(folder.as_ref()).map_or(Duration::MAX, |file_id| file_id.age(SystemTime::now()));
        Observation { file_id, age }
    }

    /// Builds the observation of a file from metadata that was read not before `now`. An empty file may be in the
    /// middle of being rewritten, so the caller must check it.
    pub(crate) fn at(now: SystemTime, about: Stat) -> Observation {
        let file_id = FileId::from(about);
        Observation { age: file_id.age(now), file_id: Some(file_id) }
    }

    /// Returns whether the path exists.
    pub(crate) fn exists(&self) -> bool {
        self.file_id.is_some()
    }

    /// Returns whether the path is a regular file.
    pub(crate) fn is_file(&self) -> bool {
        self.file_id.as_ref().is_some_and(|file_id| file_id.is_file)
    }

    /// Returns whether the path still leads to the file that was observed. If the file was read in between, the content
    /// is that of the observed file: a deployment may exchange a link between the observation and the reading.
    pub(crate) fn is_of_current(&self, files: &Files, path: &Path) -> bool {
        FileId::read(files, path) == self.file_id
    }

    /// Returns the later observation if this one still holds, so that the read content is known to be current.
    pub(crate) fn latest(&self, now: Observation) -> Observation {
        if self.holds(&now) { now } else { self.clone() }
    }

    /// Returns whether the content that was read then is the current content.
    pub(crate) fn holds(&self, now: &Observation) -> bool {
        self.file_id == now.file_id && self.is_settled()
    }

    /// Returns whether the clock has advanced since the last change, so that a further change would be visible.
    pub(crate) fn is_settled(&self) -> bool {
        self.age >= TICK
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn observation(path: &Path) -> Observation {
        Observation::read(&Files::anywhere(), path)
    }

    #[test]
    fn recently_written_files_are_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let written = SystemTime::now();
        fs::write(&path, "1").unwrap();
        let fresh = observation(&path);
        // The thread was delayed, and observed the file too late.
        let is_late = written.elapsed().unwrap_or_default() >= TICK;
        assert!(is_late || !fresh.holds(&observation(&path)));
        std::thread::sleep(TICK);
        let settled = observation(&path);
        assert!(settled.holds(&observation(&path)));
        fs::write(&path, "2").unwrap();
        assert!(!settled.holds(&observation(&path)));
    }

    #[test]
    fn a_file_that_is_being_emptied_is_not_taken_for_an_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let text = "x".repeat(1 << 16);
        fs::write(&path, &text).unwrap();
        let ended = std::sync::atomic::AtomicBool::new(false);
        // When the file began to be written last. Its writer may wait for a processor for any time after that.
        let began = std::sync::Mutex::new(SystemTime::now());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..40 {
                    std::thread::sleep(TICK * 2);
                    *began.lock().unwrap() = SystemTime::now();
                    fs::write(&path, &text).unwrap();
                }
                ended.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                let writing = *began.lock().unwrap();
                let seen = observation(&path);
                let Some(file_id) = &seen.file_id else { continue };
                let changed = file_id.changed.unwrap() + TICK;
                assert!(file_id.size == text.len() as u64 || changed >= writing, "{seen:?}");
            }
        });
    }

    #[test]
    fn a_removed_file_is_detected_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "1").unwrap();
        fs::remove_file(&path).unwrap();
        let seen = observation(&path);
        // It was looked at before this.
        let age = FileId::read(&Files::anywhere(), folder.path()).unwrap().age(SystemTime::now());
        assert!(!seen.exists() && seen.age <= age && age < Duration::MAX);
    }
}
