//! [`Summary`]: the counts of an export.

use crate::source::NodeError;

/// The counts of an export.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of rows.
    pub rows: u64,
    /// The number of rows with an error instead of a value.
    pub failed: u64,
    /// The number of nodes with a row for each of the [named](crate::Options::named) keys and patterns, in order.
    pub found: Vec<u64>,
    /// The number of nodes that were looked up. Each other node is equivalent to one of them.
    pub classes: usize,
    /// The number of keys that were looked up for these nodes. An answer with the same dependencies as that of another
    /// node is not looked up again.
    pub lookups: u64,
    /// The first nodes that failed, because their facts cannot be read or their hierarchies are invalid.
    pub faults: Vec<NodeError>,
    /// The number of nodes that failed.
    pub unanswered: usize,
}

impl Summary {
    /// Returns the named keys and patterns for which no node has a row.
    pub fn missing<'n>(&self, named: &'n [String]) -> Vec<&'n str> {
        let found = named.iter().zip(&self.found);
        found.filter(|(_, nodes)| **nodes == 0).map(|(name, _)| name.as_str()).collect()
    }
}
