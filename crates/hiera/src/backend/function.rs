//! Back ends that others bring along: functions of a language.
//!
//! This crate knows no language. Whoever opens an environment may give it [`DataFunctions`], which call what a `hiera.yaml`
//! names and nothing else answers to.
//! See <https://www.puppet.com/docs/puppet/8/hiera_custom_backends.html>.

use std::fmt::Debug;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_powers::Budget;
use hieratic_value::{Hash, HashBuilder, Str, Value};

use crate::config::FunctionKind;
use crate::kept::Seen;
use crate::key::Key;
use crate::query::Query;
use crate::scope::Scope;
use crate::{Error, Warning};

/// Functions of a language that a `hiera.yaml` names as `data_hash`, `lookup_key` or `data_dig`.
pub trait DataFunctions: Debug + Send + Sync {
    /// Calls a function.
    ///
    /// # Errors
    /// What the function does wrong, or how it cannot be called.
    fn call(&self, call: &DataCall<'_>, context: &mut dyn DataContext) -> Result<DataAnswer, Error>;
}

/// What a function is asked.
#[derive(Clone, Copy, Debug)]
pub struct DataCall<'c> {
    /// The function, as the `hiera.yaml` names it.
    pub function: &'c str,
    /// How it is asked.
    pub kind: FunctionKind,
    /// The key; none for a `data_hash` function.
    pub key: Option<&'c Key>,
    /// The level's options, with `path` or `uri` if it has such a location.
    pub options: &'c Hash,
}

/// What a function answers.
#[derive(Clone, Debug)]
pub enum DataAnswer {
    /// A value.
    Found(Value),
    /// It does not have the key.
    NotFound,
    /// There is no such function; perhaps why.
    NoFunction(Option<String>),
}

/// What a function may ask while it runs: the `Puppet::LookupContext` of the language.
pub trait DataContext {
    /// What the work is taken from.
    fn budget(&self) -> &Budget;

    /// The node's variables.
    fn scope(&self) -> &Scope;

    /// The module whose hierarchy the level belongs to; none for those of the environment and the global layer.
    fn module(&self) -> Option<&str>;

    /// What the function keeps for its next call.
    fn cache(&self) -> &DataCache;

    /// Whether anybody wants explanations.
    fn explains(&self) -> bool;

    /// Adds a line to the explanation.
    fn explain(&mut self, text: String);

    /// What a file is like for the node, which looks at it once. It is noted that an answer depends on it, so that whoever keeps answers
    /// knows when it is out of date.
    fn see(&mut self, file: &Path) -> Seen;

    /// A number that only calls for the same node have, as it was opened: it sees one state of the files, and has the same variables.
    fn snapshot(&self) -> u64;

    /// Whether the function has met something secret so far, of which its answer and what it keeps may be made.
    fn met_secret(&self) -> bool;

    /// Notes that the function goes on with a value that was made of secrets earlier.
    fn meet_secret(&mut self, value: &Value);

    /// Says something that the user should know.
    fn warn(&mut self, warning: Warning);

    /// A value with its `%{...}` resolved.
    ///
    /// # Errors
    /// Whatever an interpolation gets wrong.
    fn interpolate(&mut self, value: &Value) -> Result<Value, Error>;

    /// Looks something else up, as a part of the lookup that is under way.
    ///
    /// # Errors
    /// As [`Node::lookup`](crate::Node::lookup); asking for what is being looked up already is one.
    fn lookup(&mut self, query: &Query<'_>) -> Result<Value, Error>;
}

/// What a function keeps between its calls for one location of a level.
#[derive(Debug, Default)]
pub struct DataCache(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    entries: HashBuilder,
    /// How often something was kept.
    changes: u64,
    /// Whether something was kept by a call that had met a secret, which any later call may give away.
    secret: bool,
}

impl DataCache {
    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a value.
    pub fn put(&self, key: Value, value: Value) {
        let mut kept = self.kept();
        kept.changes += 1;
        kept.entries.insert(key, value);
    }

    /// What was kept under a key.
    pub fn get(&self, key: &Value) -> Option<Value> {
        self.kept().entries.get(key).cloned()
    }

    /// All that was kept, in the order in which it came.
    pub fn entries(&self) -> Vec<(Value, Value)> {
        self.kept().entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    /// How often something was kept so far.
    pub(crate) fn changes(&self) -> u64 {
        self.kept().changes
    }

    /// Whether the answer of a call may be made of secrets: of those that it met, or that earlier calls kept.
    pub(crate) fn is_secret(&self, met: bool, changes_before: u64) -> bool {
        let mut kept = self.kept();
        kept.secret |= met && kept.changes != changes_before;
        met || kept.secret
    }
}

/// An answer that is kept for the node.
#[derive(Clone, Debug)]
pub(crate) struct KeptAnswer {
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
