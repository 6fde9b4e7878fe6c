//! [`Events`]: the changes of files that Linux reports.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use rustix::fs::inotify::{CreateFlags, ReadFlags, Reader, WatchFlags, add_watch, init};
use rustix::io::Errno;

use super::ChangeReport;

/// The size of the buffer for reports, in bytes.
const BUFFER: usize = 1 << 14;

/// The reports of changes in some folders.
pub(super) struct Events {
    queue: OwnedFd,
    /// The folders by the numbers of their watches.
    folders: HashMap<i32, PathBuf>,
}

impl Events {
    /// Creates reports without a folder; `None` if the system has none to give.
    pub(super) fn new() -> Option<Events> {
        let queue = init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
        Some(Events { queue, folders: HashMap::new() })
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

    /// Returns what was reported since it was asked before.
    pub(super) fn take(&mut self) -> ChangeReport {
        let mut buffer = [MaybeUninit::uninit(); BUFFER];
        let mut reader = Reader::new(&self.queue, &mut buffer);
        let mut files = Vec::new();
        let mut is_anything = false;
        loop {
            match reader.next() {
                Ok(event) => {
                    let is_of_folder = event.events().intersects(ReadFlags::ISDIR | ReadFlags::QUEUE_OVERFLOW);
                    let folder = self.folders.get(&event.wd());
                    match folder.zip(event.file_name()) {
                        _ if is_of_folder => is_anything = true,
                        Some((folder, name)) => files.push(folder.join(OsStr::from_bytes(name.to_bytes()))),
                        // A watch that has ended.
                        None => {}
                    }
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                // Without reports, all files are compared.
                Err(_) => return ChangeReport::Anything,
            }
        }
        match (is_anything, files.is_empty()) {
            (true, _) => ChangeReport::Anything,
            (false, true) => ChangeReport::Nothing,
            (false, false) => ChangeReport::Files(files),
        }
    }
}
