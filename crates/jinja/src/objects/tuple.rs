//! [`Tuple`]: a list that cannot be changed and prints with parentheses.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A tuple of Python, whose items may have names.
#[derive(Debug)]
pub struct Tuple {
    items: Vec<Value>,
    names: &'static [&'static str],
}

impl Tuple {
    /// Creates the value of a tuple.
    pub fn value(items: Vec<Value>) -> Value {
        Tuple::named(items, &[])
    }

    /// Creates the value of a named tuple: `collections.namedtuple`.
    pub fn named(items: Vec<Value>, names: &'static [&'static str]) -> Value {
        Value::from_object(Tuple { items, names })
    }

    /// The items.
    pub fn items(&self) -> &[Value] {
        &self.items
    }

    /// Returns a tuple in which the items for which the function returns a value are replaced by it.
    pub(super) fn with_each(&self, other: impl Fn(&Value) -> Option<Value>) -> Value {
        Tuple::named(self.items.iter().map(|item| other(item).unwrap_or_else(|| item.clone())).collect(), self.names)
    }

    /// Takes the items out.
    pub(super) fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.items)
    }
}

impl Object for Tuple {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.items.get(key.as_usize()?).cloned()
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        let at = self.names.iter().position(|name| *name == key)?;
        self.items.get(at).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.items.len())
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        super::drop_flat(self.take());
    }
}
