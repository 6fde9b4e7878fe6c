//! A cache of nodes, each valid while the files that it has read are unchanged.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::budget::{Budget, Exhausted};
use hieratic::dependencies::{AccessLog, Freshness};
use hieratic::{Facts, Node, Redactor};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::environments::{Environments, OpenEnvironment};
use crate::facts::{FactsStore, NodeFacts};
use crate::lookups::{KeyRows, NodeContext};
use crate::metrics::Metrics;
use crate::options::Limits;
use crate::problem::Problem;

/// Identifies a node, by name or by its facts.
#[derive(Clone, Debug)]
pub(crate) enum NodeSelector {
    /// One whose facts are stored, by its name.
    Stored(String),
    /// One whose facts came with the request, with a digest of them.
    Sent { facts: Box<Facts>, digest: [u8; 32], bytes: u64 },
}

impl NodeSelector {
    /// The node's name, as far as it is known.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            NodeSelector::Stored(name) => Some(name),
            NodeSelector::Sent { facts, .. } => facts.node(),
        }
    }
}

/// The key of a cached node.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    opened: u64,
    who: NodeIdentity,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum NodeIdentity {
    Stored(String),
    Sent([u8; 32]),
}

/// A node, and what its facts were read from.
struct CachedNode {
    node: Node,
    redactor: Redactor,
    /// The folder of its environment.
    root: PathBuf,
    accesses: AccessLog,
    /// The number of recorded reads when all of them were last verified to be current at one moment.
    verified: AtomicUsize,
    /// The time at which facts are requested again, if no file shows whether they have changed.
    expires: Option<Instant>,
    /// Since when it has answered from files that are not the same any more.
    stale_since: Mutex<Option<Instant>>,
    /// The number of the node among all that were loaded.
    number: u64,
    /// The files that had changed when this node replaced its predecessor.
    changed_together: Vec<Arc<Path>>,
    bytes: u64,
}

/// The approximate size of a node without its facts, in bytes.
const BYTES_OF_NODE: u64 = 8 << 10;

#[derive(Clone)]
struct NodeWeighter;

impl Weighter<Key, Arc<CachedNode>> for NodeWeighter {
    fn weight(&self, _: &Key, kept: &Arc<CachedNode>) -> u64 {
        kept.bytes + BYTES_OF_NODE
    }
}

/// The factor for `settle` when only some of the files have changed that changed together before: a deployment is
/// probably between two of them.
const PARTIAL_CHANGE_FACTOR: u32 = 10;

/// The maximum number of nodes whose answers to all keys are kept for their pages.
const MAX_KEY_ROWS: usize = 64;

/// The interval at which changing files are checked again.
const POLL_INTERVAL: Duration = Duration::from_millis(4);

/// The nodes.
pub(crate) struct Nodes {
    pub(crate) environments: Environments,
    stored: Arc<FactsStore>,
    kept: Cache<Key, Arc<CachedNode>, NodeWeighter>,
    /// The answers to all keys of the nodes whose pages were shown last, by their numbers.
    rows: Cache<u64, Arc<KeyRows>>,
    next: AtomicU64,
    metrics: Arc<Metrics>,
    settle: Duration,
    stale: Duration,
    patience: Duration,
}

impl Nodes {
    pub(crate) fn new(
        environments: Environments,
        stored: Arc<FactsStore>,
        limits: &Limits,
        metrics: Arc<Metrics>,
    ) -> Nodes {
        let roughly = usize::try_from(limits.kept / BYTES_OF_NODE).unwrap_or(usize::MAX);
        Nodes {
            environments,
            stored,
            kept: Cache::with_weighter(roughly, limits.kept, NodeWeighter),
            rows: Cache::new(MAX_KEY_ROWS),
            next: AtomicU64::new(0),
            metrics,
            settle: limits.settle,
            stale: limits.stale,
            patience: limits.time / 2,
        }
    }

    /// Returns the number of cached nodes.
    pub(crate) fn kept(&self) -> usize {
        self.kept.len()
    }

