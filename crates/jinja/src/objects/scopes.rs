//! Values with attributes: `namespace(...)`, imported templates.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

use super::Key;
use super::dict::{Entries, place, under};

/// The result of `namespace(...)`: attributes that `{% set ns.name = ... %}` changes.
#[derive(Debug, Default)]
pub struct Namespace(Mutex<Entries>);

impl Namespace {
    /// Creates a namespace with these attributes.
    pub fn new(entries: Entries) -> Namespace {
        Namespace(Mutex::new(entries))
    }

    /// Returns an attribute.
    pub fn get(&self, name: &Value) -> Option<Value> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Returns a copy of the attributes.
    pub fn entries(&self) -> Entries {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns an attribute that a template names.
    pub fn get_key(&self, key: &Key) -> Option<Value> {
        under(&self.0.lock().unwrap_or_else(PoisonError::into_inner), key).cloned()
    }

    /// Changes an attribute.
    pub fn set(&self, key: &Key, value: Value) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The previous value is dropped after the lock is released.
        let _before = match place(&entries, key).and_then(|at| entries.get_index_mut(at)) {
            Some((_, known)) => Some(std::mem::replace(known, value)),
            None => entries.insert(key.value.clone(), value),
        };
        drop(entries);
    }
}

impl Object for Namespace {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get(key)
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.0.lock().unwrap_or_else(PoisonError::into_inner).keys().cloned().collect())
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<Namespace>")
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        let entries = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        super::drop_flat(entries.into_values().collect());
    }
}

/// The result of `{% import %}`: the macros and variables of another template.
#[derive(Debug)]
pub struct Module {
    /// The name of the template.
    pub name: String,
    /// The macros and variables of its top scope.
    pub exports: Entries,
    /// Its output, which is the string form of the module.
    pub text: String,
}

impl Object for Module {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = || (key.as_str() == Some("__name__")).then(|| Value::from(self.name.as_str()));
        self.exports.get(key).cloned().or_else(name)
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
