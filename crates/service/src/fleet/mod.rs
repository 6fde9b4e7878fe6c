//! [`Fleet`]: the answers of all nodes, for searches over all of them.
//!
//! The index of an environment is built on a background thread while requests use it. Until all nodes are read,
//! requests get the nodes read so far, marked as incomplete. An index is valid while the fingerprint of the files
//! equals that from before its first node was read. After a change it is rebuilt; until then, requests get the old
//! index, marked as outdated. Data without files (facts in PuppetDB, remote data) is read again periodically.
//!
//! The first index after a start is that of an earlier start, [if it is proved to be current](IndexProof).

mod answers;
mod assemble;
mod builder;
mod classes;
mod feed;
mod ids;
mod index;
mod keep;
mod lists;
mod plan;
mod pool;
mod records;
mod search;
mod shared;
mod sources;
mod stored;
mod template;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::budget::Budget;

use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::{Service, Shared, findings};
use builder::IndexBuilder;
pub(crate) use ids::{ClassId, KeyId, NodeId};
use index::Table;
pub(crate) use index::{Index, Value};
use keep::IndexProof;
pub(crate) use search::TemplateSearch;
pub(crate) use stored::sorted_ids;

/// The minimum time for which an index is valid before all nodes are reread.
const MIN_LIFETIME: Duration = Duration::from_secs(10);
/// The lifetime as a multiple of the time that building the index took.
const LIFETIME_FACTOR: u32 = 20;
/// The time that a request waits for a current index if there is an outdated one.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// The time that a request waits for the first index.
const MAX_WAIT_FOR_FIRST: Duration = Duration::from_secs(3);
/// The time that a request waits if some of the nodes are already searchable.
const MAX_WAIT_WITH_PART: Duration = Duration::from_millis(200);
/// The interval at which a waiting request polls the index that is being built.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// The time slice of an environment: then the nodes of another one are read.
const TIME_SLICE: Duration = Duration::from_millis(100);
/// The time after the last request at which reading stops.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// The time until the nodes read so far become searchable; it doubles every time.
const FIRST_PART_AFTER: Duration = Duration::from_secs(2);
/// The time after a failure before the nodes are requested again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// The answers of all nodes of each environment.
#[derive(Default)]
pub(crate) struct Fleet {
    states: Mutex<HashMap<String, FleetState>>,
    /// Held while nodes are read: one thread reads at a time.
    reading: Mutex<()>,
}

#[derive(Default)]
struct FleetState {
    current: Option<Arc<Table>>,
    /// The start of the next index: an unfinished one, or the previous one.
    builder: Option<IndexBuilder>,
    is_reading: bool,
    last_request: Option<Instant>,
    /// The fingerprint of the files whose index is kept for the next start.
    kept: Option<EnvironmentFingerprint>,
    failed: Option<(Instant, Problem)>,
}

impl Fleet {
    fn states(&self) -> MutexGuard<'_, HashMap<String, FleetState>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the index of all nodes of an environment, or of those that could be read in time.
    pub(crate) fn index(&self, service: &Service, environment: &str, budget: &Budget) -> Result<Arc<Index>, Problem> {
        let longest = service.limits.time / 3;
        loop {
            if let Some(index) = self.index_within(service, environment, longest, budget)? {
                return Ok(index);
            }
        }
    }

