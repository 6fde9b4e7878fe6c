//! [`Shared`]: the state that all evaluations of a context share.

use std::sync::{Arc, OnceLock};

use hieratic_budget::Budget;
use hieratic_jinja::{Engine, read_yaml};
use hieratic_sandbox::{Files, Variables};
use hieratic_value::{Hash, Rich, Str, Value};

use crate::tree::Tree;
use crate::{ExpressionError, Lookup, Options, TaintObserver, stack};

/// The state that all evaluations of a context share: options, budget and engines.
pub(crate) struct Shared {
    pub(crate) tree: Tree,
    pub(crate) vars: Hash,
    pub(crate) env: Variables,
    pub(crate) base: Str,
    pub(crate) files: Files,
    /// Whether templates that fail are errors.
    pub(crate) strict: bool,
    pub(crate) budget: Budget,
    pub(crate) lookups: Vec<(String, Lookup)>,
    pub(crate) observer: Option<Arc<dyn TaintObserver>>,
    strict_engine: OnceLock<Engine>,
    lenient_engine: OnceLock<Engine>,
    draft7: OnceLock<Value>,
}

impl Shared {
    pub(crate) fn new(tree: Tree, options: Options) -> Shared {
        Shared {
            tree,
            vars: options.vars,
            env: options.env,
            base: options.base.to_string_lossy().into(),
            files: options.files,
            strict: options.strict,
            budget: options.budget,
            lookups: options.lookups,
            observer: options.observer,
            strict_engine: OnceLock::new(),
            lenient_engine: OnceLock::new(),
            draft7: OnceLock::new(),
        }
    }

    /// Returns the engine for templates, which is created on first use.
    pub(crate) fn engine(&self, strict: bool, make: impl FnOnce() -> Engine) -> &Engine {
        let cell = if strict { &self.strict_engine } else { &self.lenient_engine };
        cell.get_or_init(make)
    }

    /// Returns the meta-schema of JSON Schema (draft 7), which is parsed on first use.
    pub(crate) fn draft7(&self) -> Result<&Value, ExpressionError> {
        if let Some(rules) = self.draft7.get() {
            return Ok(rules);
        }
        let rules = read_yaml("draft7.yaml", include_str!("functions/schema/draft7.yaml"));
        let rules = rules.map_err(|error| ExpressionError::new(error.message))?;
        Ok(self.draft7.get_or_init(|| rules))
    }

    /// Counts a step.
    pub(crate) fn step(&self) -> Result<(), ExpressionError> {
        self.budget.step().map_err(ExpressionError::exhausted)
    }

    /// Charges the steps of reading a number of bytes of a string.
    pub(crate) fn look_through(&self, bytes: usize) -> Result<(), ExpressionError> {
        self.budget.steps(bytes as u64 / 256).map_err(ExpressionError::exhausted)
    }

    /// Charges the memory of a string, and the steps of reading it, before it is allocated.
    pub(crate) fn bytes(&self, count: usize) -> Result<(), ExpressionError> {
        self.look_through(count)?;
        self.budget.bytes(count).map_err(ExpressionError::exhausted)
    }

    /// Charges a step for each part of a value. Shared parts count once for each use: written out, the value is as
    /// large as that, however little memory it takes.
    pub(crate) fn weigh(&self, value: &Value) -> Result<(), ExpressionError> {
        self.step()?;
        match value {
            Value::String(text) => self.bytes(text.len()),
            Value::Array(items) => stack::grow(|| {
                self.bytes(items.len())?;
                items.iter().try_for_each(|item| self.weigh(item))
            }),
            Value::Hash(hash) => stack::grow(|| {
                hash.iter().try_for_each(|(key, value)| {
                    self.weigh(key)?;
                    self.weigh(value)
                })
            }),
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(inner) => self.weigh(inner),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Reports the inputs and the result of a function to the observer.
    pub(crate) fn report(&self, of: &[Value], result: &Value) {
        if let Some(observer) = self.observer.as_ref().filter(|observer| !observer.is_idle()) {
            observer.record_result(of, result);
        }
    }
}
