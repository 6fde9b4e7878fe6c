//! [`IndexBuilder`]: reads the answers of all nodes in order.
//!
//! It has three parts: the [remaining nodes](NodeFeed), the [answers that nodes share](SharedAnswers), and the [nodes
//! that were read](NodeRecords).

use std::time::{Duration, Instant, SystemTime};

use hieratic::budget::{Budget, Limits};
use hieratic::dependencies::NodeDependencies;
use hieratic::{Facts, Node};
use hieratic_puppetdb::Pages;
use rayon::prelude::*;

use super::assemble::assemble;
use super::feed::{FedNode, NodeFeed};
use super::ids::ClassId;
use super::index::Table;
use super::keep::{depends_on_known_files, is_of_machine, reads_known_files};
use super::records::NodeRecords;
use super::shared::SharedAnswers;
use crate::Service;
use crate::environments::OpenEnvironment;
use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint};
use crate::lookups::NodeContext;
use crate::problem::Problem;

/// The maximum size of the keys, values and facts of an index, in bytes.
const MAX_BYTES: usize = 256 << 20;

/// The time limit of one node.
const MAX_NODE_TIME: Duration = Duration::from_secs(3);

/// The number of nodes that are read at once, on all processors.
const BATCH: usize = 32;

/// The least number of data files that the environment keeps, in each of two generations: those that many nodes read stay, and those of one
/// node go.
const MIN_FILES: usize = 512;

/// The number of nodes whose data files the environment keeps at least.
const NODES_WITH_FILES: usize = 4;

/// A node whose files were read.
struct ReadNode {
    facts: Facts,
    node: Node,
    dependencies: NodeDependencies,
}

impl ReadNode {
    fn new(service: &Service, opened: &OpenEnvironment, facts: Facts) -> Result<ReadNode, Problem> {
        let node = opened.environment.node(&facts).map_err(|error| Problem::bad_request(error.to_string()))?.confined();
        let dependencies = node
            .dependencies(&budget_of_node(service))
            .map_err(|error| Problem::bad_request(opened.redactor.message(&error.to_string())))?;
        Ok(ReadNode { facts, node, dependencies })
    }
}

/// Returns the budget of one node: its lookups have the limits of one request.
fn budget_of_node(service: &Service) -> Budget {
    Budget::new(Limits { time: Some(MAX_NODE_TIME), ..service.limits.work })
}

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
    begun: SystemTime,
    finished: Option<Instant>,
    /// Whether a finished index has too many answers to store.
    is_full: bool,
    /// The number of data files that the environment keeps.
    most_files: usize,
    /// The files whose changes show.
    files: EnvironmentFiles,
    /// Whether answers depend on these files alone, as far as nodes have been read.
    is_proved: bool,
}

impl IndexBuilder {
    /// Creates a builder for some nodes, whose facts come in `pages` or are requested one by one.
    pub(super) fn new(
        names: Vec<String>,
        pages: Option<Pages>,
        environment_id: u64,
        fingerprint: EnvironmentFingerprint,
        before: Option<IndexBuilder>,
        files: EnvironmentFiles,
    ) -> IndexBuilder {
        // The entries of the pool that no node uses any more should not outweigh the others.
        let before = before.filter(|old| old.shared.pool.bytes() <= old.fresh_bytes + MAX_BYTES / 8);
        let (shared, fresh_bytes) = match before {
            Some(old) => (SharedAnswers::after(old.shared), old.fresh_bytes),
            None => (SharedAnswers::default(), 0),
        };
        let feed = NodeFeed::new(names, pages);
        // Without a node there is nothing to read.
        let finished = feed.is_exhausted().then(Instant::now);
        IndexBuilder {
            environment_id,
            fingerprint,
            feed,
            shared,
            records: NodeRecords::default(),
            fresh_bytes,
            started: Instant::now(),
            begun: SystemTime::now(),
            finished,
            is_full: false,
            most_files: 0,
            files,
            is_proved: true,
        }
    }

    pub(super) fn is_for(&self, environment_id: u64, fingerprint: &EnvironmentFingerprint) -> bool {
        self.environment_id == environment_id && self.fingerprint == *fingerprint
    }

    pub(super) fn is_done(&self) -> bool {
        self.feed.is_exhausted() || self.is_full()
    }

    /// Returns when reading began, if the answers depend on files alone whose changes show.
    pub(super) fn proved_since(&self) -> Option<SystemTime> {
        self.is_proved.then_some(self.begun)
    }

    /// Returns the number of nodes that were read, and of all.
    pub(super) fn progress(&self) -> (usize, usize) {
        (self.records.len(), self.feed.total(self.records.len()))
    }

    fn is_full(&self) -> bool {
        // The answers that served further nodes alone do not count any more.
        if self.finished.is_some() {
            return self.is_full;
        }
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
            let mut batch = Vec::new();
            while batch.len() < BATCH
                && let Some(node) = self.feed.next(service)?
            {
                batch.push(node);
            }
            // Reading files and resolving hierarchies takes all processors; the answers that nodes share are found in sequence.
            let opened_nodes: Vec<(String, Result<ReadNode, Problem>)> = batch
                .into_par_iter()
                .map(|FedNode { name, facts }| (name, facts.and_then(|facts| ReadNode::new(service, opened, facts))))
                .collect();
            for (name, read) in opened_nodes {
                let added = read.and_then(|read| {
                    let class = self.class_of(service, opened, &read)?;
                    Ok(self.records.add(&name, class, &read.facts, &mut self.shared)?)
                });
                if let Err(problem) = added {
                    self.records.failures.push((name, problem.detail));
                }
                if self.is_full() {
                    break;
                }
            }
        }
        if self.is_done() && self.finished.is_none() {
            self.is_full = self.is_full();
            self.finished = Some(Instant::now());
            self.shared.finish();
            if self.fresh_bytes == 0 {
                self.fresh_bytes = self.shared.pool.bytes();
            }
        }
        Ok(())
    }

    /// Returns the class of a node. The levels of a new class are recorded.
    fn class_of(&mut self, service: &Service, opened: &OpenEnvironment, read: &ReadNode) -> Result<ClassId, Problem> {
        let most_files = (NODES_WITH_FILES * read.dependencies.places.len()).max(MIN_FILES);
        if most_files > self.most_files {
            self.most_files = most_files;
            opened.environment.keep(most_files);
        }
        let root = &opened.environment.layers().environment.root;
        let budget = budget_of_node(service);
        let subject = NodeContext { node: &read.node, redactor: &opened.redactor, budget: &budget, root, memory: None };
        let (class, is_new) = self.shared.class_of(&subject, &read.dependencies)?;
        if is_new {
            self.records.add_levels(class, &read.dependencies, &self.shared)?;
            self.is_proved = self.is_proved
                && depends_on_known_files(&read.node, &read.dependencies, &self.files)
                && !self.shared.sources.variables(&read.dependencies).iter().any(|name| is_of_machine(name));
        }
        self.is_proved = self.is_proved && reads_known_files(&read.dependencies, &self.files);
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
