//! [`IndexFile`]: the index of a pack. After many searches, it is read completely.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::block_file::read_at;

/// The index of a pack. Ids are hashes, so that no two questions are near each other.
#[derive(Debug)]
pub(crate) struct IndexFile {
    file: File,
    size: u64,
    /// The number of bytes that were read in parts.
    read: AtomicU64,
    /// All bytes, or `None` inside if there is no room for them.
    whole: OnceLock<Option<Vec<u8>>>,
}

/// The limit of all indexes that are kept as a whole, in bytes: those of three million objects.
const MOST_KEPT: u64 = 96 << 20;
/// The size of all indexes that are kept as a whole.
static KEPT: AtomicU64 = AtomicU64::new(0);

impl IndexFile {
    /// The index in a file of a size.
    pub(crate) fn new(file: File, size: u64) -> IndexFile {
        IndexFile { file, size, read: AtomicU64::new(0), whole: OnceLock::new() }
    }

    /// The bytes from an offset on. They are not copied if the index was read as a whole.
    ///
    /// # Errors
    /// The file cannot be read, or it ends before.
    pub(crate) fn bytes(&self, offset: u64, count: usize) -> io::Result<Cow<'_, [u8]>> {
        // Reading in parts has cost as much as reading the whole: each part is a call of the system.
        let is_often = self.read.fetch_add(count as u64, Ordering::Relaxed) > self.size / 4;
        let whole = if is_often { self.whole.get_or_init(|| self.read_whole()).as_deref() } else { None };
        let Some(whole) = whole else {
            let mut part = vec![0; count];
            read_at(&self.file, &mut part, offset)?;
            return Ok(Cow::Owned(part));
        };
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let part = whole.get(start..).and_then(|rest| rest.get(..count)).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Cow::Borrowed(part))
    }

    /// All bytes; `None` if there is no room for them, or if they cannot be read: then each part says why.
    fn read_whole(&self) -> Option<Vec<u8>> {
        if KEPT.fetch_add(self.size, Ordering::Relaxed) + self.size > MOST_KEPT {
            KEPT.fetch_sub(self.size, Ordering::Relaxed);
            return None;
        }
        let mut bytes = Vec::new();
        let size = usize::try_from(self.size).ok();
        let is_read = size.is_some_and(|size| {
            bytes.try_reserve_exact(size).is_ok() && {
                bytes.resize(size, 0);
                read_at(&self.file, &mut bytes, 0).is_ok()
            }
        });
        if !is_read {
            KEPT.fetch_sub(self.size, Ordering::Relaxed);
        }
        is_read.then_some(bytes)
    }
}

impl Drop for IndexFile {
    fn drop(&mut self) {
        if matches!(self.whole.get(), Some(Some(_))) {
            KEPT.fetch_sub(self.size, Ordering::Relaxed);
        }
    }
}
