//! [`Work`]: what checking promises may take. A repository states as many promises as it likes, about as many keys as it has: their product
//! for all nodes must not keep a check busy for ever.

use hieratic::powers::{Budget, Exhausted, Limits};
use hieratic_diagnostics::{Source, Span};

use super::Breach;
use crate::finding::Finding;
use crate::rules;

/// What a breach takes in memory until it is written out as a finding, apart from its strings, about.
const BREACH: usize = 1 << 10;

/// What checking promises may take: the limits of an answer for each node, and once for what is done for no node or for all of them.
pub(super) struct Work {
    nodes: Vec<Budget>,
    /// Made up nodes, patterns of keys, and everything that is found.
    pub(super) shared: Budget,
}

impl Work {
    /// As much as the limits are, for so many nodes.
    pub(super) fn new(limits: Limits, nodes: usize) -> Work {
        Work { nodes: (0..nodes).map(|_| Budget::new(limits)).collect(), shared: Budget::new(limits) }
    }

    /// The budget of a node.
    pub(super) fn of(&self, node: usize) -> &Budget {
        self.nodes.get(node).unwrap_or(&self.shared)
    }

    /// Takes what a breach needs, before it is kept.
    pub(super) fn keep(&self, breach: &Breach) -> Result<(), Exhausted> {
        let strings = breach.promise.len() + breach.message.len() + breach.help.as_ref().map_or(0, String::len);
        self.shared.bytes(BREACH + strings)
    }

    /// Takes what a message needs that is no breach.
    pub(super) fn keep_message(&self, message: &str) -> Result<(), Exhausted> {
        self.shared.bytes(BREACH + message.len())
    }
}

/// The finding that says that promises are not checked to their end, at the first of them.
pub(super) fn stopped(why: Exhausted, place: Option<(Source, Span)>) -> Finding {
    let finding = Finding::new(&rules::INVALID_PROMISE, format!("The promises are not checked to the end: {why}"));
    let finding = finding.help(why.help().unwrap_or_else(|| "run the check again".to_owned()));
    match place {
        Some((source, span)) => finding.at(&source, span, ""),
        None => finding,
    }
}
