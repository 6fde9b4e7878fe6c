//! [`NamedVariables`]: the variables that data refers to.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hieratic_value::Str;
use indexmap::IndexSet;

/// The distinct variables that the data and the hierarchies of a node refer to.
///
/// A program that is being evaluated has further variables, more with every class, and a local variable shadows one of
/// the top scope. Lookups from there need to know which variables matter.
///
/// ```
/// use hieratic_hiera::NamedVariables;
/// let named = NamedVariables::default();
/// assert_eq!((named.count(), named.from(0)), (0, vec![]));
/// ```
#[derive(Debug, Default)]
pub struct NamedVariables(Mutex<IndexSet<Str>>);

impl NamedVariables {
    /// Returns the number of names, which never decreases.
    pub fn count(&self) -> usize {
        self.locked().len()
    }

    /// Returns the names from an index on, as written: `::name` keeps its colons.
    pub fn from(&self, first: usize) -> Vec<Str> {
        self.locked().iter().skip(first).cloned().collect()
    }

    /// Notes a name, if code can have a variable of it.
    pub(crate) fn record(&self, name: &Str) {
        if matches!(&**name, "facts" | "trusted" | "server_facts") || name.starts_with("settings::") {
            return;
        }
        let mut all = self.locked();
        if !all.contains(name) {
            all.insert(name.clone());
        }
    }

    fn locked(&self) -> MutexGuard<'_, IndexSet<Str>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
