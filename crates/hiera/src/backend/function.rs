//! Backends from outside this crate: functions of a language.
//!
//! This crate knows no language. The caller that opens an environment may pass [`DataFunctions`], which call the
//! functions that a `hiera.yaml` names and that are not built in. See
//! <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::fmt::Debug;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_budget::Budget;
use hieratic_value::{Hash, HashBuilder, Str, Value};

use crate::config::FunctionKind;
use crate::file_cache::FileState;
use crate::key::Key;
use crate::query::Query;
use crate::scope::Scope;
use crate::{Error, Warning};

/// Calls the functions of a language that a `hiera.yaml` names as `data_hash`, `lookup_key` or `data_dig`.
pub trait DataFunctions: Debug + Send + Sync {
    /// Calls a function.
    ///
    /// # Errors
    /// The function fails, or cannot be called.
    fn call(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Result<DataAnswer, Error>;
}

/// A call of a function.
#[derive(Clone, Copy, Debug)]
pub struct DataCall<'c> {
    /// The name of the function in the `hiera.yaml`.
    pub function: &'c str,
    /// The kind of the function.
    pub kind: FunctionKind,
    /// The key, or `None` for a `data_hash` function.
    pub key: Option<&'c Key>,
    /// The level's options, with `path` or `uri` if the level has one.
    pub options: &'c Hash,
}

/// The result of a function.
#[derive(Clone, Debug)]
pub enum DataAnswer {
    /// A value.
    Found(Value),
    /// The function does not have the key.
    NotFound,
    /// The function does not exist, with a reason if it is known.
    NoFunction(Option<String>),
}

/// The services for a running function: the `Puppet::LookupContext` of the language.
pub trait DataContext {
    /// Returns the budget that the function is charged to.
    fn budget(&self) -> &Budget;

    /// Returns the node's variables.
    fn scope(&self) -> &Scope;

    /// Returns the module of the level, or `None` for levels of the environment and the global layer.
    fn module(&self) -> Option<&str>;

    /// Returns the values that the function caches between calls.
    fn cache(&self) -> &DataCache;

    /// Returns whether an explanation is recorded.
    fn explains(&self) -> bool;

    /// Adds a line to the explanation.
    fn explain(&mut self, text: String);

    /// Returns the state of a file, which the node observes once. The answer is recorded as depending on the file, so
    /// that caches of answers detect changes.
    fn see(&mut self, file: &Path) -> FileState;

    /// Records that the function may have read files that it has not [seen](Self::see).
    fn mark_unknown_reads(&mut self);

    /// Returns an id of the node that is unique in the process. A node sees one state of the files and has one set of
    /// variables.
    fn snapshot(&self) -> u64;

    /// Returns whether the function has read a secret so far, so that its answer and its cache may contain one.
    fn has_read_secret(&self) -> bool;

    /// Records that the function uses a value that was computed from secrets.
    fn mark_secret(&mut self, value: &Value);

    /// Reports a warning to the user.
    fn warn(&mut self, warning: Warning);

    /// Resolves the `%{...}` of a value.
    ///
    /// # Errors
    /// An interpolation is invalid or fails.
    fn interpolate(&mut self, value: &Value) -> Result<Value, Error>;

    /// Looks up another key as a part of the current lookup.
    ///
    /// # Errors
    /// As [`Node::lookup`](crate::Node::lookup); a key that is already being looked up is an error.
    fn lookup(&mut self, query: &Query<'_>) -> Result<Value, Error>;
}

/// The values that a function caches between its calls for one location of a level.
#[derive(Debug, Default)]
pub struct DataCache(Mutex<CacheEntries>);

#[derive(Debug, Default)]
struct CacheEntries {
    entries: HashBuilder,
    /// The number of stored values so far.
    changes: u64,
    /// Whether a call that had read a secret stored a value, which any later call may reveal.
    secret: bool,
}

impl DataCache {
    fn kept(&self) -> MutexGuard<'_, CacheEntries> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Caches a value.
    pub fn put(&self, key: Value, value: Value) {
        let mut kept = self.kept();
        kept.changes += 1;
        kept.entries.insert(key, value);
    }

    /// Returns the cached value of a key.
    pub fn get(&self, key: &Value) -> Option<Value> {
        self.kept().entries.get(key).cloned()
    }

    /// Returns all cached values, in the order of their insertion.
    pub fn entries(&self) -> Vec<(Value, Value)> {
        self.kept().entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// The number of stored values so far.
    pub(crate) fn changes(&self) -> u64 {
        self.kept().changes
    }

    /// Returns whether the answer of a call may contain secrets: its own, or those that earlier calls cached.
    pub(crate) fn is_secret(&self, has_secret: bool, changes_before: u64) -> bool {
        let mut kept = self.kept();
        kept.secret |= has_secret && kept.changes != changes_before;
        has_secret || kept.secret
    }
}

/// An answer that is cached for the node.
#[derive(Clone, Debug)]
pub(crate) struct CachedAnswer {
    pub(crate) value: Option<Value>,
    pub(crate) secret: bool,
}

/// The options of a level as a function gets them: with its location.
pub(crate) fn options_with(options: &Hash, location: Option<(&str, Str)>) -> Hash {
    match location {
        None => options.clone(),
        Some((name, place)) => {
            let mut all = options.clone().into_map();
            all.insert(name.into(), Value::String(place));
            all.into()
        }
    }
}
