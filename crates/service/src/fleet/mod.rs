//! [`Fleet`]: the answers of all nodes, for questions about all of them.
//!
//! The index of an environment is made on a thread beside the requests, as long as it is asked for. Until all nodes are read, requests
//! are answered from those that were read so far, and say so. An index is used as long as the files look as they did before its first node
//! was read; when they have changed, it is made anew, and requests that come before that is done get the old one, and say so. What
//! no file tells of (facts in PuppetDB, data elsewhere) is read again from time to time.

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

/// How long an index is used before all nodes are looked at again.
const FRESH: Duration = Duration::from_secs(10);
/// How many times longer than making it that is, at least.
const FRESH_TIMES: u32 = 20;
/// How long a request waits for an index of the files as they are, if there is an older one.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long it waits for the first one.
const FIRST: Duration = Duration::from_secs(3);
/// The same if a part of the nodes can be searched already.
const WITH_PART: Duration = Duration::from_millis(200);
/// How long to wait before another look at an index that is being made.
const PAUSE: Duration = Duration::from_millis(5);
/// How long nodes are read at a time, before those of another environment.
const SLICE: Duration = Duration::from_millis(100);
/// How long after the last request nodes are read.
const ABANDONED: Duration = Duration::from_secs(60);
/// How long it takes until the nodes that were read so far can be searched; each further time takes twice as long.
const FIRST_PART: Duration = Duration::from_secs(2);
/// How long after a failure the nodes are not asked for again.
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
    /// What the next index begins with: one that was not finished, or the one before.
    builder: Option<Builder>,
    is_underway: bool,
    asked: Option<Instant>,
    failed: Option<(Instant, Problem)>,
}

impl Fleet {
    fn states(&self) -> MutexGuard<'_, HashMap<String, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known of all nodes of an environment; of so many as can be read in time if there are more.
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

/// Whether an index of the files as they are holds without another look at the nodes.
fn is_fresh(service: &Service, table: &Table) -> bool {
    let least = service.stored.keep().unwrap_or(FRESH).max(FRESH);
    table.made.is_some_and(|made| made.elapsed() < least.max(table.took * FRESH_TIMES))
}

/// Reads the nodes of an environment on a thread of its own.
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

/// Nodes that are being read. What was read is kept when that ends, be it by a panic.
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
            // What is complete is better than what is newer and is not.
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
            // Facts that came in part are asked for anew.
            state.builder = None;
            state.failed = Some((Instant::now(), problem));
        }
    }
}
