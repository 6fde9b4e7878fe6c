//! What a node has looked at, and whether that is still so.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use hieratic_powers::Budget;

use super::Node;
use crate::freshness::Freshness;

impl Node {
    /// How many times the node has looked at the file system. As long as the number stays the same, everything was
    /// answered from what the node had seen before.
    pub fn looks(&self) -> usize {
        self.looks.count()
    }

    /// The files that the node has looked at and that are not as they were.
    pub fn changed(&self) -> Vec<Arc<Path>> {
        self.looks.changed()
    }

    /// Whether all that the node has looked at is as it was then, and had been so for a while.
    ///
    /// The outcome [`Freshness::Current`] proves that everything that the node has read was there at one moment: after
    /// it had been read last, and before this was asked.
    pub fn freshness(&self, settle: Duration) -> Freshness {
        self.looks.freshness(settle)
    }

    /// The same, with what searching for patterns again is taken from; if that is not enough, something may have changed.
    pub fn freshness_within(&self, settle: Duration, budget: &Budget) -> Freshness {
        self.looks.freshness_within(settle, budget)
    }

    /// How many bytes the node keeps of what it has looked at, roughly.
    pub fn weight(&self) -> u64 {
        self.looks.weight()
    }
}
