//! [`List`]: a list that can be changed.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

use super::Source;
use super::shared::{ReadGuard, Shared, WriteGuard};
use crate::error::Result;

/// A mutable Python list. A loop shares the items of the list at its beginning; they are copied if the list changes
/// during the loop.
#[derive(Debug, Default)]
pub struct List(pub(super) Shared<Vec<Value>>);

impl List {
    /// Creates the value of a new list.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(List(Shared::new(items)))
    }

    /// Creates the value of a list that is an input of a rendering. All lists and dictionaries in it must be inputs as
    /// well.
    pub fn given(items: Vec<Value>) -> Value {
        Value::from_object(List(Shared::input(items)))
    }

    /// Creates the value of a list that is an input of a rendering and is converted on first use.
    pub fn source(source: Source) -> Value {
        Value::from_object(List(Shared::source(source)))
    }

    /// Calls a function with the source, if the list is not yet converted.
    pub fn in_source<R>(&self, show: impl FnOnce(&Source) -> R) -> Option<R> {
        self.0.in_source(show)
    }

    /// Returns the items, for reading.
    pub fn read(&self) -> ReadGuard<'_, Vec<Value>> {
        self.0.read()
    }

    /// Returns the current items.
    pub fn shared(&self) -> Arc<Vec<Value>> {
        self.0.shared()
    }

    /// Returns whether the list still shares these items.
    pub fn holds(&self, other: &Arc<Vec<Value>>) -> bool {
        self.0.holds(other)
    }

    /// Returns the number of items.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Returns the item at an index.
    pub fn at(&self, place: impl FnOnce(&Vec<Value>) -> Option<usize>) -> Option<Value> {
        self.0.at(place)
    }

    /// Replaces the items. Returns the previous ones, unless they are shared.
    pub fn replace(&self, items: Vec<Value>) -> Result<Vec<Value>> {
        self.0.replace(items)
    }

    /// Takes the items out, unless they are shared.
    pub(super) fn take(&self) -> Vec<Value> {
        self.0.take()
    }

    /// Returns the items, for changing.
    pub fn write(&self) -> Result<WriteGuard<'_, Vec<Value>>> {
        self.0.write()
    }
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let at = key.as_usize()?;
        self.at(|_| Some(at))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.read().clone())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.count())
    }
}

impl Drop for List {
    fn drop(&mut self) {
        // The last owner drops the items.
        if let Some(items) = self.0.take_mut() {
            super::drop_flat(items);
        }
    }
}
