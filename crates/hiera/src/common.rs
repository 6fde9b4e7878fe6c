//! [`Common`]: files that many nodes read one after the other, with one table of all their keys.
//!
//! A lookup asks one table for each level of a hierarchy, and most nodes have most levels in common. So the files that nodes have in
//! common get a table together, and what it answers where no other file has the key is kept there: one question in the place of many.
//! The files of a node's own are asked beside it.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use hieratic_value::Value;
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::SmallVec;

use crate::key::{self, Key};
use crate::source::Data;

/// How many keys the tables of an environment have together.
const MOST_KEYS: usize = 1 << 18;

/// Of how many combinations of files it is kept how often they were met.
const MOST_COMBINATIONS: usize = 10_000;

/// How many nodes must have the same files before these get a table.
const NODES: u32 = 3;

/// Files that many nodes read one after the other.
#[derive(Debug)]
pub(crate) struct Common {
    /// The files. They are not held: when one is read anew, nobody asks for the table any more.
    files: Box<[Weak<Data>]>,
    keys: IndexMap<Value, Held, FxBuildHasher>,
}

/// A key of common files.
#[derive(Debug)]
pub(crate) struct Held {
    /// The files that have it, the highest first.
    pub(crate) holders: SmallVec<[Holder; 2]>,
    /// What merging them by a strategy gives, by the number of the strategy.
    answer: OnceLock<(u64, Value)>,
}

/// A file that has a key: its number among the common files, and the position of the key in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder {
    pub(crate) file: u32,
    pub(crate) at: u32,
}

impl Common {
    fn of(files: &[&Arc<Data>]) -> Option<Common> {
        let mut keys: IndexMap<Value, Held, FxBuildHasher> = IndexMap::default();
        for (number, file) in (0..).zip(files) {
            for (at, key) in (0..).zip(file.keys()) {
                let held = keys
                    .entry(key.clone())
                    .or_insert_with(|| Held { holders: SmallVec::new(), answer: OnceLock::new() });
                held.holders.push(Holder { file: number, at });
            }
            if keys.len() > MOST_KEYS {
                return None;
            }
        }
        Some(Common { files: files.iter().map(|file| Arc::downgrade(file)).collect(), keys })
    }

    /// A key, if one of the files has it.
    pub(crate) fn get(&self, key: &Key) -> Option<&Held> {
        let at = key::position(&self.keys, key)?;
        self.keys.get_index(at).map(|(_, held)| held)
    }

    fn is_current(&self) -> bool {
        self.files.iter().all(|file| file.strong_count() > 0)
    }
}

impl Held {
    /// What a strategy gives.
    pub(crate) fn answer(&self, strategy: u64) -> Option<&Value> {
        self.answer.get().filter(|(other, _)| *other == strategy).map(|(_, value)| value)
    }

    /// Keeps what a strategy gives. Most keys are merged in one way.
    pub(crate) fn keep(&self, strategy: u64, value: &Value) {
        self.answer.get_or_init(|| (strategy, value.clone()));
    }
}

/// The tables of an environment, by the files and their places in the hierarchy.
#[derive(Debug, Default)]
pub(crate) struct Commons(Mutex<Tables>);

#[derive(Debug, Default)]
struct Tables {
    combinations: FxHashMap<Box<[u64]>, Combination>,
    /// How many tables there are, and how many keys they have together.
    count: usize,
    keys: usize,
    /// How many tables there were when those were removed last whose files were read anew.
    swept: usize,
}

/// Files that nodes have in common.
#[derive(Debug, Default)]
struct Combination {
    /// How many nodes read them.
    nodes: u32,
    common: Option<Arc<Common>>,
}

impl Commons {
    /// Counts a node with these files, and returns their table if there is one.
    pub(crate) fn meet(&self, name: &[u64]) -> Option<Arc<Common>> {
        let mut tables = self.locked();
        if let Some(known) = tables.combinations.get_mut(name) {
            known.nodes = known.nodes.saturating_add(1);
            return known.common.clone();
        }
        if tables.combinations.len() >= MOST_COMBINATIONS {
            *tables = Tables::default();
        }
        tables.combinations.insert(name.into(), Combination { nodes: 1, common: None });
        None
    }

    /// The table of files that a node asks often, if enough nodes read them.
    pub(crate) fn table(&self, name: &[u64], files: &[&Arc<Data>]) -> Option<Arc<Common>> {
        match self.locked().combinations.get(name)? {
            Combination { common: Some(common), .. } => return Some(common.clone()),
            Combination { nodes: NODES.., .. } => {}
            Combination { .. } => return None,
        }
        // Other nodes need not wait for it. Should two make the same, one of them is kept.
        let made = Arc::new(Common::of(files)?);
        self.locked().keep(name, &made);
        Some(made)
    }

    fn locked(&self) -> MutexGuard<'_, Tables> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tables {
    fn keep(&mut self, name: &[u64], made: &Arc<Common>) {
        // Looking at all tables for each new one would be quadratic.
        if self.count > 2 * self.swept || self.keys + made.keys.len() > MOST_KEYS {
            self.sweep();
        }
        if self.keys + made.keys.len() > MOST_KEYS {
            *self = Tables::default();
        }
        let combination = self.combinations.entry(name.into()).or_insert(Combination { nodes: NODES, common: None });
        if combination.common.is_none() {
            combination.common = Some(made.clone());
            self.count += 1;
            self.keys += made.keys.len();
        }
    }

    /// Removes the tables of files that were read anew.
    fn sweep(&mut self) {
        self.combinations.retain(|_, one| one.common.as_ref().is_none_or(|common| common.is_current()));
        let tables = || self.combinations.values().filter_map(|one| one.common.as_ref());
        (self.count, self.keys) = (tables().count(), tables().map(|common| common.keys.len()).sum());
        self.swept = self.count;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use hieratic_value::Hash;

    use super::*;
    use crate::source::SourceName;

    fn file(number: u64) -> Arc<Data> {
        let pairs = (0..=number).map(|key| (Value::from(format!("k{key}")), Value::Integer(1)));
        Arc::new(Data::new(pairs.collect::<Hash>(), None, SourceName::Other("a file".into())))
    }

    #[test]
    fn tables_go_with_their_files_and_others_stay() {
        let commons = Commons::default();
        let mut files: Vec<Arc<Data>> = (0..40).map(file).collect();
        let table = |number: u64, file: &Arc<Data>| {
            (0..NODES).for_each(|_| assert!(commons.meet(&[number]).is_none()));
            commons.table(&[number], &[file]).unwrap()
        };
        for (number, file) in (0..).zip(&files) {
            assert_eq!(table(number, file).keys.len() as u64, number + 1);
        }
        let counted = |tables: &Tables| (tables.count, tables.keys);
        assert_eq!(counted(&commons.locked()), (40, (1..=40).sum()));
        files.truncate(10);
        // Nobody looks at all tables for every new one, but sooner or later somebody does.
        let more: Vec<Arc<Data>> = (100..200).map(|_| file(0)).collect();
        for (number, file) in (100..).zip(&more) {
            table(number, file);
        }
        let tables = commons.locked();
        assert_eq!(counted(&tables), (110, (1..=10).sum::<usize>() + 100));
        assert!(tables.combinations.iter().all(|(_, one)| one.common.as_ref().unwrap().is_current()));
        drop(tables);
        assert!((0..10).all(|number| commons.meet(&[number]).is_some()));
        assert!((10..40).all(|number| commons.meet(&[number]).is_none()));
    }
}
