//! [`Source`]: a list or hash of the data model that an input of a rendering is converted from.

use std::sync::atomic::Ordering;

use hieratic_value::Value as Data;
use minijinja::Value;

use super::{Entries, Key};

/// Converts a value of the data model.
pub type Convert = fn(&Data) -> Value;

/// A list or hash of the data model, and how its values are converted.
#[derive(Debug)]
pub struct Source {
    data: Data,
    convert: Convert,
    /// The lists and dictionaries in it that a template saw, by index: they stay the same objects.
    seen: Vec<(usize, Value)>,
}

/// The most entries of a hash that are searched one by one.
const LINEAR_SEARCH_LIMIT: usize = 8;

impl Source {
    /// A list, or a hash whose keys are all strings. Other keys can be different in the data model and equal in Python.
    pub fn new(data: &Data, convert: Convert) -> Option<Source> {
        let is_simple = match data {
            Data::Array(_) => true,
            Data::Hash(hash) => hash.keys().all(|key| matches!(key, Data::String(_))),
            _ => false,
        };
        is_simple.then(|| Source { data: data.clone(), convert, seen: Vec::new() })
    }

    /// The value that it is converted from.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// The number of values.
    pub fn count(&self) -> usize {
        match &self.data {
            Data::Array(items) => items.len(),
            Data::Hash(hash) => hash.len(),
            _ => 0,
        }
    }

    /// The items of a list.
    pub fn items(self) -> Vec<Value> {
        match &self.data {
            Data::Array(items) => items.iter().map(self.convert).collect(),
            _ => Vec::new(),
        }
    }

    /// The entries of a hash.
    pub fn entries(self) -> Entries {
        let Data::Hash(hash) = &self.data else { return Entries::default() };
        let mut entries: Entries =
            hash.iter().map(|(key, value)| ((self.convert)(key), (self.convert)(value))).collect();
        for (at, value) in self.seen {
            if let Some((_, slot)) = entries.get_index_mut(at) {
                *slot = value;
            }
        }
        entries
    }

    /// The value of an attribute; the place of the value if it is a list or dictionary that must be [kept](Self::keep).
    #[inline]
    pub fn under(&self, key: &Key) -> Option<SourceEntry> {
        let Data::Hash(hash) = &self.data else { return None };
        let map = hash.as_map();
        let is_it = |known: &Data| matches!(known, Data::String(text) if **text == *key.text);
        let hint = key.hint.load(Ordering::Relaxed);
        let at = if map.get_index(hint).is_some_and(|(known, _)| is_it(known)) {
            hint
        } else {
            let at =
                if map.len() > LINEAR_SEARCH_LIMIT { hash.index_of(&key.text)? } else { map.keys().position(is_it)? };
            key.hint.store(at, Ordering::Relaxed);
            at
        };
        let (_, value) = map.get_index(at)?;
        match value {
            Data::Array(_) | Data::Hash(_) => match self.seen.iter().find(|(known, _)| *known == at) {
                Some((_, value)) => Some(SourceEntry::Value(value.clone())),
                None => Some(SourceEntry::Unseen(at)),
            },
            _ => Some(SourceEntry::Value((self.convert)(value))),
        }
    }

    /// Converts the value at an index, which stays the same object from now on.
    pub fn keep(&mut self, at: usize) -> Option<Value> {
        // Another thread may have converted it first.
        if let Some((_, known)) = self.seen.iter().find(|(known, _)| *known == at) {
            return Some(known.clone());
        }
        let Data::Hash(hash) = &self.data else { return None };
        let value = (self.convert)(hash.as_map().get_index(at)?.1);
        self.seen.push((at, value.clone()));
        Some(value)
    }
}

/// The result of the search for an attribute.
#[derive(Debug)]
pub enum SourceEntry {
    /// A value.
    Value(Value),
    /// The place of a list or dictionary that no template saw yet.
    Unseen(usize),
}
