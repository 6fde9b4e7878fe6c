//! [`Tuple`]: a list that cannot be changed and prints with parentheses.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A tuple of Python.
#[derive(Debug)]
pub struct Tuple(Vec<Value>);

impl Tuple {
    /// A value that is a tuple.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(Tuple(items))
    }

    /// The items.
    pub fn items(&self) -> &[Value] {
        &self.0
    }

    /// Takes the items out.
    pub(super) fn take(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.0)
    }
}

impl Object for Tuple {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.0.get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        super::drop_flat(self.take());
    }
}
