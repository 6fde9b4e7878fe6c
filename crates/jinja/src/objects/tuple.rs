//! [`Tuple`]: an immutable list that prints with parentheses.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A tuple of Python, whose items may have names.
#[derive(Debug)]
pub struct Tuple {
    items: Vec<Value>,
    names: &'static Names,
}

/// The names of the items of a tuple, and its type.
#[derive(Debug)]
pub struct Names {
    /// The qualified name of the type.
    pub title: Option<&'static str>,
    /// Whether it prints with names: `time.struct_time(tm_year=2020, ...)`.
    pub is_printed: bool,
    /// The name of each item.
    pub items: &'static [&'static str],
    /// Attributes that are equal for all tuples of the type. `None` is Python's `None`.
    pub constants: &'static [(&'static str, Option<i64>)],
}

/// A tuple without names.
static NAMELESS: Names = Names { title: None, is_printed: false, items: &[], constants: &[] };

impl Tuple {
    /// Creates the value of a tuple.
    pub fn value(items: Vec<Value>) -> Value {
        Tuple::named(items, &NAMELESS)
    }

    /// Creates the value of a named tuple: `collections.namedtuple`.
    pub fn named(items: Vec<Value>, names: &'static Names) -> Value {
        Value::from_object(Tuple { items, names })
    }

    /// Returns the names of the items, and the type.
    pub fn names(&self) -> &'static Names {
        self.names
    }

    /// Returns the name of the type without its module, or `None` for a plain tuple.
    pub fn type_name(&self) -> Option<&'static str> {
        self.names.title.map(|title| title.rsplit('.').next().unwrap_or(title))
    }

    /// Returns the items.
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
        match self.names.items.iter().position(|name| *name == key) {
            Some(at) => self.items.get(at).cloned(),
            None => {
                let (_, constant) = self.names.constants.iter().find(|(name, _)| *name == key)?;
                Some(constant.map_or(Value::from(()), Value::from))
            }
        }
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
