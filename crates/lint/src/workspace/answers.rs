//! [`Answers`]: a cache of the answers of nodes that the paths of files describe. Changes of files invalidate it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hieratic::Value;
use hieratic::value::collections::{HashMap, HashSet};

use super::data::{DataFile, LOOKUP_OPTIONS, any_text};

/// Answers by the file that the nodes read, and by key.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<ByFile>);

type ByFile = HashMap<PathBuf, HashMap<String, Arc<[Value]>>>;

impl Answers {
    fn all(&self) -> MutexGuard<'_, ByFile> {
        // Each operation on the map is atomic, so a poisoned lock is safe to use.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the answers to a key of the nodes that read a file, from the cache or from `ask`.
    pub(crate) fn get(&self, file: &Path, key: &str, ask: impl FnOnce() -> Vec<Value>) -> Arc<[Value]> {
        if let Some(known) = self.all().get(file).and_then(|keys| keys.get(key)) {
            return known.clone();
        }
        let answers: Arc<[Value]> = ask().into();
        self.all().entry(file.to_owned()).or_default().insert(key.to_owned(), answers.clone());
        answers
    }

    /// Drops the answers that a change of a file can reach: those to the keys that differ, or all answers if the change
    /// concerns merge options or a value that another value may interpolate.
    pub(crate) fn forget(&self, before: &DataFile, after: &DataFile, others: &[Arc<DataFile>]) {
        if before.hash.get(LOOKUP_OPTIONS) != after.hash.get(LOOKUP_OPTIONS) {
            return self.all().clear();
        }
        let keys = before.entries().chain(after.entries()).map(|(key, _)| key);
        let changed: HashSet<&str> = keys.filter(|key| before.hash.get(key) != after.hash.get(key)).collect();
        if changed.is_empty() {
            return;
        }
        // An interpolation may bring a value to any other key.
        if others
            .iter()
            .any(|file| file.may_interpolate() && file.entries().any(|(_, value)| mentions(value, &changed)))
        {
            return self.all().clear();
        }
        for keys in self.all().values_mut() {
            keys.retain(|key, _| !changed.contains(key.as_str()));
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        self.all().clear();
    }
}

/// Returns whether an interpolation in a value may name one of some keys.
fn mentions(value: &Value, keys: &HashSet<&str>) -> bool {
    let names = |text: &str| keys.iter().any(|key| text.contains(key));
    any_text(value, &|text| text.contains("%{") && (names(text) || text.contains("\\")))
}
