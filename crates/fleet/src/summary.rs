//! [`Summary`]: what was written.

use crate::source::NodeFault;

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// How many nodes.
    pub nodes: usize,
    /// How many rows.
    pub rows: u64,
    /// How many rows contain an error instead of a value.
    pub failed: u64,
    /// How often nodes had to be asked; all others are like one of them.
    pub classes: usize,
    /// How many keys they were asked for. What is made of the same as the answer of another node is not looked up
    /// again.
    pub lookups: u64,
    /// The first nodes that could not be asked at all, because their facts cannot be read or their hierarchies cannot
    /// be used.
    pub faults: Vec<NodeFault>,
    /// How many of these there were.
    pub unanswered: usize,
}
