//! [`Classes`]: a cache of rows by equivalence class, so that equivalent nodes are looked up once.

use std::sync::{Arc, Mutex, PoisonError};

use hieratic::budget::Budget;
use hieratic::dependencies::{DataDependency, NodeDependencies, node_fingerprint};
use hieratic::value::collections::HashMap;
use hieratic::value::ids::Fingerprint;
use hieratic::{Environment, Error, Facts, Node};

use crate::answer_cache::{AnswerCache, Variables};
use crate::node_answers::NodeAnswers;
use crate::node_query::NodeQuery;
use crate::options::Options;
use crate::rows::{NodeRows, Rows};

/// A cache of the rows of recently used equivalence classes.
#[derive(Debug)]
pub struct Classes {
    known: Mutex<ClassCache>,
    shared: AnswerCache,
    /// The maximum size of the cached rows, in bytes.
    capacity: usize,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes { known: Mutex::default(), shared: AnswerCache::default(), capacity: MAX_CACHED }
    }
}

/// The equivalence class of a node.
#[derive(Debug)]
pub struct NodeClass {
    /// Its identity: nodes with the same one have the same answers.
    pub fingerprint: Fingerprint,
    variables: Variables,
}

#[derive(Debug, Default)]
struct ClassCache {
    classes: HashMap<Fingerprint, NodeRows>,
    weight: usize,
    /// The number of classes, dropped ones included.
    met: usize,
    /// The number of keys that were looked up for them.
    lookups: u64,
}

/// The default maximum size of the cached rows, in bytes.
const MAX_CACHED: usize = 128 << 20;

impl Classes {
    /// Creates a cache whose rows have at most so many bytes.
    pub fn with_capacity(bytes: usize) -> Classes {
        Classes { capacity: bytes, ..Classes::default() }
    }

    /// The rows of a node.
    pub(crate) fn of(
        &self,
        environment: &Environment,
        facts: &Facts,
        options: &Options<'_>,
    ) -> Result<NodeRows, Error> {
        let node = environment.node(facts)?;
        let footprint = node.dependencies(&Budget::new(options.limits))?;
        let class = self.class_of(&node, &footprint)?;
        self.find(&NodeQuery::new(&node, &footprint, options, None), &footprint, class)
    }

    /// Returns the answers of a node of a [class](Self::class_of), for an index of all nodes. All lookups are charged to
    /// one budget.
    ///
    /// # Errors
    /// The data has too many keys, or the budget is exhausted.
    pub fn answers(
        &self,
        node: &Node,
        footprint: &NodeDependencies,
        class: Option<NodeClass>,
        options: &Options<'_>,
        budget: &Budget,
    ) -> Result<NodeAnswers, Error> {
        self.find(&NodeQuery::new(node, footprint, options, Some(budget)), footprint, class).map(NodeAnswers)
    }

    /// Returns a node's equivalence class in this process. `None` if functions or programs answer: it is unknown which facts they read.
    ///
    /// # Errors
    /// The data has too many keys.
    pub fn class_of(&self, node: &Node, footprint: &NodeDependencies) -> Result<Option<NodeClass>, Error> {
        if footprint.asks_code {
            return Ok(None);
        }
        let variables = Variables::new(&self.shared, node, footprint)?;
        let fingerprint = Fingerprint::new(&(node_fingerprint(&[footprint]), &variables));
        Ok(Some(NodeClass { fingerprint, variables }))
    }

    fn find(
        &self,
        asking: &NodeQuery<'_>,
        footprint: &NodeDependencies,
        class: Option<NodeClass>,
    ) -> Result<NodeRows, Error> {
        let Some(NodeClass { fingerprint: class, variables }) = class else {
            let (rows, lookups) = asking.all()?;
            self.locked().count(lookups);
            return Ok(rows.into());
        };
        if let Some(known) = self.locked().classes.get(&class) {
            return Ok(known.clone());
        }
        let (rows, lookups) = match self.shared.rows(asking, footprint, &variables)? {
            Some(rows) => rows,
            None => {
                let (rows, lookups) = asking.all()?;
                (rows.into(), lookups)
            }
        };
        let mut known = self.locked();
        // Another thread may have computed the same class.
        if let Some(other) = known.classes.get(&class) {
            return Ok(other.clone());
        }
        known.count(lookups);
        let weight = unshared_size(&rows.rows);
        if known.weight.saturating_add(weight) > self.capacity {
            known.classes.clear();
            known.weight = 0;
        }
        known.weight += weight;
        known.classes.insert(class, rows.clone());
        Ok(rows)
    }

    /// Returns the name of a node's equivalence class: nodes with the same name get the same answers. A node has the
    /// same name in another run, as long as the files of its hierarchies have the same paths. `None` if functions or
    /// programs answer: it is unknown which facts they read.
    ///
    /// # Errors
    /// The data has too many keys.
    pub fn name(&self, node: &Node, footprint: &NodeDependencies) -> Result<Option<String>, Error> {
        if footprint.asks_code {
            return Ok(None);
        }
        let is_there =
            |footing: &&DataDependency| footing.data.is_some() || footing.fault.is_some() || footing.path.is_some();
        let place = |footing: &DataDependency| (footing.place, footing.path.clone(), footing.fault.clone());
        let places: Vec<_> = footprint.places.iter().filter(is_there).map(place).collect();
        let variables = Variables::new(&self.shared, node, footprint)?;
        let [name, _] = Fingerprint::new(&(places, variables)).halves();
        Ok(Some(format!("{name:016x}")))
    }

    /// Returns the number of classes, which is how often rows were computed, and the number of keys looked up for them.
    pub(crate) fn counts(&self) -> (usize, u64) {
        let known = self.locked();
        (known.met, known.lookups)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, ClassCache> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClassCache {
    /// Counts a class.
    fn count(&mut self, lookups: u64) {
        self.met += 1;
        self.lookups += lookups;
    }
}

/// Returns the approximate size of rows that are not shared, in bytes.
fn unshared_size(rows: &Rows) -> usize {
    let own = rows.iter().filter(|row| Arc::strong_count(row) == 1);
    size_of_val(&**rows) + own.map(|row| row.size()).sum::<usize>()
}
