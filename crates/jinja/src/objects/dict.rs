//! [`Dict`]: a dictionary that can be changed.

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError, RwLock};

use indexmap::{Equivalent, IndexMap};
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};

use super::Key;
use super::list::{Reading, Writing};

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

/// A dictionary of Python, which `update` and its like change. Its entries are shared as the items of a list are.
#[derive(Debug, Default)]
pub struct Dict(RwLock<Arc<Entries>>);

/// How many entries are few.
const FEW: usize = 8;

impl Dict {
    /// A value that is a new dictionary.
    pub fn value(entries: Entries) -> Value {
        Value::from_object(Dict(RwLock::new(Arc::new(entries))))
    }

    /// The entries, for reading.
    pub fn read(&self) -> Reading<'_, Entries> {
        // Nothing panics while it holds the lock; the entries would be whole all the same.
        Reading(self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The entries that there are now.
    pub fn shared(&self) -> Arc<Entries> {
        self.read().0.clone()
    }

    /// Replaces the entries; those before, unless they are shared.
    pub fn replace(&self, entries: Entries) -> Entries {
        let before = std::mem::replace(&mut *self.write().0, Arc::new(entries));
        Arc::into_inner(before).unwrap_or_default()
    }

    /// Takes the entries out, unless they are shared.
    pub(super) fn take(&self) -> Entries {
        Arc::get_mut(&mut self.write().0).map(std::mem::take).unwrap_or_default()
    }

    /// The entries, for changing.
    pub fn write(&self) -> Writing<'_, Entries> {
        Writing(self.0.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The value under a name that a template asks for.
#[inline]
pub fn under<'e>(entries: &'e Entries, key: &Key) -> Option<&'e Value> {
    entries.get_index(place(entries, key)?).map(|(_, value)| value)
}

/// Where it is. It is looked for where it was the last time; where there are few entries, each is looked at.
#[inline]
pub(super) fn place(entries: &Entries, key: &Key) -> Option<usize> {
    let is_it = |known: &Value| known.as_str() == Some(&key.text) && known.kind() == ValueKind::String;
    let hint = key.hint.load(Ordering::Relaxed);
    if entries.get_index(hint).is_some_and(|(known, _)| is_it(known)) {
        return Some(hint);
    }
    let at = match entries.len() > FEW {
        true => entries.get_index_of(&key.value)?,
        false => entries.keys().position(is_it)?,
    };
    key.hint.store(at, Ordering::Relaxed);
    Some(at)
}

/// What of a dictionary is gone through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Its keys.
    Keys,
    /// Its values.
    Values,
    /// Pairs of both.
    Pairs,
}

impl Side {
    /// The side that a method of dictionaries gives.
    pub fn of(method: &Key) -> Option<Side> {
        match &*method.text {
            "keys" => Some(Side::Keys),
            "values" => Some(Side::Values),
            "items" => Some(Side::Pairs),
            _ => None,
        }
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
        // Whoever shares the entries drops them.
        if let Some(entries) = Arc::get_mut(self.0.get_mut().unwrap_or_else(PoisonError::into_inner)) {
            super::drop_flat(std::mem::take(entries).into_values().collect());
        }
    }
}
