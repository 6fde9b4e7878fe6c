//! [`Tree`]: the values inside of arrays and hashes with their paths, in the order of `tree_each`.
//!
//! See [`tree_each`](https://www.puppet.com/docs/puppet/8/function.html#tree-each).

use std::collections::VecDeque;
use std::sync::Arc;

use hieratic_puppet_types::Type;
use hieratic_value::Value;

/// A tree, and the parts of it that are visited.
#[derive(Debug)]
pub(crate) struct Tree {
    /// The value that contains all others.
    pub root: Value,
    /// The types of the containers that are descended into; by default arrays and hashes.
    pub containers: Option<Type>,
    /// Whether the root is visited.
    pub with_root: bool,
    /// Whether containers that are descended into are visited themselves.
    pub with_containers: bool,
    /// Whether all other values are visited. It only applies to depth-first order; breadth-first always visits them.
    pub with_values: bool,
    /// The order.
    pub order: Order,
}

/// The order of a visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Depth first: the parts of a value come directly after it.
    Depth,
    /// Breadth first: the parts of values come after all their siblings.
    Breadth,
}

impl Tree {
    fn is_container(&self, value: &Value) -> bool {
        matches!(value, Value::Array(_) | Value::Hash(_))
            && self.containers.as_ref().is_none_or(|kind| kind.is_instance(value))
    }
}

/// A visit in progress.
#[derive(Debug)]
pub(super) struct Visit {
    tree: Arc<Tree>,
    /// The containers in progress. In depth-first order the last one is visited and the others enclose it; in
    /// breadth-first order the first one is visited and the others wait.
    levels: VecDeque<Level>,
    begun: bool,
}

/// A container in progress.
#[derive(Debug)]
struct Level {
    container: Value,
    /// The index of the next element.
    next: usize,
    /// The key of the last element; in depth-first order, of the container that is visited.
    key: Value,
    /// In breadth-first order, the path to the container.
    path: Vec<Value>,
}

impl Level {
    fn new(container: Value, path: Vec<Value>) -> Level {
        Level { container, next: 0, key: Value::Undef, path }
    }

    /// Returns the next element and records its key.
    fn advance(&mut self) -> Option<Value> {
        let (key, value) = match &self.container {
            Value::Array(elements) => {
                (Value::Integer(i64::try_from(self.next).ok()?), elements.get(self.next)?.clone())
            }
            Value::Hash(hash) => hash.as_map().get_index(self.next).map(|(key, value)| (key.clone(), value.clone()))?,
            _ => return None,
        };
        self.next += 1;
        self.key = key;
        Some(value)
    }
}

impl Visit {
    pub(super) fn new(tree: &Arc<Tree>) -> Visit {
        Visit { tree: tree.clone(), levels: VecDeque::new(), begun: false }
    }

    /// Returns the next path and value as an array of two.
    pub(super) fn next(&mut self) -> Option<Value> {
        if !self.begun {
            self.begun = true;
            if self.tree.is_container(&self.tree.root) {
                self.levels.push_back(Level::new(self.tree.root.clone(), Vec::new()));
            }
            if self.tree.with_root {
                return Some(entry(Vec::new(), self.tree.root.clone()));
            }
        }
        match self.tree.order {
            Order::Depth => self.next_in_depth(),
            Order::Breadth => self.next_in_breadth(),
        }
    }

    fn next_in_depth(&mut self) -> Option<Value> {
        loop {
            let Some(value) = self.levels.back_mut()?.advance() else {
                self.levels.pop_back();
                continue;
            };
            let container = self.tree.is_container(&value);
            let visited = if container { self.tree.with_containers } else { self.tree.with_values };
            let found =
                visited.then(|| entry(self.levels.iter().map(|level| level.key.clone()).collect(), value.clone()));
            if container {
                self.levels.push_back(Level::new(value, Vec::new()));
            }
            if found.is_some() {
                return found;
            }
        }
    }

    fn next_in_breadth(&mut self) -> Option<Value> {
        loop {
            let level = self.levels.front_mut()?;
            let Some(value) = level.advance() else {
                self.levels.pop_front();
                continue;
            };
            let mut path = level.path.clone();
            path.push(level.key.clone());
            if self.tree.is_container(&value) {
                self.levels.push_back(Level::new(value.clone(), path.clone()));
                if !self.tree.with_containers {
                    continue;
                }
            }
            return Some(entry(path, value));
        }
    }
}

fn entry(path: Vec<Value>, value: Value) -> Value {
    Value::from(vec![Value::from(path), value])
}
