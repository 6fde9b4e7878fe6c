//! The changes of a map, indexed by entry.

use hieratic_value::collections::{HashMap, HashSet};

use super::{Added, Change, MapChange};

/// The parts of a [`MapChange`] by the positions of the entries.
pub(super) struct EntryChanges<'c> {
    values: HashMap<usize, &'c Change>,
    removed: HashSet<usize>,
    moved: HashSet<usize>,
    added: HashMap<Option<usize>, Vec<&'c Added>>,
}

impl<'c> EntryChanges<'c> {
    pub(super) fn from_change(change: &'c MapChange) -> EntryChanges<'c> {
        let mut added: HashMap<Option<usize>, Vec<&Added>> = HashMap::default();
        for new in &change.added {
            added.entry(new.after).or_default().push(new);
        }
        EntryChanges {
            values: change.values.iter().rev().map(|(at, change)| (*at, change)).collect(),
            removed: change.removed.iter().copied().collect(),
            moved: change.moved.iter().copied().collect(),
            added,
        }
    }

    /// The change of the value of an entry.
    pub(super) fn value(&self, at: usize) -> Option<&'c Change> {
        self.values.get(&at).copied()
    }

    pub(super) fn is_removed(&self, at: usize) -> bool {
        self.removed.contains(&at)
    }

    /// Returns whether an entry is removed here and written elsewhere.
    pub(super) fn is_moved(&self, at: usize) -> bool {
        self.moved.contains(&at)
    }

    /// The new entries after an entry, or at the beginning.
    pub(super) fn added(&self, after: Option<usize>) -> &[&'c Added] {
        self.added.get(&after).map(Vec::as_slice).unwrap_or_default()
    }

    /// The new entries after entries that do not exist, in the order of the change.
    pub(super) fn added_behind(change: &'c MapChange, length: usize) -> impl Iterator<Item = &'c Added> {
        change.added.iter().filter(move |added| added.after.is_some_and(|after| after >= length))
    }
}
