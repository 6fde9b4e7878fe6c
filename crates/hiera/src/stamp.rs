//! [`Stamp`]: what tells that a file is still the one that was read.

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// What tells that a file is still the one that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    inode: u64,
    modified: Option<SystemTime>,
    /// When the file or what is said of it changed last: nobody can set it back.
    changed: Option<SystemTime>,
    size: u64,
}

impl Stamp {
    /// The stamp of what is at a path; none if there is nothing.
    ///
    /// File systems show a file that is being emptied as empty before they change its times. So for an empty file, whoever
    /// is emptying it is waited for.
    pub(crate) fn of(path: &Path) -> Option<Stamp> {
        let mut data = fs::metadata(path).ok()?;
        if data.len() == 0 && data.is_file() {
            wait_for_changes(path);
            data = fs::metadata(path).ok()?;
        }
        #[cfg(unix)]
        let (inode, changed) = {
            use std::os::unix::fs::MetadataExt;
            let seconds = u64::try_from(data.ctime()).unwrap_or(0);
            let nanoseconds = u64::try_from(data.ctime_nsec()).unwrap_or(0);
            let since = Duration::from_secs(seconds).checked_add(Duration::from_nanos(nanoseconds));
            (data.ino(), since.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since)))
        };
        #[cfg(not(unix))]
        let (inode, changed) = (0, data.modified().ok());
        Some(Stamp { inode, modified: data.modified().ok(), changed, size: data.len() })
    }

    /// How long before a moment the last change was. A change in the future was long ago: the clock was set.
    pub(crate) fn age(&self, at: SystemTime) -> Duration {
        self.changed.and_then(|changed| at.duration_since(changed).ok()).unwrap_or(Duration::MAX)
    }
}

/// Waits until a change of a file's length that is underway is done: looking for the first data of a file needs the lock
/// under which it is done.
fn wait_for_changes(path: &Path) {
    #[cfg(target_os = "linux")]
    if let Ok(file) = fs::File::open(path) {
        // The answer, or that there is none, does not matter.
        let _ = rustix::fs::seek(&file, rustix::fs::SeekFrom::Data(0));
    }
    #[cfg(not(target_os = "linux"))]
    let _ = path;
}

/// How long ago a file must have changed for its stamp to tell every later change. Clocks of file systems tick slower than
/// processors: what is written within one tick leaves the same time.
const TICK: Duration = Duration::from_millis(20);

/// A stamp, and when the file was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    pub(crate) stamp: Option<Stamp>,
    /// How long before the file was looked at it had changed last.
    pub(crate) age: Duration,
}

impl Sighting {
    /// Looks at what is at a path. Where nothing is, the folder tells when something was taken away.
    pub(crate) fn of(path: &Path) -> Sighting {
        let stamp = Stamp::of(path);
        let folder = if stamp.is_none() { path.parent().and_then(Stamp::of) } else { None };
        let age = stamp.as_ref().or(folder.as_ref()).map_or(Duration::MAX, |stamp| stamp.age(SystemTime::now()));
        Sighting { stamp, age }
    }

    /// Whether there is something.
    pub(crate) fn exists(&self) -> bool {
        self.stamp.is_some()
    }

    /// The later of two sightings, if the first holds: what was read then is known to be there still.
    pub(crate) fn renewed(&self, now: Sighting) -> Sighting {
        if self.holds(&now) { now } else { self.clone() }
    }

    /// Whether what was read then is what would be read now.
    pub(crate) fn holds(&self, now: &Sighting) -> bool {
        self.stamp == now.stamp && self.age >= TICK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_just_now_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "1").unwrap();
        let fresh = Sighting::of(&path);
        assert!(!fresh.holds(&Sighting::of(&path)));
        std::thread::sleep(TICK);
        let settled = Sighting::of(&path);
        assert!(settled.holds(&Sighting::of(&path)));
        fs::write(&path, "2").unwrap();
        assert!(!settled.holds(&Sighting::of(&path)));
    }

    #[test]
    fn a_file_that_is_being_emptied_is_not_taken_for_an_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let text = "x".repeat(1 << 16);
        fs::write(&path, &text).unwrap();
        let ended = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..40 {
                    std::thread::sleep(TICK * 2);
                    fs::write(&path, &text).unwrap();
                }
                ended.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            while !ended.load(std::sync::atomic::Ordering::Relaxed) {
                let sighting = Sighting::of(&path);
                let size = sighting.stamp.as_ref().map_or(0, |stamp| stamp.size);
                assert!(size == text.len() as u64 || sighting.age < TICK, "{sighting:?}");
            }
        });
    }

    #[test]
    fn a_file_that_was_just_taken_away_is_told_by_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "1").unwrap();
        std::thread::sleep(TICK);
        fs::remove_file(&path).unwrap();
        let sighting = Sighting::of(&path);
        assert!(!sighting.exists() && sighting.age < TICK);
    }
}
