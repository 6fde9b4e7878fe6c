//! The groups of a match.

use std::ops::Range;
use std::sync::Arc;

/// The names of a pattern's groups with their numbers, in the order in which the names first occur. One name may stand
/// for several groups.
pub(crate) type GroupNames = Arc<[(Box<str>, Vec<usize>)]>;

/// A match with its groups, as byte ranges in the searched string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Captures {
    pub(crate) whole: Range<usize>,
    pub(crate) groups: Vec<Option<Range<usize>>>,
    pub(crate) names: GroupNames,
}

impl Captures {
    /// Returns the range of the whole match.
    pub fn whole(&self) -> Range<usize> {
        self.whole.clone()
    }

    /// Returns the range of a group, counted from 1; 0 means the whole match. Returns `None` if there is no such group,
    /// or if it did not take part.
    pub fn get(&self, group: usize) -> Option<Range<usize>> {
        match group {
            0 => Some(self.whole.clone()),
            _ => self.groups.get(group - 1).cloned().flatten(),
        }
    }

    /// Returns the range of a named group. If several have the name, returns the last one that took part, as in Ruby.
    pub fn name(&self, name: &str) -> Option<Range<usize>> {
        let (_, groups) = self.names.iter().find(|(known, _)| &**known == name)?;
        groups.iter().rev().find_map(|group| self.get(*group))
    }

    /// Returns the whole match and then each group, as Ruby's `MatchData#to_a`.
    pub fn iter(&self) -> impl Iterator<Item = Option<Range<usize>>> + '_ {
        std::iter::once(Some(self.whole.clone())).chain(self.groups.iter().cloned())
    }
}
