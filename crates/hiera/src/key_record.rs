//! [`KeyRecord`]: the keys for which lookups have searched data.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_value::collections::HashSet;

use hieratic_value::Str;
use indexmap::IndexSet;

/// The keys for which the lookups of a node have searched data, without the path into their values: those of queries,
/// `lookup_options`, and those that values refer to.
///
/// An answer does not depend on any other key of a data file, unless a function has read the file.
///
/// ```
/// use hieratic_hiera::KeyRecord;
/// assert!(KeyRecord::default().keys().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct KeyRecord(Mutex<AskedParts>);

#[derive(Debug, Default)]
struct AskedParts {
    keys: IndexSet<Str>,
    /// The files that functions of a language have read.
    code_files: HashSet<PathBuf>,
    /// Whether functions may have read further files.
    has_unknown: bool,
}

impl KeyRecord {
    /// Returns the distinct keys.
    pub fn keys(&self) -> Vec<Str> {
        self.locked().keys.iter().cloned().collect()
    }

    /// Returns the files that functions of a language have read, or `None` if that is unknown.
    pub(crate) fn code_files(&self) -> Option<HashSet<PathBuf>> {
        let all = self.locked();
        (!all.has_unknown).then(|| all.code_files.clone())
    }

    /// Records the root of a key.
    pub(crate) fn record(&self, root: &Str) {
        let keys = &mut self.locked().keys;
        if !keys.contains(root) {
            keys.insert(root.clone());
        }
    }

    /// Records that a function has read a file.
    pub(crate) fn record_code_file(&self, file: &Path) {
        self.locked().code_files.insert(file.to_owned());
    }

    /// Records that a function may have read files that are not recorded.
    pub(crate) fn record_unknown(&self) {
        self.locked().has_unknown = true;
    }

    fn locked(&self) -> MutexGuard<'_, AskedParts> {
        // Each set is complete after each insertion, so a poisoned lock is harmless.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
