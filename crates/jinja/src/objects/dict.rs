//! [`Dict`]: a dictionary that can be changed.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use indexmap::{Equivalent, IndexMap};
use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};

use super::Key;
use super::shared::{ReadGuard, Shared, WriteGuard};
use super::source::{Source, SourceEntry};
use crate::error::Result;

/// Keys and values in insertion order.
pub type Entries = IndexMap<Value, Value>;

/// A string as a key for lookups. It has the hash of the value of this string.
#[derive(Hash)]
struct Text<'a>(&'a str);

impl Equivalent<Value> for Text<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        key.as_str() == Some(self.0) && key.kind() == ValueKind::String
    }
}

/// A mutable Python dictionary. Its entries are shared like the items of a list.
#[derive(Debug, Default)]
pub struct Dict(pub(super) Shared<Entries>);

/// The maximum number of entries for which a linear search is used.
const LINEAR_SEARCH_LIMIT: usize = 8;

impl Dict {
    /// Creates the value of a new dictionary.
    pub fn value(entries: Entries) -> Value {
        Value::from_object(Dict(Shared::new(entries)))
    }

    /// Creates the value of a dictionary that is an input of a rendering. All lists and dictionaries in it must be
    /// inputs as well.
    pub fn given(entries: Entries) -> Value {
        Value::from_object(Dict(Shared::input(entries)))
    }

    /// Creates the value of a dictionary that is an input of a rendering and is converted on first use.
    pub fn source(source: Source) -> Value {
        Value::from_object(Dict(Shared::source(source)))
    }

    /// Returns the entries, for reading.
    pub fn read(&self) -> ReadGuard<'_, Entries> {
        self.0.read()
    }

    /// Returns the current entries.
    pub fn shared(&self) -> Arc<Entries> {
        self.0.shared()
    }

    /// Returns whether the dictionary still shares these entries.
    pub fn holds(&self, other: &Arc<Entries>) -> bool {
        self.0.holds(other)
    }

    /// Returns the number of entries.
    pub fn count(&self) -> usize {
        self.0.count()
    }

    /// Returns the value of an attribute.
    #[inline]
    pub fn under(&self, key: &Key) -> Option<Value> {
        match self.0.in_source(|source| source.under(key)) {
            Some(found) => self.kept(found?, key),
            None => self.0.at(|entries| place(entries, key)),
        }
    }

    /// Shows the value of an attribute to a function.
    #[inline]
    pub fn show<R>(&self, key: &Key, show: impl FnOnce(Option<&Value>) -> R) -> R {
        match self.0.in_source(|source| source.under(key)) {
            Some(found) => show(found.and_then(|found| self.kept(found, key)).as_ref()),
            None => show(under(&self.read(), key)),
        }
    }

    /// The value that was found in a source. A list or dictionary is kept, so that it is found again.
    fn kept(&self, found: SourceEntry, key: &Key) -> Option<Value> {
        match found {
            SourceEntry::Value(value) => Some(value),
            SourceEntry::Unseen(at) => match self.0.change_source(|source| source.keep(at)) {
                Some(kept) => kept,
                // Another thread converted the source meanwhile.
                None => self.0.at(|entries| place(entries, key)),
            },
        }
    }

    /// Replaces the entries. Returns the previous ones, unless they are shared.
    pub fn replace(&self, entries: Entries) -> Result<Entries> {
        self.0.replace(entries)
    }

    /// Takes the entries out, unless they are shared.
    pub(super) fn take(&self) -> Entries {
        self.0.take()
    }

    /// Returns the entries, for changing.
    pub fn write(&self) -> Result<WriteGuard<'_, Entries>> {
        self.0.write()
    }
}

/// Returns the value of an attribute.
#[inline]
pub fn under<'e>(entries: &'e Entries, key: &Key) -> Option<&'e Value> {
    entries.get_index(place(entries, key)?).map(|(_, value)| value)
}

/// Returns the index of an attribute. The index of the last search is tried first; then few entries are searched one by
/// one.
#[inline]
pub(super) fn place(entries: &Entries, key: &Key) -> Option<usize> {
    let is_it = |known: &Value| known.as_str() == Some(&key.text) && known.kind() == ValueKind::String;
    let hint = key.hint.load(Ordering::Relaxed);
    if entries.get_index(hint).is_some_and(|(known, _)| is_it(known)) {
        return Some(hint);
    }
    let at = if entries.len() > LINEAR_SEARCH_LIMIT {
        entries.get_index_of(&key.value)?
    } else {
        entries.keys().position(is_it)?
    };
    key.hint.store(at, Ordering::Relaxed);
    Some(at)
}

/// The parts of a dictionary that a loop iterates over.
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
    /// Returns the side that a dictionary method returns.
    pub fn from_method(method: &Key) -> Option<Side> {
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
        self.0.at(|entries| entries.get_index_of(key))
    }

    fn get_value_by_str(self: &Arc<Self>, key: &str) -> Option<Value> {
        self.0.at(|entries| entries.get_index_of(&Text(key)))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.read().keys().cloned().collect())
    }

    fn enumerator_len(self: &Arc<Self>) -> Option<usize> {
        Some(self.count())
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        // The last owner drops the entries.
        if let Some(entries) = self.0.take_mut() {
            super::drop_flat(entries.into_values().collect());
        }
    }
}
