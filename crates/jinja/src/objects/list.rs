//! [`List`]: a list that can be changed.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

/// A list of Python, which `append` and its like change. Who goes through it shares the items that it has then; they are copied when it
/// changes meanwhile.
#[derive(Debug, Default)]
pub struct List(RwLock<Arc<Vec<Value>>>);

impl List {
    /// A value that is a new list.
    pub fn value(items: Vec<Value>) -> Value {
        Value::from_object(List(RwLock::new(Arc::new(items))))
    }

    /// The items, for reading.
    pub fn read(&self) -> Reading<'_, Vec<Value>> {
        // Nothing panics while it holds the lock; the items would be whole all the same.
        Reading(self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The items that there are now.
    pub fn shared(&self) -> Arc<Vec<Value>> {
        self.read().0.clone()
    }

    /// Replaces the items; those before, unless they are shared.
    pub fn replace(&self, items: Vec<Value>) -> Vec<Value> {
        let before = std::mem::replace(&mut *self.write().0, Arc::new(items));
        Arc::into_inner(before).unwrap_or_default()
    }

    /// Takes the items out, unless they are shared.
    pub(super) fn take(&self) -> Vec<Value> {
        Arc::get_mut(&mut self.write().0).map(std::mem::take).unwrap_or_default()
    }

    /// The items, for changing.
    pub fn write(&self) -> Writing<'_, Vec<Value>> {
        Writing(self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// What a list or a dictionary holds, for reading.
pub struct Reading<'a, T>(pub(super) RwLockReadGuard<'a, Arc<T>>);

impl<T> Deref for Reading<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// What a list or a dictionary holds, for changing.
pub struct Writing<'a, T>(pub(super) RwLockWriteGuard<'a, Arc<T>>);

impl<T> Deref for Writing<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Clone> DerefMut for Writing<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        Arc::make_mut(&mut self.0)
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
        // Whoever shares the items drops them.
        if let Some(items) = Arc::get_mut(self.0.get_mut().unwrap_or_else(PoisonError::into_inner)) {
            super::drop_flat(std::mem::take(items));
        }
    }
}
