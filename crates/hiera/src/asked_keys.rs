//! [`AskedKeys`]: the keys for which lookups have searched data.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_value::Str;
use indexmap::IndexSet;

/// The keys for which the lookups of a node have searched data, without the path into their values: those of queries,
/// `lookup_options`, and those that values mention.
///
/// An answer depends on no other key of a data file.
///
/// ```
/// use hieratic_hiera::AskedKeys;
/// assert!(AskedKeys::default().keys().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct AskedKeys(Mutex<IndexSet<Str>>);

impl AskedKeys {
    /// Returns the keys, each once.
    pub fn keys(&self) -> Vec<Str> {
        self.locked().iter().cloned().collect()
    }

    /// Records the root of a key.
    pub(crate) fn record(&self, root: &Str) {
        let mut all = self.locked();
        if !all.contains(root) {
            all.insert(root.clone());
        }
    }

    fn locked(&self) -> MutexGuard<'_, IndexSet<Str>> {
        // The set is complete after each insertion, so a poisoned lock is harmless.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
