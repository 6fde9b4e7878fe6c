//! [`Fleet`]: the answers of all nodes, for searches over all of them.
//!
//! The index of an environment is built on a background thread while requests use it. Until all nodes are read,
//! requests get the nodes read so far, marked as incomplete. An index is valid while the fingerprint of the files is
//! the one from before its first node was read. After a change it is rebuilt; until then, requests get the old index,
//! marked as outdated. Data whose changes no file shows (facts in PuppetDB, remote data) is reread periodically.

mod builder;
mod holes;
mod index;
mod lists;
mod pool;
mod seek;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::powers::Budget;

use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::{Service, Shared, findings};
use builder::Builder;
use index::Table;
pub(crate) use index::{Index, Value};
pub(crate) use seek::Seek;

/// The minimum time for which an index is valid before all nodes are reread.
const FRESH: Duration = Duration::from_secs(10);
/// That time as a multiple of the time that building the index took.
const FRESH_TIMES: u32 = 20;
/// The time that a request waits for a current index if there is an outdated one.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time that a request waits for the first index.
const FIRST: Duration = Duration::from_secs(3);
/// The time that a request waits if some of the nodes are already searchable.
const WITH_PART: Duration = Duration::from_millis(200);
/// The interval at which a waiting request polls the index that is being built.
const PAUSE: Duration = Duration::from_millis(5);
/// The time slice of an environment: then the nodes of another one are read.
const SLICE: Duration = Duration::from_millis(100);
/// The time after the last request at which reading stops.
const ABANDONED: Duration = Duration::from_secs(60);
/// The time until the nodes read so far become searchable; it doubles every time.
const FIRST_PART: Duration = Duration::from_secs(2);
/// The time after a failure before the nodes are requested again.
const REST: Duration = Duration::from_secs(2);

/// The answers of all nodes of each environment.
#[derive(Default)]
pub(crate) struct Fleet {
    states: Mutex<HashMap<String, State>>,
    /// Held while nodes are read: one thread reads at a time.
    turn: Mutex<()>,
}

#[derive(Default)]
struct State {
    current: Option<Arc<Table>>,
    /// The start of the next index: an unfinished one, or the previous one.
    builder: Option<Builder>,
    is_underway: bool,
    asked: Option<Instant>,
    failed: Option<(Instant, Problem)>,
}

impl Fleet {
    fn states(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the index of all nodes of an environment, or of those that could be read in time.
    pub(crate) fn index(&self, service: &Service, environment: &str, budget: &Budget) -> Result<Arc<Index>, Problem> {
        let begin = Instant::now();
        let longest = service.limits.time / 3;
        loop {
            let (opened, _) = service.nodes.environments.get(environment)?;
            let stamp = findings::look(service, environment)?;
            {
                let mut states = self.states();
                let state = states.entry(environment.into()).or_default();
                state.asked = Some(Instant::now());
                let is_of_now = |table: &&Arc<Table>| table.number == opened.number && table.stamp == stamp;
                let current = state.current.as_ref().filter(is_of_now).filter(|table| table.is_whole()).cloned();
                let is_fresh = current.as_ref().is_some_and(|table| is_fresh(service, table));
                let failed = state.failed.as_ref().filter(|(at, _)| at.elapsed() < REST).map(|(_, problem)| problem);
                if !is_fresh && !state.is_underway && failed.is_none() {
                    begin_reading(service, environment)?;
                    // The thread waits for the lock that is held here.
                    state.is_underway = true;
                }
                if let Some(table) = current {
                    return Ok(Arc::new(Index { table, is_current: true }));
                }
                let patience = match &state.current {
                    Some(table) if table.is_whole() => PATIENCE.min(longest),
                    Some(_) => WITH_PART.min(longest),
                    None => FIRST.min(longest),
                };
                let waits = failed.is_none() && begin.elapsed() < patience;
                match &state.current {
                    Some(table) if !waits => {
                        return Ok(Arc::new(Index { table: table.clone(), is_current: is_of_now(&table) }));
                    }
                    None if failed.is_some() => return Err(failed.cloned().unwrap_or_else(gone)),
                    _ => {}
                }
            }
            budget.waits().map_err(exhausted)?;
            std::thread::sleep(PAUSE);
        }
    }
}

/// Returns whether an index of the current files is valid without rereading the nodes.
fn is_fresh(service: &Service, table: &Table) -> bool {
    let least = service.stored.keep().unwrap_or(FRESH).max(FRESH);
    table.made.is_some_and(|made| made.elapsed() < least.max(table.took * FRESH_TIMES))
}

/// Reads the nodes of an environment on a separate thread.
fn begin_reading(service: &Service, environment: &str) -> Result<(), Problem> {
    let service = service.own.upgrade().ok_or_else(gone)?;
    let environment = environment.to_string();
    let read = move || {
        let mut reading = Reading { service, environment, builder: None, failed: Some(bug()) };
        reading.failed = reading.run().err();
    };
    let thread = std::thread::Builder::new().name("hieratic-index".into()).spawn(read);
    thread.map(|_| ()).map_err(|_| Problem::unavailable("the nodes cannot be read: there is no thread for it"))
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
struct Reading {
    service: Shared,
    environment: String,
    builder: Option<Builder>,
    failed: Option<Problem>,
}

impl Reading {
    fn run(&mut self) -> Result<(), Problem> {
        let service = self.service.clone();
        let (opened, _) = service.nodes.environments.get(&self.environment)?;
        let stamp = findings::look(&service, &self.environment)?;
        let before = service.fleet.states().get_mut(&self.environment).and_then(|state| state.builder.take());
        let unfinished = |builder: &Builder| !builder.is_done() && builder.is_for(opened.number, &stamp);
        let builder = match before {
            Some(builder) if unfinished(&builder) => builder,
            before => {
                let names = service.stored.names()?;
                Builder::new(names, service.stored.pages(), opened.number, stamp, before)
            }
        };
        let builder = self.builder.insert(builder);
        let mut begun = Instant::now();
        let mut part = FIRST_PART;
        while !builder.is_done() {
            {
                let _turn = service.fleet.turn.lock().unwrap_or_else(PoisonError::into_inner);
                builder.extend(&service, &opened, SLICE)?;
            }
            let is_part = !builder.is_done() && begun.elapsed() >= part;
            let mut states = service.fleet.states();
            let Some(state) = states.get_mut(&self.environment) else { return Ok(()) };
            if state.asked.is_none_or(|asked| asked.elapsed() > ABANDONED) {
                return Ok(());
            }
            // A complete index is better than a newer one that is incomplete.
            if is_part && state.current.as_ref().is_none_or(|table| !table.is_whole()) {
                drop(states);
                self.service.fleet.keep(&self.environment, builder.table());
                (begun, part) = (Instant::now(), part * 2);
            }
        }
        service.fleet.keep(&self.environment, builder.table());
        Ok(())
    }
}

impl Fleet {
    fn keep(&self, environment: &str, table: Table) {
        let table = Arc::new(table);
        if let Some(state) = self.states().get_mut(environment) {
            (state.current, state.failed) = (Some(table), None);
        }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        let mut states = self.service.fleet.states();
        let state = states.entry(self.environment.clone()).or_default();
        state.is_underway = false;
        state.builder = self.builder.take();
        if let Some(problem) = self.failed.take() {
            // The facts arrived incompletely, so all are requested again.
            state.builder = None;
            state.failed = Some((Instant::now(), problem));
        }
    }
}