    /// Returns the index of the nodes that were read, waiting for no longer than `longest`; `None` if no node was read yet. Reading starts, or
    /// continues.
    pub(crate) fn index_within(
        &self,
        service: &Service,
        environment: &str,
        longest: Duration,
        budget: &Budget,
    ) -> Result<Option<Arc<Index>>, Problem> {
        let begin = Instant::now();
        loop {
            let (opened, _) = service.nodes.environments.get(environment)?;
            let fingerprint = findings::fingerprint_of(service, environment)?;
            {
                let mut states = self.states();
                let state = states.entry(environment.into()).or_default();
                state.last_request = Some(Instant::now());
                let is_of_now =
                    |table: &&Arc<Table>| table.environment_id == opened.id && table.fingerprint == fingerprint;
                let current = state.current.as_ref().filter(is_of_now).filter(|table| table.has_all_nodes()).cloned();
                let is_fresh = current.as_ref().is_some_and(|table| is_fresh(service, table));
                let failed =
                    state.failed.as_ref().filter(|(at, _)| at.elapsed() < RETRY_AFTER).map(|(_, problem)| problem);
                if !is_fresh && !state.is_reading && failed.is_none() {
                    start_reading(service, environment)?;
                    // The thread waits for the lock that is held here.
                    state.is_reading = true;
                }
                if let Some(table) = current {
                    return Ok(Some(Arc::new(Index { table, is_current: true })));
                }
                let patience = match &state.current {
                    Some(table) if table.has_all_nodes() => MAX_WAIT.min(longest),
                    Some(_) => MAX_WAIT_WITH_PART.min(longest),
                    None => MAX_WAIT_FOR_FIRST.min(longest),
                };
                let waits = failed.is_none() && begin.elapsed() < patience;
                match &state.current {
                    Some(table) if !waits => {
                        return Ok(Some(Arc::new(Index { table: table.clone(), is_current: is_of_now(&table) })));
                    }
                    None if failed.is_some() => return Err(failed.cloned().unwrap_or_else(gone)),
                    None if !waits => return Ok(None),
                    _ => {}
                }
            }
            budget.waits().map_err(exhausted)?;
            std::thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Returns whether an index of the current files is valid without rereading the nodes.
fn is_fresh(service: &Service, table: &Table) -> bool {
    let least = service.stored.cache_time().unwrap_or(MIN_LIFETIME).max(MIN_LIFETIME);
    table.finished.is_some_and(|finished| finished.elapsed() < least.max(table.duration * LIFETIME_FACTOR))
}

/// Reads the nodes of an environment on a separate thread.
fn start_reading(service: &Service, environment: &str) -> Result<(), Problem> {
    let service = service.own.upgrade().ok_or_else(gone)?;
    let environment = environment.to_string();
    let read = move || {
        let mut reading = NodeReader { service, environment, builder: None, failed: Some(bug()) };
        reading.failed = reading.run().err();
    };
    let thread = std::thread::Builder::new().name("hieratic-index".into()).spawn(read);
    thread.map(|_| ()).map_err(|_| Problem::unavailable("the nodes cannot be read: no thread is available"))
}

fn gone() -> Problem {
    Problem::unavailable("the service is shutting down")
}

fn bug() -> Problem {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal error: the nodes were not read because of a bug in the service",
    )
}

/// A running reader of nodes. Dropping it stores the nodes read so far, even after a panic.
struct NodeReader {
    service: Shared,
    environment: String,
    builder: Option<IndexBuilder>,
    failed: Option<Problem>,
}

impl NodeReader {
    fn run(&mut self) -> Result<(), Problem> {
        let service = self.service.clone();
        let (opened, _) = service.nodes.environments.get(&self.environment)?;
        let fingerprint = findings::fingerprint_of(&service, &self.environment)?;
        let (before, is_first) = match service.fleet.states().get_mut(&self.environment) {
            Some(state) => (state.builder.take(), state.current.is_none()),
            None => (None, true),
        };
        if is_first && before.is_none() {
            let kept = IndexProof::new(&service, &opened, &fingerprint).and_then(|proof| proof.read(&service));
            if let Some(table) = kept {
                service.metrics.cached_indexes.inc();
                service.fleet.note_kept(&self.environment, fingerprint.clone());
                service.fleet.publish(&self.environment, Table { environment_id: opened.id, fingerprint, ..table });
                return Ok(());
            }
        }
        let unfinished = |builder: &IndexBuilder| !builder.is_done() && builder.is_for(opened.id, &fingerprint);
        let builder = match before {
            Some(builder) if unfinished(&builder) => builder,
            before => {
                let names = service.stored.names()?;
                let files = EnvironmentFiles::from_open(&service, &opened);
                IndexBuilder::new(names, service.stored.pages(), opened.id, fingerprint.clone(), before, files)
            }
        };
        let builder = self.builder.insert(builder);
        let mut begun = Instant::now();
        let mut part = FIRST_PART_AFTER;
        while !builder.is_done() {
            {
                let _turn = service.fleet.reading.lock().unwrap_or_else(PoisonError::into_inner);
                builder.extend(&service, &opened, TIME_SLICE)?;
            }
            let (read, all) = builder.progress();
            service.tell_progress(&self.environment, read, all);
            let is_part = !builder.is_done() && begun.elapsed() >= part;
            let mut states = service.fleet.states();
            let Some(state) = states.get_mut(&self.environment) else { return Ok(()) };
            if state.last_request.is_none_or(|last| last.elapsed() > ABANDONED_AFTER) {
                return Ok(());
            }
            // A complete index is better than a newer one that is incomplete.
            if is_part && state.current.as_ref().is_none_or(|table| !table.has_all_nodes()) {
                drop(states);
                self.service.fleet.publish(&self.environment, builder.table());
                (begun, part) = (Instant::now(), part * 2);
            }
        }
        service.tell_progress(&self.environment, 0, 0);
        let table = Arc::new(builder.table());
        service.fleet.publish_shared(&self.environment, table.clone());
        let is_kept =
            service.fleet.states().get(&self.environment).is_some_and(|s| s.kept.as_ref() == Some(&fingerprint));
        if let Some(begun) = builder.proved_since().filter(|_| !is_kept)
            && let Some(proof) = IndexProof::new(&service, &opened, &fingerprint)
            && proof.write(&service, &table, begun)
        {
            service.fleet.note_kept(&self.environment, fingerprint);
        }
        Ok(())
    }
}

impl Fleet {
    fn publish(&self, environment: &str, table: Table) {
        self.publish_shared(environment, Arc::new(table));
    }

    fn note_kept(&self, environment: &str, fingerprint: EnvironmentFingerprint) {
        if let Some(state) = self.states().get_mut(environment) {
            state.kept = Some(fingerprint);
        }
    }

    fn publish_shared(&self, environment: &str, table: Arc<Table>) {
        if let Some(state) = self.states().get_mut(environment) {
            (state.current, state.failed) = (Some(table), None);
        }
    }
}

impl Drop for NodeReader {
    fn drop(&mut self) {
        self.service.tell_progress(&self.environment, 0, 0);
        let mut states = self.service.fleet.states();
        let state = states.entry(self.environment.clone()).or_default();
        state.is_reading = false;
        state.builder = self.builder.take();
        if let Some(problem) = self.failed.take() {
            // The facts arrived incompletely, so all are requested again.
            state.builder = None;
            state.failed = Some((Instant::now(), problem));
        }
    }
}
