//! [`Set`]: a set of distinct values.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A Python set, the result of `!!set`. Its items keep their order, which is arbitrary in Python.
#[derive(Debug)]
pub struct Set(Vec<Value>);

impl Set {
    /// Creates the value of a set. The items must be distinct.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(Set(items))
    }

    /// Returns the items.
    pub fn items(&self) -> &[Value] {
        &self.0
    }
}

impl Object for Set {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Iterable
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.0.clone())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.0.len())
    }
}
