//! [`Tuple`]: a list that cannot be changed and prints with parentheses.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A tuple of Python.
#[derive(Debug)]
pub struct Tuple(pub Vec<Value>);

impl Tuple {
    /// A value that is a tuple.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(Tuple(items))
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
