//! [`Events`]: the changes of files that Linux reports.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::Duration;

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;

use super::ChangeReport;

/// The size of the buffer for reports, in bytes.
const BUFFER: usize = 1 << 14;
/// The number of reports that wait to be taken. The system keeps further ones, and says when there are too many.
const MOST_WAITING: usize = 4096;

/// The reports of changes in some folders. A thread waits for them.
pub(super) struct Events {
    queue: Arc<OwnedFd>,
    /// The folders by the numbers of their watches.
    folders: HashMap<i32, PathBuf>,
    reports: Receiver<Result<Report, Errno>>,
}

/// A change in a folder.
struct Report {
    /// The number of the watch.
    watch: i32,
    /// The name of the file; `None` if a watch has ended.
    name: Option<OsString>,
    /// Whether a folder has changed, or reports were lost.
    is_anything: bool,
}

impl Events {
    /// Creates reports without a folder; `None` if the system has none to give.
    pub(super) fn new() -> Option<Events> {
        let queue = Arc::new(init(CreateFlags::CLOEXEC).ok()?);
        let (sender, reports) = sync_channel(MOST_WAITING);
        let own = queue.clone();
        // Without a thread, files are compared as where the system reports nothing.
        std::thread::Builder::new().name("hieratic-watch".into()).spawn(move || read(&own, &sender)).ok()?;
        Some(Events { queue, folders: HashMap::new(), reports })
    }

    /// Watches folders, and returns whether all of them are watched.
    pub(super) fn watch(&mut self, folders: &[PathBuf]) -> bool {
        // A file is reported when it is complete: while it is written, half of it would be read.
        let flags = WatchFlags::CLOSE_WRITE
            | WatchFlags::CREATE
            | WatchFlags::DELETE
            | WatchFlags::MOVED_FROM
            | WatchFlags::MOVED_TO
            | WatchFlags::ONLYDIR;
        self.folders.clear();
        for folder in folders {
            match add_watch(&self.queue, folder.as_path(), flags) {
                Ok(number) => _ = self.folders.insert(number, folder.clone()),
                // A folder that is gone or closed has nothing to report.
                Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => {}
                Err(_) => return false,
            }
        }
        true
    }

    /// Returns what was reported since it was asked before, waiting for a report for no longer than `longest`.
    ///
    /// # Errors
    /// The reports cannot be read, and nothing more will be reported.
    pub(super) fn take(&mut self, longest: Duration) -> std::io::Result<ChangeReport> {
        let mut next = match self.reports.recv_timeout(longest) {
            Ok(first) => Some(first),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Err(std::io::Error::other("their reader has ended")),
        };
        let mut files = Vec::new();
        let mut is_anything = false;
        while let Some(report) = next {
            let Report { watch, name, is_anything: is_of_folder } = report?;
            match self.folders.get(&watch).zip(name) {
                _ if is_of_folder => is_anything = true,
                Some((folder, name)) => files.push(folder.join(name)),
                // A watch that has ended.
                None => {}
            }
            // A reader that has ended is an error the next time.
            next = self.reports.try_recv().ok();
        }
        Ok(match (is_anything, files.is_empty()) {
            (true, _) => ChangeReport::Anything,
            (false, true) => ChangeReport::Nothing,
            (false, false) => ChangeReport::Files(files),
        })
    }
}

/// Sends each report until nobody takes them, or they cannot be read.
fn read(queue: &OwnedFd, reports: &SyncSender<Result<Report, Errno>>) {
    let mut buffer = [MaybeUninit::uninit(); BUFFER];
    let mut reader = Reader::new(queue, &mut buffer);
    loop {
        let report = match reader.next() {
            Ok(event) => Ok(Report {
                watch: event.wd(),
                name: event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()).to_owned()),
                is_anything: event.events().intersects(ReadFlags::ISDIR | ReadFlags::QUEUE_OVERFLOW),
            }),
            Err(Errno::INTR) => continue,
            Err(error) => Err(error),
        };
        let is_last = report.is_err();
        if reports.send(report).is_err() || is_last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_that_cannot_be_read_is_an_error() {
        // A file that is open for writing alone cannot be read.
        let folder = tempfile::tempdir().unwrap();
        let queue = OwnedFd::from(std::fs::File::create(folder.path().join("file")).unwrap());
        let (sender, reports) = sync_channel(1);
        read(&queue, &sender);
        drop(sender);
        let mut events = Events { queue: Arc::new(queue), folders: HashMap::new(), reports };
        assert_eq!(events.take(Duration::ZERO).err().and_then(|error| error.raw_os_error()), Some(9));
        assert!(events.take(Duration::ZERO).is_err());
    }
}
