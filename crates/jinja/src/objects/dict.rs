//! [`Dict`]: a dictionary that can be changed.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::{Equivalent, IndexMap};
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};

/// Keys and values, in the order in which the keys came.
pub type Entries = IndexMap<Value, Value>;

/// A text among keys, which has the hash of a value that is this text.
#[derive(Hash)]
struct Text<'a>(&'a str);

impl Equivalent<Value> for Text<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        key.as_str() == Some(self.0) && key.kind() == ValueKind::String
    }
}

/// A dictionary of Python, which `update` and its like change.
#[derive(Debug, Default)]
pub struct Dict(RwLock<Entries>);

/// How many entries are few.
const FEW: usize = 8;

impl Dict {
    /// A value that is a new dictionary.
    pub fn value(entries: Entries) -> Value {
        Value::from_object(Dict(RwLock::new(entries)))
    }

    /// The value under a text, which is given as a value as well. Where there are few entries, each is looked at.
    pub fn under(&self, text: &str, key: &Value) -> Option<Value> {
        let entries = self.read();
        if entries.len() > FEW {
            return entries.get(key).cloned();
        }
        let is_it = |known: &Value| known.as_str() == Some(text) && known.kind() == ValueKind::String;
        entries.iter().find(|(known, _)| is_it(known)).map(|(_, value)| value.clone())
    }

    /// The entries, for reading.
    pub fn read(&self) -> RwLockReadGuard<'_, Entries> {
        // Nothing panics while it holds the lock; the entries would be whole all the same.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The entries, for changing.
    pub fn write(&self) -> RwLockWriteGuard<'_, Entries> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Object for Dict {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.read().get(key).cloned()
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        self.read().get(&Text(key)).cloned()
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.read().keys().cloned().collect())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.read().len())
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        let entries = std::mem::take(self.0.get_mut().unwrap_or_else(PoisonError::into_inner));
        super::drop_flat(entries.into_values().collect());
    }
}
