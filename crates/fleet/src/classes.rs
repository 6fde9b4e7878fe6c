//! [`Classes`]: the rows of nodes that are alike, made once.

use std::sync::{Arc, Mutex, PoisonError};

use hieratic::powers::Budget;
use hieratic::{Environment, Error, Facts, Footing, Footprint, Node, SourceData, fingerprint, numbered};
use hieratic_value::Str;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::export::Options;
use crate::rows::{Row, rows};

/// Rows that the nodes of a class share.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) rows: Vec<Row>,
    weight: usize,
}

/// The classes that were met lately.
#[derive(Debug, Default)]
pub struct Classes {
    known: Mutex<Known>,
    /// The variables that the data of a source mentions.
    mentioned: Mutex<FxHashMap<u64, Arc<[Str]>>>,
}

#[derive(Debug, Default)]
struct Known {
    classes: FxHashMap<u128, Arc<Class>>,
    weight: usize,
    /// How many classes there were, those included that were forgotten.
    met: usize,
    /// How many lookups their rows took.
    lookups: u64,
}

/// How much the rows may take that are kept for further nodes, in bytes.
const MOST_KEPT: usize = 256 << 20;

/// Of how many sources it is kept which variables they mention.
const MOST_SOURCES: usize = 20_000;

impl Classes {
    /// The rows of a node.
    pub(crate) fn of(
        &self,
        environment: &Environment,
        facts: &Facts,
        options: &Options<'_>,
    ) -> Result<Arc<Class>, Error> {
        let node = environment.node(facts)?;
        let footprint = node.footprint(&Budget::new(options.limits))?;
        if footprint.asks_code {
            // Nobody knows which facts code reads.
            let (rows, lookups) = rows(&node, &footprint, options)?;
            self.locked().count(lookups);
            return Ok(Arc::new(Class::new(rows)));
        }
        let variables = self.variables(&footprint);
        let values: Vec<String> = variables.iter().map(|name| node.mentioned(name)).collect();
        let number = numbered(&(fingerprint(&[&footprint]), &variables, values));
        if let Some(known) = self.locked().classes.get(&number) {
            return Ok(known.clone());
        }
        let (rows, lookups) = rows(&node, &footprint, options)?;
        let made = Arc::new(Class::new(rows));
        let mut known = self.locked();
        // Two cores may have met the same class.
        if let Some(other) = known.classes.get(&number) {
            return Ok(other.clone());
        }
        known.count(lookups);
        if known.weight.saturating_add(made.weight) > MOST_KEPT {
            known.classes.clear();
            known.weight = 0;
        }
        known.weight += made.weight;
        known.classes.insert(number, made.clone());
        Ok(made)
    }

    /// What tells nodes apart that may get different answers, as a name: nodes with the same name get the same answers. The same node has
    /// the same name in another run, as long as the files of its hierarchies are in the same places. None if functions or programs answer:
    /// nobody knows which facts they read.
    pub fn name(&self, node: &Node, footprint: &Footprint) -> Option<String> {
        if footprint.asks_code {
            return None;
        }
        let is_there = |footing: &&Footing| footing.data.is_some() || footing.fault.is_some() || footing.path.is_some();
        let place = |footing: &Footing| (footing.place, footing.path.clone(), footing.fault.clone());
        let places: Vec<_> = footprint.places.iter().filter(is_there).map(place).collect();
        let variables = self.variables(footprint);
        let values: Vec<String> = variables.iter().map(|name| node.mentioned(name)).collect();
        Some(format!("{:016x}", numbered(&(places, variables, values)) >> 64))
    }

    /// How many classes there were: how often rows were made, and how many lookups that took.
    pub(crate) fn met(&self) -> (usize, u64) {
        let known = self.locked();
        (known.met, known.lookups)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The variables that the data of a node mentions, sorted.
    fn variables(&self, footprint: &Footprint) -> Vec<Str> {
        let mut seen = FxHashSet::default();
        let sources = footprint.places.iter().filter_map(|footing| footing.data.as_ref());
        let mut variables: Vec<Str> = Vec::new();
        for source in sources.filter(|source| seen.insert(source.id())) {
            variables.extend(self.mentioned(source).iter().cloned());
        }
        variables.sort_unstable();
        variables.dedup();
        variables
    }

    fn mentioned(&self, source: &SourceData) -> Arc<[Str]> {
        let known = || self.mentioned.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(variables) = known().get(&source.id()) {
            return variables.clone();
        }
        let all: FxHashSet<Str> = source.keys().flat_map(|key| source.mentions(key).variables).collect();
        let made: Arc<[Str]> = all.into_iter().collect();
        let mut known = known();
        if known.len() >= MOST_SOURCES {
            known.clear();
        }
        known.entry(source.id()).or_insert(made).clone()
    }
}

impl Known {
    /// Rows were made.
    fn count(&mut self, lookups: u64) {
        self.met += 1;
        self.lookups += lookups;
    }
}

impl Class {
    fn new(rows: Vec<Row>) -> Class {
        let weight = rows.iter().map(weight).sum();
        Class { rows, weight }
    }
}

/// Roughly what a row takes.
fn weight(row: &Row) -> usize {
    let answer = match &row.answer {
        Ok(cell) => cell.json.len(),
        Err(message) => message.len(),
    };
    size_of::<Row>() + answer
}
