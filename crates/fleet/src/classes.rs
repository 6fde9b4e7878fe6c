//! [`Classes`]: a cache of rows by equivalence class, so that equivalent nodes are looked up once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use hieratic::budget::Budget;
use hieratic::dependencies::{DataDependency, NodeDependencies, node_fingerprint};
use hieratic::value::collections::HashMap;
use hieratic::value::ids::Fingerprint;
use hieratic::{Environment, Error, Facts, Node};

use crate::answer_cache::{AnswerCache, Variables};
use crate::node_answers::NodeAnswers;
use crate::node_query::NodeQuery;
use crate::options::Options;
use crate::rows::NodeRows;

/// A cache of the rows of recently used equivalence classes.
#[derive(Debug)]
pub struct Classes {
    known: Mutex<ClassCache>,
    shared: AnswerCache,
    /// The maximum size of the cached rows, in bytes.
    capacity: usize,
    /// The number of data files that the environment keeps.
    most_files: AtomicUsize,
}

impl Default for Classes {
    fn default() -> Classes {
        Classes {
            known: Mutex::default(),
            shared: AnswerCache::default(),
            capacity: MAX_CACHED,
            most_files: AtomicUsize::new(0),
        }
    }
}

/// The equivalence class of a node.
#[derive(Debug)]
pub struct NodeClass {
    /// The identity of the class: nodes with the same fingerprint have the same answers.
    pub fingerprint: Fingerprint,
    variables: Variables,
}

#[derive(Debug, Default)]
struct ClassCache {
    classes: HashMap<Fingerprint, NodeRows>,
    weight: usize,
    /// The number of classes, dropped ones included.
    class_count: usize,
    /// The number of keys that were looked up for them.
    lookups: u64,
    /// The number of times that the rows of a class were reused.
    reused: usize,
}

/// The minimum number of data files that the environment keeps, and the number of nodes whose files it has room for.
const MIN_FILES: usize = 64;
const NODES_WITH_FILES: usize = 4;

/// The default maximum size of the cached rows, in bytes.
const MAX_CACHED: usize = 128 << 20;

/// The maximum size of the cached rows while nearly no class occurs twice: nodes that follow each other may be alike.
const MAX_CACHED_UNUSED: usize = 8 << 20;

/// The inverse of the minimum reuse rate of classes from which on more of them are cached.
const MAX_CLASSES_PER_REUSE: usize = 16;

/// The number of classes that are cached before any of them has to be reused.
const TRIAL_CLASSES: usize = 64;

impl Classes {
    /// Creates a cache with a maximum size of its rows in bytes.
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
        let dependencies = node.dependencies(&Budget::new(options.limits))?;
        self.limit_files(environment, dependencies.places.len());
        let class = self.class_of(&node, &dependencies)?;
        self.find(&NodeQuery::new(&node, &dependencies, options, None), &dependencies, class)
    }

    /// Limits the files that the environment keeps: those of several nodes, and some that one node reads alone.
    fn limit_files(&self, environment: &Environment, of_node: usize) {
        let file_count = (of_node * NODES_WITH_FILES).max(MIN_FILES);
        if self.most_files.fetch_max(file_count, Ordering::Relaxed) < file_count {
            environment.keep(file_count);
        }
    }

    /// Returns the answers of a node, for an index of all nodes. All lookups are charged to one budget.
    ///
    /// # Errors
    /// The data has too many keys, or the budget is exhausted.
    pub fn answers(
        &self,
        node: &Node,
        dependencies: &NodeDependencies,
        class: Option<NodeClass>,
        options: &Options<'_>,
        budget: &Budget,
    ) -> Result<NodeAnswers, Error> {
        self.find(&NodeQuery::new(node, dependencies, options, Some(budget)), dependencies, class).map(NodeAnswers)
    }

    /// Returns a node's equivalence class in this process. Returns `None` if backends are functions or programs,
    /// because the facts that they read are unknown.
    ///
    /// # Errors
    /// The data has too many keys.
    pub fn class_of(&self, node: &Node, dependencies: &NodeDependencies) -> Result<Option<NodeClass>, Error> {
        if dependencies.asks_code {
            return Ok(None);
        }
        let variables = Variables::new(&self.shared, node, dependencies)?;
        let fingerprint = Fingerprint::new(&(node_fingerprint(&[dependencies]), &variables));
        Ok(Some(NodeClass { fingerprint, variables }))
    }

    fn find(
        &self,
        asking: &NodeQuery<'_>,
        dependencies: &NodeDependencies,
        class: Option<NodeClass>,
    ) -> Result<NodeRows, Error> {
        let Some(NodeClass { fingerprint: class, variables }) = class else {
            let (rows, lookups) = asking.all()?;
            self.locked().count(lookups);
            return Ok(rows.into());
        };
        if let Some(known) = self.locked().get(class) {
            return Ok(known);
        }
        let (rows, lookups) = match self.shared.rows(asking, dependencies, &variables)? {
            Some(rows) => rows,
            None => {
                let (rows, lookups) = asking.all()?;
                (rows.into(), lookups)
            }
        };
        let mut known = self.locked();
        // Another thread may have computed the same class.
        if let Some(other) = known.get(class) {
            return Ok(other);
        }
        known.count(lookups);
        known.keep(class, &rows, self.capacity);
        Ok(rows)
    }

    /// Returns the name of a node's equivalence class: nodes with the same name have the same answers. The name is
    /// equal in other runs, as long as the files of the hierarchies have the same paths. Returns `None` if backends are
    /// functions or programs, because the facts that they read are unknown.
    ///
    /// # Errors
    /// The data has too many keys.
    pub fn name(&self, node: &Node, dependencies: &NodeDependencies) -> Result<Option<String>, Error> {
        if dependencies.asks_code {
            return Ok(None);
        }
        let is_there = |dependency: &&DataDependency| {
            dependency.data.is_some() || dependency.fault.is_some() || dependency.path.is_some()
        };
        let place = |dependency: &DataDependency| (dependency.place, dependency.path.clone(), dependency.fault.clone());
        let places: Vec<_> = dependencies.places.iter().filter(is_there).map(place).collect();
        let variables = Variables::new(&self.shared, node, dependencies)?;
        let [name, _] = Fingerprint::new(&(places, variables)).halves();
        Ok(Some(format!("{name:016x}")))
    }

    /// Returns the number of classes, which is how often rows were computed, and the number of keys looked up for them.
    pub(crate) fn counts(&self) -> (usize, u64) {
        let known = self.locked();
        (known.class_count, known.lookups)
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, ClassCache> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClassCache {
    /// Returns the rows of a class.
    fn get(&mut self, class: Fingerprint) -> Option<NodeRows> {
        let found = self.classes.get(&class)?.clone();
        self.reused += 1;
        Some(found)
    }

    /// Keeps the rows of a class. If their size exceeds the capacity, all others are forgotten.
    fn keep(&mut self, class: Fingerprint, rows: &NodeRows, capacity: usize) {
        let is_used = self.class_count <= TRIAL_CLASSES || self.reused >= self.class_count / MAX_CLASSES_PER_REUSE;
        let capacity = if is_used { capacity } else { capacity.min(MAX_CACHED_UNUSED) };
        let weight = rows.unshared_size();
        if self.weight.saturating_add(weight) > capacity {
            self.classes.clear();
            self.weight = 0;
        }
        self.weight += weight;
        self.classes.insert(class, rows.clone());
    }

    /// Counts a class.
    fn count(&mut self, lookups: u64) {
        self.class_count += 1;
        self.lookups += lookups;
    }
}
