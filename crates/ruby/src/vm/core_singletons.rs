//! [`CoreSingletons`]: the classes of single strings, arrays and hashes. => [`CoreSingletons`]: the singleton classes
//! of strings, arrays and hashes.

use std::rc::Rc;

use hieratic_value::collections::HashMap;

use crate::value::{Class, Value};

/// Classes by the object that each belongs to. The objects are kept, so that an address stays theirs.
#[derive(Debug, Default)]
pub(crate) struct CoreSingletons(HashMap<usize, (Value, Rc<Class>)>);

impl CoreSingletons {
    /// Returns the singleton class of an object.
    #[inline]
    pub fn get(&self, value: &Value) -> Option<&Rc<Class>> {
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&address(value)?).map(|(_, class)| class)
    }

    /// Adds the singleton class of an object.
    pub fn insert(&mut self, value: &Value, class: Rc<Class>) {
        if let Some(address) = address(value) {
            self.0.insert(address, (value.clone(), class));
        }
    }
}

fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Str(text) => Some(Rc::as_ptr(text) as usize),
        Value::Array(list) => Some(Rc::as_ptr(list) as usize),
        Value::Hash(hash) => Some(Rc::as_ptr(hash) as usize),
        _ => None,
    }
}
