//! Detects whether the files that a node has read are unchanged.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hieratic_budget::Budget;

use super::Node;
use crate::freshness::Freshness;

impl Node {
    /// Returns the number of times that the node has accessed the file system. If it has not changed, every answer
    /// since came from the node's earlier observations.
    pub fn accesses(&self) -> usize {
        self.accesses.count()
    }

    /// Returns the observed files that have changed.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        self.accesses.changed()
    }

    /// Returns whether all files of the node are unchanged, and had been unchanged for `settle` before.
    ///
    /// [`Freshness::Current`] proves that everything that the node has read existed at one moment between the last read
    /// and this call.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        self.accesses.freshness(settle)
    }

    /// Like [`freshness`](Self::freshness), with a budget for repeating the globs. If it is exhausted, the result is
    /// [`Freshness::Changed`].
    pub fn freshness_within(&self, settle: Duration, budget: &Budget) -> Freshness {
        self.accesses.freshness_within(settle, budget)
    }

    /// Returns the approximate size of the node's observations, in bytes.
    pub fn weight(&self) -> u64 {
        self.accesses.weight()
    }
}
