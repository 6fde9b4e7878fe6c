//! The functions that expressions may call.

use std::collections::BTreeMap;
use std::sync::Arc;

use hieratic_cty::{Function, Text};

/// A table of functions by name.
///
/// Besides functions over values it has those that take expressions: `try`, `can` and `convert`
/// (<https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#conversion-functions>).
#[derive(Clone, Debug, Default)]
pub struct Functions {
    by_name: BTreeMap<Text, Callable>,
}

/// What a name of a function stands for.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    Function(Arc<Function>),
    Try,
    Can,
    Convert,
}

impl Functions {
    /// No functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with `try`, `can` and `convert`.
    pub fn with_expression_functions(mut self) -> Self {
        for (name, callable) in [("try", Callable::Try), ("can", Callable::Can), ("convert", Callable::Convert)] {
            self.by_name.insert(name.into(), callable);
        }
        self
    }

    /// Adds a function. One of that name is replaced.
    pub fn add(&mut self, name: impl Into<Text>, function: impl Into<Arc<Function>>) {
        self.by_name.insert(name.into(), Callable::Function(function.into()));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Callable> {
        self.by_name.get(name)
    }

    /// All names, sorted.
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
