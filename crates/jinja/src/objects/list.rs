//! [`List`]: a list that can be changed.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A list of Python, which `append` and its like change.
#[derive(Debug, Default)]
pub struct List(RwLock<Vec<Value>>);

impl List {
    /// A value that is a new list.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(List(RwLock::new(items)))
    }

    /// The items, for reading.
    pub fn read(&self) -> RwLockReadGuard<'_, Vec<Value>> {
        // Nothing panics while it holds the lock; the items would be whole all the same.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The items, for changing.
    pub fn write(&self) -> RwLockWriteGuard<'_, Vec<Value>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.read().get(key.as_usize()?).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.read().clone())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.read().len())
    }
}

impl Drop for List {
    fn drop(&mut self) {
        super::drop_flat(std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner)));
    }
}