    /// Answers from one state of the files.
    ///
    /// The work may be done several times: its outcome counts only when all that it has read is known to have been there
    /// at one moment.
    pub(crate) fn ask<T>(
        &self,
        environment: &str,
        selector: &NodeSelector,
        budget: &Budget,
        work: &dyn Fn(&NodeContext<'_>) -> T,
    ) -> Result<T, Problem> {
        let run = |kept: &CachedNode| self.run(kept, budget, work);
        let deadline = Instant::now() + self.patience;
        loop {
            // The request was cancelled, or glob patterns match too many files.
            budget.step().map_err(exhausted)?;
            let (opened, outer) = self.environments.get(environment)?;
            let key = Key {
                opened: opened.id,
                who: match selector {
                    NodeSelector::Stored(name) => NodeIdentity::Stored(name.clone()),
                    NodeSelector::Sent { digest, .. } => NodeIdentity::Sent(*digest),
                },
            };
            let old = self.kept.get(&key);
            if let Some(kept) = &old {
                match worst_freshness([outer, kept.state(self.settle, budget)]) {
                    Freshness::Current => {
                        let answer = run(kept);
                        if kept.is_verified() || self.is_current(&opened, kept, self.settle, budget) {
                            *kept.stale_since.lock().unwrap_or_else(PoisonError::into_inner) = None;
                            return Ok(answer);
                        }
                    }
                    Freshness::Changing => {
                        if let Some(answer) = self.answer_from_cache(kept, &run) {
                            return Ok(answer);
                        }
                        self.pause(deadline, budget)?;
                        continue;
                    }
                    Freshness::Unsettled | Freshness::Changed => {}
                }
            }
            match self.load(&opened, selector) {
                Ok(mut kept) => {
                    let answer = run(&kept);
                    kept.changed_together = old.as_ref().map(|old| old.changed()).unwrap_or_default();
                    let doubtful = old.as_ref().is_some_and(|old| old.is_changed_in_part(&kept.changed_together));
                    let settle = self.settle * if doubtful { PARTIAL_CHANGE_FACTOR } else { 1 };
                    if self.is_current(&opened, &kept, settle, budget) {
                        kept.bytes = kept.bytes.saturating_add(kept.node.weight());
                        self.kept.insert(key, Arc::new(kept));
                        return Ok(answer);
                    }
                }
                Err(refused) => {
                    let (problem, accesses) = *refused;
                    // PuppetDB may be away for a moment.
                    let away = problem.status == StatusCode::BAD_GATEWAY.as_u16();
                    if let Some(answer) =
                        old.as_ref().filter(|_| away).and_then(|kept| self.answer_from_cache(kept, &run))
                    {
                        return Ok(answer);
                    }
                    if accesses.freshness(self.settle) == Freshness::Current {
                        return Err(problem);
                    }
                }
            }
            if let Some(answer) = old.and_then(|kept| self.answer_from_cache(&kept, &run)) {
                return Ok(answer);
            }
            self.pause(deadline, budget)?;
        }
    }

    /// Returns whether everything that the answers of a node depend on is unchanged, and has been for some time.
    fn is_current(&self, opened: &OpenEnvironment, kept: &CachedNode, settle: Duration, budget: &Budget) -> bool {
        worst_freshness([kept.state(settle, budget), opened.environment.freshness(self.settle)]) == Freshness::Current
    }

    /// Answers from the files that a node has already read, while they are being changed.
    fn answer_from_cache<T>(&self, kept: &CachedNode, run: &dyn Fn(&CachedNode) -> T) -> Option<T> {
        let since = *kept.stale_since.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(Instant::now);
        if since.elapsed() > self.stale {
            return None;
        }
        let answer = run(kept);
        // Files that the node has read since it was verified, for this or another request, may not fit the earlier
        // ones.
        let verified = kept.is_verified();
        if verified {
            self.metrics.stale_answers.inc();
        }
        verified.then_some(answer)
    }

    fn run<T>(&self, kept: &CachedNode, budget: &Budget, work: &dyn Fn(&NodeContext<'_>) -> T) -> T {
        let memory = Some((&self.rows, kept.number));
        let answer =
            work(&NodeContext { node: &kept.node, redactor: &kept.redactor, budget, root: &kept.root, memory });
        // Warnings are not reported here, and must not accumulate.
        kept.node.take_warnings();
        kept.node.take_lost_knockouts();
        answer
    }

    fn pause(&self, deadline: Instant, budget: &Budget) -> Result<(), Problem> {
        budget.waits().map_err(exhausted)?;
        if Instant::now() >= deadline {
            let detail = "the data files keep changing";
            return Err(Problem::unavailable(detail).help("deploy by writing new files and renaming them"));
        }
        self.metrics.retries.inc();
        std::thread::sleep(POLL_INTERVAL);
        Ok(())
    }

    fn load(&self, opened: &OpenEnvironment, selector: &NodeSelector) -> Result<CachedNode, Box<(Problem, AccessLog)>> {
        let accesses = AccessLog::default();
        let (facts, expires, bytes) = match selector {
            NodeSelector::Sent { facts, bytes, .. } => (Ok((**facts).clone()), None, *bytes),
            NodeSelector::Stored(name) => match self.stored.facts(name, &accesses) {
                Ok(NodeFacts { facts, expires, bytes }) => (Ok(facts), expires, bytes),
                Err(problem) => (Err(problem), None, 0),
            },
        };
        let result = facts.and_then(|facts| {
            let node = opened.environment.node(&facts);
            node.map_err(|error| Problem::of_error(StatusCode::UNPROCESSABLE_ENTITY, &error))
        });
        match result {
            Ok(node) => {
                // Facts come from those whom they describe, wherever they are stored in between.
                let node = node.confined();
                // The caches of a node grow with its requests, to several times the size of its facts.
                let (verified, stale_since) = (AtomicUsize::new(0), Mutex::new(None));
                let changed_together = Vec::new();
                let redactor = opened.redactor.clone();
                let root = opened.environment.layers().environment.root.clone();
                Ok(CachedNode {
                    node,
                    redactor,
                    root,
                    accesses,
                    verified,
                    expires,
                    stale_since,
                    number: self.next.fetch_add(1, Ordering::Relaxed),
                    changed_together,
                    bytes: bytes.saturating_mul(8),
                })
            }
            Err(problem) => Err(Box::new((problem, accesses))),
        }
    }
}

/// Returns the worse of two states.
fn worst_freshness(states: [Freshness; 2]) -> Freshness {
    let bad = [Freshness::Changing, Freshness::Changed, Freshness::Unsettled];
    bad.into_iter().find(|state| states.contains(state)).unwrap_or(Freshness::Current)
}

impl CachedNode {
    /// Returns whether everything that the node has read is unchanged, and has been for some time.
    fn state(&self, settle: Duration, budget: &Budget) -> Freshness {
        if self.expires.is_some_and(|expires| expires <= Instant::now()) {
            return Freshness::Changed;
        }
        let count = self.node.accesses();
        let state = worst_freshness([self.node.freshness_within(settle, budget), self.accesses.freshness(settle)]);
        if state == Freshness::Current {
            self.verified.fetch_max(count, Ordering::AcqRel);
        }
        state
    }

    /// The files that are not as they were when the node looked at them.
    fn changed(&self) -> Vec<Arc<Path>> {
        let mut changed = self.node.changed();
        changed.extend(self.accesses.changed());
        changed
    }

    /// Returns whether some, but not all, of the files that changed together before have changed now.
    fn is_changed_in_part(&self, changed: &[Arc<Path>]) -> bool {
        let again = self.changed_together.iter().filter(|path| changed.contains(path)).count();
        again > 0 && again < self.changed_together.len()
    }

    /// Returns whether the node has read nothing since it was verified.
    fn is_verified(&self) -> bool {
        self.node.accesses() == self.verified.load(Ordering::Acquire)
    }
}

/// Converts an exhausted budget to the problem of a cancelled request.
pub(crate) fn exhausted(exhausted: Exhausted) -> Problem {
    let problem = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("the request was stopped: {exhausted}"));
    problem.help("request fewer keys at once, or use fewer patterns in facts")
}
