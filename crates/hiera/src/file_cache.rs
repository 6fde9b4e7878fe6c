//! [`FileCache`]: a cache of values that are computed from files and dropped when the files change.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_sandbox::Files;
use hieratic_value::collections::HashMap;

use crate::file_id::Observation;

/// Values computed from files, each with the state of the file before it was read.
///
/// The cache does not return a value if the file has changed since, or changed just before it was read. Missing files
/// are cached as well.
///
/// ```
/// use hieratic_hiera::FileCache;
/// use hieratic_sandbox::Files;
///
/// let lengths = FileCache::new(Files::anywhere());
/// let length = |path: &std::path::Path| {
///     lengths.get(path).unwrap_or_else(|seen| {
///         let length = lengths.files().read(path).map_or(0, |bytes| bytes.len());
///         lengths.keep(path, seen, length);
///         length
///     })
/// };
/// assert_eq!(length("/no/such/file".as_ref()), 0);
/// ```
#[derive(Debug)]
pub struct FileCache<T> {
    files: Files,
    kept: Mutex<HashMap<PathBuf, (Observation, T)>>,
}

/// The state of a file before it is read.
#[derive(Clone, Debug)]
pub struct FileState(pub(crate) Observation);

impl FileState {
    /// Returns a string that identifies this state of the file, or `None` if the file does not exist or may be
    /// changing.
    pub fn stamp(&self) -> Option<String> {
        self.0.file_id.as_ref().filter(|_| self.0.is_settled()).map(|file_id| format!("{file_id:?}"))
    }

    /// Returns whether `now` is certainly the same state.
    pub fn holds(&self, now: &FileState) -> bool {
        self.0.holds(&now.0)
    }
}

impl<T: Clone> FileCache<T> {
    /// Creates an empty cache for the files that may be read.
    pub fn new(files: Files) -> FileCache<T> {
        FileCache { files, kept: Mutex::default() }
    }

    /// Returns the files that may be read.
    pub fn files(&self) -> &Files {
        &self.files
    }

    /// Returns the cached value of an unchanged file.
    ///
    /// # Errors
    /// The cache has no value. The error is the state of the file: read the file now, and [keep](Self::keep) the result
    /// with this state.
    pub fn get(&self, file: &Path) -> Result<T, FileState> {
        self.get_in(&self.files, file)
    }

    /// Returns the cached value of a file in the state that a node [observed](crate::DataContext::see).
    pub fn get_observed(&self, file: &Path, seen: &FileState) -> Option<T> {
        let all = self.all();
        let (then, value) = all.get(file)?;
        then.holds(&seen.0).then(|| value.clone())
    }

    /// Like [`get`](Self::get), for a file that is read through the given files.
    pub(crate) fn get_in(&self, files: &Files, file: &Path) -> Result<T, FileState> {
        let seen = FileState(Observation::read(files, file));
        self.get_observed(file, &seen).ok_or(seen)
    }

    /// Returns the cached value of a file, even if the file has changed.
    pub(crate) fn known(&self, file: &Path) -> Option<T> {
        self.all().get(file).map(|(_, value)| value.clone())
    }

    /// Caches a value for a file that was read after `seen` was observed, unless the file is another one now: its value
    /// may come from either.
    pub fn keep(&self, file: &Path, seen: FileState, value: T) {
        self.keep_in(&self.files, file, seen, value);
    }

    /// Like [`keep`](Self::keep), for a file that was read through the given files.
    pub(crate) fn keep_in(&self, files: &Files, file: &Path, seen: FileState, value: T) {
        if seen.0.is_of_current(files, file) {
            self.all().insert(file.to_path_buf(), (seen.0, value));
        }
    }

    fn all(&self) -> MutexGuard<'_, HashMap<PathBuf, (Observation, T)>> {
        // The map is consistent after each insertion, so a poisoned lock is harmless.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_result_lasts_until_its_file_changes() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let kept = FileCache::new(Files::anywhere());
        let read = || match kept.get(&file) {
            Ok(text) => (text, false),
            Err(seen) => {
                let text = std::fs::read_to_string(&file).ok();
                kept.keep(&file, seen, text.clone());
                (text, true)
            }
        };
        let settle = || std::thread::sleep(std::time::Duration::from_millis(40));
        settle();
        assert_eq!((read(), read()), ((None, true), (None, false)));
        std::fs::write(&file, "1").unwrap();
        settle();
        assert_eq!((read(), read()), ((Some("1".into()), true), (Some("1".into()), false)));
        std::fs::write(&file, "2").unwrap();
        // A file that was just written may be rewritten within one tick of the clock, so it is not cached.
        assert_eq!((read(), read()), ((Some("2".into()), true), (Some("2".into()), true)));
        settle();
        assert_eq!((read(), read()), ((Some("2".into()), true), (Some("2".into()), false)));
    }
}
