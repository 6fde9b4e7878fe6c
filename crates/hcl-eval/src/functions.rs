//! The functions for expressions.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use hieratic_hcl_types::{Function, Text, Value};

/// A table of functions by name.
///
/// It can also contain the functions that take expressions: `try`, `can` and `convert`
/// (<https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#conversion-functions>).
#[derive(Clone, Debug, Default)]
pub struct Functions {
    by_name: BTreeMap<Text, Callable>,
    observer: Option<TaintObserver>,
}

/// An observer of the results of functions and operators, with their operands. It tracks values that are computed from
/// secrets.
#[derive(Clone)]
pub struct TaintObserver(Arc<Learn>);

type Learn = dyn Fn(&[&Value], &Value) + Send + Sync;

impl fmt::Debug for TaintObserver {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TaintObserver")
    }
}

impl TaintObserver {
    /// Creates an observer that calls `learn` with the operands and the result.
    pub fn new(learn: impl Fn(&[&Value], &Value) + Send + Sync + 'static) -> TaintObserver {
        TaintObserver(Arc::new(learn))
    }

    pub(crate) fn learns(&self, operands: &[&Value], result: &Value) {
        (self.0)(operands, result);
    }
}

/// The implementation of a function name.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    Function(Arc<Function>),
    Try,
    Can,
    Convert,
}

impl Functions {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `try`, `can` and `convert`.
    pub fn with_expression_functions(mut self) -> Self {
        for (name, callable) in [("try", Callable::Try), ("can", Callable::Can), ("convert", Callable::Convert)] {
            self.by_name.insert(name.into(), callable);
        }
        self
    }

    /// Sets the observer of the results of functions and operators.
    pub fn with_observer(mut self, observer: TaintObserver) -> Self {
        self.observer = Some(observer);
        self
    }

    pub(crate) fn observer(&self) -> Option<&TaintObserver> {
        self.observer.as_ref()
    }

    /// Adds a function, or replaces the one with this name.
    pub fn add(&mut self, name: impl Into<Text>, function: impl Into<Arc<Function>>) {
        self.by_name.insert(name.into(), Callable::Function(function.into()));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Callable> {
        self.by_name.get(name)
    }

    /// Returns the signature and the documentation of a function.
    pub fn describe(&self, name: &str) -> Option<(String, &'static str)> {
        Some(match self.by_name.get(name)? {
            Callable::Function(function) => (format!("{name}{}", function.signature()), function.documentation),
            Callable::Try => {
                ("try(expressions any...) any".into(), "Returns the value of the first expression that has one.")
            }
            Callable::Can => ("can(expression any) bool".into(), "Tests whether an expression has a value."),
            Callable::Convert => {
                ("convert(value any, type) any".into(), "Converts a value to a type such as `list(string)`.")
            }
        })
    }

    /// Returns all names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(|name| &**name)
    }
}

impl<N: Into<Text>, F: Into<Arc<Function>>> FromIterator<(N, F)> for Functions {
    fn from_iter<I: IntoIterator<Item = (N, F)>>(functions: I) -> Self {
        let mut table = Self::new();
        functions.into_iter().for_each(|(name, function)| table.add(name, function));
        table
    }
}
