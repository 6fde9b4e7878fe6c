//! Functions by name.

use std::collections::BTreeMap;
use std::collections::btree_map;
use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hcl_types::{CallError, Function, Parameter, Type, Value};
use hieratic_value::collections::HashMap;

/// A table of functions. Cloning shares the functions.
#[derive(Clone, Debug, Default)]
pub struct FunctionTable {
    sorted: BTreeMap<&'static str, Arc<Function>>,
    by_name: HashMap<&'static str, Arc<Function>>,
}

impl FunctionTable {
    /// Returns the function with this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Function>> {
        self.by_name.get(name)
    }

    /// Returns all functions, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Arc<Function>)> {
        self.sorted.iter().map(|(name, function)| (*name, function))
    }

    /// Returns all names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.sorted.keys().copied()
    }

    pub(crate) fn add(&mut self, name: &'static str, documentation: &'static str, function: Function) {
        let function = Arc::new(function.with_documentation(documentation));
        self.sorted.insert(name, Arc::clone(&function));
        self.by_name.insert(name, function);
    }

    /// Adds a function whose result is always of one type.
    pub(crate) fn fixed<const N: usize>(
        &mut self,
        name: &'static str,
        documentation: &'static str,
        parameters: [Parameter; N],
        result: Type,
        body: impl Fn(&[Value]) -> Result<Value, CallError> + Send + Sync + 'static,
    ) {
        self.add(name, documentation, Function::new(parameters.into(), result, body));
    }

    /// Adds a function that can make large results from small arguments. It charges its cost to the budget.
    pub(crate) fn add_with_budget<const N: usize>(
        &mut self,
        name: &'static str,
        documentation: &'static str,
        parameters: [Parameter; N],
        result: Type,
        body: impl Fn(&Budget, &[Value]) -> Result<Value, CallError> + Send + Sync + 'static,
    ) {
        self.add(name, documentation, Function::with_budget(parameters.into(), result, body));
    }
}

impl IntoIterator for FunctionTable {
    type Item = (&'static str, Arc<Function>);
    type IntoIter = btree_map::IntoIter<&'static str, Arc<Function>>;

    fn into_iter(self) -> Self::IntoIter {
        self.sorted.into_iter()
    }
}
