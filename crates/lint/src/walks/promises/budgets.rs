//! [`PromiseBudgets`]: the budgets for checking promises. The work is the number of promises times the number of keys
//! and nodes, and must not block a check.

use hieratic::budget::{Budget, Exhausted, Limits};

use super::Breach;

/// The approximate memory of a breach until it is rendered, without its strings, in bytes.
const BREACH: usize = 1 << 10;

/// The budgets of checking promises: the limits of an answer for each node, and once for all work that does not belong
/// to a node.
pub(super) struct PromiseBudgets {
    nodes: Vec<Budget>,
    /// Made up nodes, patterns of keys, and everything that is found.
    pub(super) shared: Budget,
}

impl PromiseBudgets {
    /// The limits, multiplied by the number of nodes.
    pub(super) fn new(limits: Limits, nodes: usize) -> PromiseBudgets {
        PromiseBudgets { nodes: (0..nodes).map(|_| Budget::new(limits)).collect(), shared: Budget::new(limits) }
    }

    /// The budget of a node.
    pub(super) fn for_node(&self, node: usize) -> &Budget {
        self.nodes.get(node).unwrap_or(&self.shared)
    }

    /// Charges the memory of a breach.
    pub(super) fn keep(&self, breach: &Breach) -> Result<(), Exhausted> {
        let strings = breach.promise.len() + breach.message.len() + breach.help.as_ref().map_or(0, String::len);
        self.shared.bytes(BREACH + strings)
    }

    /// Charges the memory of a message that is not a breach.
    pub(super) fn keep_message(&self, message: &str) -> Result<(), Exhausted> {
        self.shared.bytes(BREACH + message.len())
    }
}
