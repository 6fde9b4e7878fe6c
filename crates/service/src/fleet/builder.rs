//! [`IndexBuilder`]: reads the answers of all nodes, one node after the other.
//!
//! It has three parts: the nodes [that are still to be read](NodeFeed), the answers [that nodes
//! share](SharedAnswers), and [the nodes that were read](NodeRecords).

use std::time::{Duration, Instant};

use hieratic::Facts;
use hieratic::budget::{Budget, Limits};
use hieratic_puppetdb::Pages;

use super::assemble::assemble;
use super::feed::{FedNode, NodeFeed};
use super::ids::ClassId;
use super::index::Table;
use super::records::NodeRecords;
use super::shared::SharedAnswers;
use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fingerprint::EnvironmentFingerprint;
use crate::lookups::NodeContext;
use crate::problem::Problem;

/// The maximum size of the keys, values and facts of an index, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The time limit of one node.
const MAX_NODE_TIME: Duration = Duration::from_secs(3);

/// An index that is being made.
pub(super) struct IndexBuilder {
    environment_id: u64,
    fingerprint: EnvironmentFingerprint,
    feed: NodeFeed,
    shared: SharedAnswers,
    records: NodeRecords,
    /// The size of the pool when it had no outdated entries, in bytes.
    fresh_bytes: usize,
    started: Instant,
    finished: Option<Instant>,
}

impl IndexBuilder {
    /// Creates a builder for some nodes, whose facts come in `pages` or are requested one by one.
    pub(super) fn new(
        names: Vec<String>,
        pages: Option<Pages>,
        environment_id: u64,
        fingerprint: EnvironmentFingerprint,
        before: Option<IndexBuilder>,
    ) -> IndexBuilder {
        // The entries of the pool that no node uses any more should not outweigh the others.
        let before = before.filter(|old| old.shared.pool.bytes() <= old.fresh_bytes + MAX_BYTES / 8);
        let (shared, fresh_bytes) = match before {
            Some(old) => (SharedAnswers::after(old.shared), old.fresh_bytes),
            None => (SharedAnswers::default(), 0),
        };
        IndexBuilder {
            environment_id,
            fingerprint,
            feed: NodeFeed::new(names, pages),
            shared,
            records: NodeRecords::default(),
            fresh_bytes,
            started: Instant::now(),
            finished: None,
        }
    }

    pub(super) fn is_for(&self, environment_id: u64, fingerprint: &EnvironmentFingerprint) -> bool {
        self.environment_id == environment_id && self.fingerprint == *fingerprint
    }

    pub(super) fn is_done(&self) -> bool {
        self.feed.is_exhausted() || self.is_full()
    }

    fn is_full(&self) -> bool {
        self.shared.bytes() + self.records.bytes() > MAX_BYTES
    }

    /// Reads further nodes for a while.
    ///
    /// # Errors
    /// Facts that come in pages do not come any more.
    pub(super) fn extend(
        &mut self,
        service: &Service,
        opened: &OpenEnvironment,
        turn: Duration,
    ) -> Result<(), Problem> {
        let deadline = Instant::now() + turn;
        while !self.is_done() && Instant::now() < deadline {
            let Some(FedNode { name, facts }) = self.feed.next(service)? else { break };
            let added = facts.and_then(|facts| {
                let class = self.class_of(service, opened, &facts)?;
                Ok(self.records.add(&name, class, &facts, &mut self.shared)?)
            });
            if let Err(problem) = added {
                self.records.failures.push((name, problem.detail));
            }
        }
        if self.is_done() && self.finished.is_none() {
            self.finished = Some(Instant::now());
            if self.fresh_bytes == 0 {
                self.fresh_bytes = self.shared.pool.bytes();
            }
        }
        Ok(())
    }

    /// Returns the class of a node. The levels of a new class are recorded.
    fn class_of(&mut self, service: &Service, opened: &OpenEnvironment, facts: &Facts) -> Result<ClassId, Problem> {
        let node = opened.environment.node(facts).map_err(|error| Problem::bad_request(error.to_string()))?.confined();
        let root = &opened.environment.layers().environment.root;
        // The lookups of one node have the limits of one request.
        let budget = Budget::new(Limits { time: Some(MAX_NODE_TIME), ..service.limits.work });
        let subject = NodeContext { node: &node, mask: &opened.mask, budget: &budget, root };
        let footprint = node
            .dependencies(&budget)
            .map_err(|error| Problem::bad_request(opened.mask.message(&error.to_string())))?;
        let (class, is_new) = self.shared.class_of(&subject, &footprint)?;
        if is_new {
            self.records.add_levels(class, &footprint, &self.shared)?;
        }
        Ok(class)
    }

    /// Returns the answers so far. The facts of a complete index are moved to the table.
    pub(super) fn table(&mut self) -> Table {
        let facts = match self.finished {
            Some(_) => std::mem::take(&mut self.records.facts),
            None => self.records.facts.clone(),
        };
        Table {
            finished: self.finished,
            elapsed: self.started.elapsed(),
            duration: self.finished.map_or(Duration::ZERO, |finished| finished - self.started),
            environment_id: self.environment_id,
            fingerprint: self.fingerprint.clone(),
            all: self.feed.total(self.records.len()),
            is_full: self.is_full(),
            facts,
            ..assemble(&self.shared, &self.records)
        }
    }
}
