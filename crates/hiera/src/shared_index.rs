//! [`SharedIndex`]: a merged key index of files that many nodes read.
//!
//! A lookup would search one table per level of a hierarchy, and most nodes share most levels. The files that nodes
//! share therefore have one merged index, which also caches the merged value of a key that no other file defines: one
//! search instead of many. The files that are specific to a node are searched separately. An index addresses its keys
//! by their [ids](KeyInterner), which are the same in all indexes.

use std::iter::repeat_n;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use hieratic_value::collections::HashMap;
use hieratic_value::define_ids;
use hieratic_value::ids::{Id as _, IndexVec};
use smallvec::SmallVec;

use crate::interner::{KeyId, KeyInterner};
use crate::source::{Data, SourceId};
use crate::template::Template;

/// The maximum number of keys in all indexes of an environment together.
const MAX_KEYS: usize = 1 << 18;

/// The number of ids without a key that take as much memory as one key.
const IDS_PER_KEY: usize = 16;

define_ids! {
    /// The id of a file among the files of an index.
    pub(crate) struct SharedFileId: "shared files";
    /// The id of a key among the keys of an index.
    struct EntryId: "entries";
    /// The position of a key in its file.
    pub(crate) struct KeyPosition: "keys of a file";
}

/// The identity of an index: its sources, with their places in the hierarchy.
pub(crate) type IndexName = [(SourceId, u64)];

/// An index of files that many nodes read in sequence.
#[derive(Debug)]
pub(crate) struct SharedIndex {
    /// The files. The references are weak: when a file is reloaded, no lookup uses this index any more.
    files: Box<[Weak<Data>]>,
    /// The entry of each key that was known when the index was built.
    entry_ids: IndexVec<KeyId, Option<EntryId>>,
    entries: IndexVec<EntryId, IndexEntry>,
}

/// A key of common files.
#[derive(Debug, Default)]
pub(crate) struct IndexEntry {
    /// The files that have it, the highest first.
    pub(crate) locations: SmallVec<[KeyLocation; 2]>,
    /// The merged value, with the fingerprint of the strategy that merged it.
    answer: OnceLock<(u64, Template)>,
}

/// The location of a key: the file, and the key's position in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyLocation {
    pub(crate) file: SharedFileId,
    pub(crate) at: KeyPosition,
}

impl SharedIndex {
    /// Builds the index; `None` if the files have too many keys.
    fn build(files: &[&Arc<Data>], interner: &KeyInterner) -> Option<SharedIndex> {
        let key_ids: Vec<&[Option<KeyId>]> = files.iter().map(|file| file.key_ids(interner)).collect::<Option<_>>()?;
        let mut entry_ids = IndexVec::from_elements(repeat_n(None, interner.count())).ok()?;
        let mut entries: IndexVec<EntryId, IndexEntry> = IndexVec::new();
        for (file, key_ids) in key_ids.into_iter().enumerate() {
            let file = SharedFileId::from_index(file).ok()?;
            for (at, key) in key_ids.iter().enumerate() {
                let Some(key) = *key else { continue };
                // The keys got their ids before the ids were counted.
                let entry = &mut entry_ids[key];
                let entry = match *entry {
                    Some(known) => known,
                    None => *entry.insert(entries.push(IndexEntry::default()).ok()?),
                };
                entries[entry].locations.push(KeyLocation { file, at: KeyPosition::from_index(at).ok()? });
            }
        }
        let files = files.iter().map(|file| Arc::downgrade(file)).collect();
        Some(SharedIndex { files, entry_ids, entries }).filter(|result| result.size() <= MAX_KEYS)
    }

    /// Returns the entry of a key, if one of the files has the key.
    pub(crate) fn get(&self, key: KeyId) -> Option<&IndexEntry> {
        // A key that is newer than the index is in none of its files.
        self.entry_ids.get(key).copied().flatten().map(|entry| &self.entries[entry])
    }

    /// As how many keys it counts.
    fn size(&self) -> usize {
        self.entries.len() + self.entry_ids.len() / IDS_PER_KEY
    }

    fn is_current(&self) -> bool {
        self.files.iter().all(|file| file.strong_count() > 0)
    }
}

impl IndexEntry {
    /// Returns the cached result of a strategy.
    pub(crate) fn cached(&self, strategy: u64) -> Option<&Template> {
        self.answer.get().filter(|(other, _)| *other == strategy).map(|(_, answer)| answer)
    }

