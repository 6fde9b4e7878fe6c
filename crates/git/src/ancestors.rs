//! The common ancestors of two commits.

use std::collections::{BinaryHeap, HashMap};

use crate::error::Error;
use crate::id::Id;
use crate::repository::{Commit, Repository, SHALLOW};

/// Commits, of which the youngest comes first.
#[derive(Default)]
pub(crate) struct Queue(BinaryHeap<(i64, Id)>);

impl Queue {
    pub(crate) fn push(&mut self, commit: Id, committed: i64) {
        self.0.push((committed, commit));
    }

    pub(crate) fn pop(&mut self) -> Option<Id> {
        self.0.pop().map(|(_, commit)| commit)
    }
}

/// From which side a commit was reached.
const FIRST: u8 = 1;
const SECOND: u8 = 2;
/// It comes before something that both sides have in common.
const STALE: u8 = 4;
/// It is among the results.
const RESULT: u8 = 8;

/// The state of a commit in the search.
#[derive(Clone, Copy, Default)]
struct CommitState {
    bits: u8,
    /// The number of its entries in the queue.
    waiting: usize,
}

impl CommitState {
    fn is_stale(self) -> bool {
        self.bits & STALE != 0
    }
}

/// The size of a state in bytes.
const STATE_BYTES: usize = 96;

impl Repository {
    /// Returns the merge base of two commits.
    ///
    /// # Errors
    /// The commits have no merge base, or a commit cannot be read.
    pub fn merge_base(&self, one: Commit, other: Commit) -> Result<Commit, Error> {
        let mut found = self.common(one.0, other.0)?;
        // If dates are wrong, some commits may come before others.
        let mut at = 0;
        while let Some(candidate) = found.get(at).copied() {
            let mut is_before_another = false;
            for other in found.iter().filter(|other| **other != candidate) {
                is_before_another |= self.common(candidate, *other)?.contains(&candidate);
            }
            if is_before_another {
                found.remove(at);
            } else {
                at += 1;
            }
        }
        match found.first() {
            Some(best) => Ok(Commit(*best)),
            None => {
                let help = if self.is_shallow()? { SHALLOW } else { "name both sides with two dots: BASE..HEAD" };
                Err(Error::new(format!("{} and {} have no commit in common here", one.short(), other.short()), help))
            }
        }
    }

    /// Commits from which both come, and which are not before another such commit, judging by the dates; the youngest
    /// first.
    fn common(&self, one: Id, other: Id) -> Result<Vec<Id>, Error> {
        if one == other {
            return Ok(vec![one]);
        }
        let mut marks: HashMap<Id, CommitState> = HashMap::new();
        let mut queue = Queue::default();
        let (mut found, mut bytes) = (Vec::new(), 0);
        // The number of queued commits that may still lead to a new one.
        let mut open = 0;
        for (id, side) in [(one, FIRST), (other, SECOND)] {
            marks.insert(id, CommitState { bits: side, waiting: 1 });
            open += 1;
            queue.push(id, self.commit_object(id)?.committed);
        }
        while open > 0
            && let Some(id) = queue.pop()
        {
            self.budget().step()?;
            let Some(mark) = marks.get_mut(&id) else { continue };
            mark.waiting -= 1;
            open -= usize::from(!mark.is_stale());
            let mut passed = mark.bits & (FIRST | SECOND | STALE);
            if passed == FIRST | SECOND {
                if mark.bits & RESULT == 0 {
                    mark.bits |= RESULT;
                    found.push(id);
                }
                passed |= STALE;
            }
            for parent in self.parents(id, &self.commit_object(id)?)? {
                self.budget().step()?;
                if !marks.contains_key(&parent) {
                    self.budget().bytes(STATE_BYTES)?;
                    bytes += STATE_BYTES;
                }
                let mark = marks.entry(parent).or_default();
                if mark.bits & passed == passed {
                    continue;
                }
                if !mark.is_stale() && passed & STALE != 0 {
                    open -= mark.waiting;
                }
                mark.bits |= passed;
                mark.waiting += 1;
                open += usize::from(!mark.is_stale());
                queue.push(parent, self.commit_object(parent)?.committed);
            }
        }
        self.budget().give_back(0, bytes);
        found.retain(|id| marks.get(id).is_some_and(|mark| !mark.is_stale()));
        Ok(found)
    }
}