    /// Caches the result of a strategy. Only the first strategy is cached: most keys are merged in one way.
    pub(crate) fn keep(&self, strategy: u64, answer: &Template) {
        // Others would be copied.
        if matches!(answer, Template::Plain(_) | Template::Text(_)) {
            self.answer.get_or_init(|| (strategy, answer.clone()));
        }
    }
}

/// The tables of an environment, by the files and their places in the hierarchy.
#[derive(Debug, Default)]
pub(crate) struct SharedIndexes(Mutex<IndexTable>);

#[derive(Debug, Default)]
struct IndexTable {
    known: HashMap<Box<IndexName>, Arc<SharedIndex>>,
    /// As how many keys they count together.
    size: usize,
    /// The number of indexes after the last sweep, which removes those with reloaded files.
    swept: usize,
}

impl SharedIndexes {
    /// Returns the index of these files, if it exists.
    pub(crate) fn known(&self, name: &IndexName) -> Option<Arc<SharedIndex>> {
        self.locked().known.get(name).cloned()
    }

    /// Returns the index of files that a node reads often, or `None` if they have too many keys.
    pub(crate) fn get_or_build(
        &self,
        name: &IndexName,
        files: &[&Arc<Data>],
        interner: &KeyInterner,
    ) -> Option<Arc<SharedIndex>> {
        if let Some(known) = self.known(name) {
            return Some(known);
        }
        // The index is built without the lock, so other nodes do not wait. If two threads build the same one, the last
        // is stored.
        let result = Arc::new(SharedIndex::build(files, interner)?);
        self.locked().keep(name, &result);
        Some(result)
    }

    fn locked(&self) -> MutexGuard<'_, IndexTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl IndexTable {
    fn keep(&mut self, name: &IndexName, result: &Arc<SharedIndex>) {
        // Looking at all tables for each new one would be quadratic.
        if self.known.len() > 2 * self.swept || self.size + result.size() > MAX_KEYS {
            self.sweep();
        }
        if self.size + result.size() > MAX_KEYS {
            *self = IndexTable::default();
        }
        if self.known.insert(name.into(), result.clone()).is_none() {
            self.size += result.size();
        }
    }

    /// Removes the indexes of files that were reloaded.
    fn sweep(&mut self) {
        self.known.retain(|_, common| common.is_current());
        self.size = self.known.values().map(|common| common.size()).sum();
        self.swept = self.known.len();
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use hieratic_value::{Hash, Value};

    use super::*;
    use crate::source::SourceName;

    fn file(number: u64) -> Arc<Data> {
        let pairs = (0..=number).map(|key| (Value::from(format!("k{key}")), Value::Integer(1)));
        Arc::new(Data::new(pairs.collect::<Hash>(), None, SourceName::Other("a file".into())))
    }

    #[test]
    fn tables_go_with_their_files_and_others_stay() {
        let (commons, interner) = (SharedIndexes::default(), KeyInterner::default());
        let mut files: Vec<Arc<Data>> = (0..40).map(file).collect();
        let table = |file: &Arc<Data>| {
            let name = [(file.id(), 0)];
            assert!(commons.known(&name).is_none());
            commons.get_or_build(&name, &[file], &interner).unwrap()
        };
        let names: Vec<_> = files.iter().map(|file| [(file.id(), 0)]).collect();
        for (number, file) in files.iter().enumerate() {
            assert_eq!(table(file).entries.len(), number + 1);
        }
        let counted = |tables: &IndexTable| {
            (tables.known.len(), tables.known.values().map(|one| one.entries.len()).sum::<usize>())
        };
        assert_eq!(counted(&commons.locked()), (40, (1..=40).sum()));
        files.truncate(10);
        // New indexes do not trigger a sweep each, but eventually one.
        let more: Vec<Arc<Data>> = (100..200).map(|_| file(0)).collect();
        for file in &more {
            table(file);
        }
        let tables = commons.locked();
        assert_eq!(counted(&tables), (110, (1..=10).sum::<usize>() + 100));
        assert!(tables.known.values().all(|one| one.is_current()));
        assert_eq!(tables.size, tables.known.values().map(|one| one.size()).sum::<usize>());
        drop(tables);
        assert!(names[..10].iter().all(|name| commons.known(name).is_some()));
        assert!(names[10..].iter().all(|name| commons.known(name).is_none()));
    }
}
