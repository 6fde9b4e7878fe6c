//! [`Hash`]: an immutable map of values that keeps the order of insertion.

use std::fmt;
use std::hash::{Hash as _, Hasher};
use std::sync::{Arc, LazyLock};

use crate::collections::FixedState;
use indexmap::{Equivalent, IndexMap};

use crate::{Str, Value, ordering};

/// The table inside a [`Hash`].
pub type Map = IndexMap<Value, Value, FixedState>;

/// A mutable hash. [`Hash::from`] makes it immutable.
pub type HashBuilder = Map;

/// An immutable hash in insertion order, shared by reference count. An empty one allocates nothing.
#[derive(Clone, Default)]
pub struct Hash(Option<Arc<Map>>);

/// The table of every empty hash.
static EMPTY: LazyLock<Map> = LazyLock::new(Map::default);

impl Hash {
    /// Returns the value of a string key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_map().get(&StringKey(key))
    }

    /// Returns the value of a key of any type, compared by Ruby's `eql?`: the key `1` does not match `1.0`.
    pub fn get_value(&self, key: &Value) -> Option<&Value> {
        self.as_map().get(key)
    }

    /// Returns whether the hash contains a string key.
    pub fn contains(&self, key: &str) -> bool {
        self.as_map().contains_key(&StringKey(key))
    }

    /// Returns the position of a string key in insertion order.
    pub fn index_of(&self, key: &str) -> Option<usize> {
        self.as_map().get_index_of(&StringKey(key))
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |map| map.len())
    }

    /// Returns whether the hash has no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an iterator over the keys and values, in insertion order.
    pub fn iter(&self) -> indexmap::map::Iter<'_, Value, Value> {
        self.as_map().iter()
    }

    /// Returns an iterator over the keys, in insertion order.
    pub fn keys(&self) -> indexmap::map::Keys<'_, Value, Value> {
        self.as_map().keys()
    }

    /// Returns the table.
    pub fn as_map(&self) -> &Map {
        match &self.0 {
            Some(map) => map,
            None => &EMPTY,
        }
    }

    /// Returns the table for changes. It is moved if no other hash shares it, and otherwise copied; the values stay
    /// shared.
    pub fn into_map(self) -> Map {
        match self.0 {
            Some(map) => Arc::try_unwrap(map).unwrap_or_else(|shared| (*shared).clone()),
            None => Map::default(),
        }
    }

    /// Returns whether another hash shares the table. Empty hashes count as shared.
    pub fn is_shared(&self) -> bool {
        self.0.as_ref().is_none_or(|map| Arc::strong_count(map) > 1)
    }

    /// Returns whether two hashes are clones of each other, that is, share one table in memory.
    pub fn same(&self, other: &Hash) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (one, two) => one.is_none() && two.is_none(),
        }
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_map().entries(self.iter()).finish()
    }
}

impl From<Map> for Hash {
    fn from(map: Map) -> Self {
        Hash((!map.is_empty()).then(|| Arc::new(map)))
    }
}

impl<K: Into<Value>> FromIterator<(K, Value)> for Hash {
    fn from_iter<I: IntoIterator<Item = (K, Value)>>(pairs: I) -> Self {
        pairs.into_iter().map(|(key, value)| (key.into(), value)).collect::<Map>().into()
    }
}

impl<'a> IntoIterator for &'a Hash {
    type Item = (&'a Value, &'a Value);
    type IntoIter = indexmap::map::Iter<'a, Value, Value>;

    fn into_iter(self) -> Self::IntoIter {
        self.as_map().iter()
    }
}

/// A string key that is looked for without making a [`Value`] of it.
struct StringKey<'a>(&'a str);

impl std::hash::Hash for StringKey<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ordering::hash_text(self.0, state);
    }
}

impl Equivalent<Value> for StringKey<'_> {
    fn equivalent(&self, key: &Value) -> bool {
        matches!(key, Value::String(text) if **text == *self.0)
    }
}

impl std::hash::Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ordering::hash(self, state);
    }
}

impl From<&Str> for Value {
    fn from(text: &Str) -> Self {
        Value::String(text.clone())
    }
}

pub(crate) fn hash_pairs<H: Hasher>(hash: &Hash, state: &mut H) {
    // Two hashes with the same pairs in another order are equal, so the order must not reach the sum.
    let sum = hash.iter().fold(0u64, |sum, (key, value)| {
        let mut one = crate::collections::FixedHasher::default();
        key.hash(&mut one);
        value.hash(&mut one);
        sum.wrapping_add(one.finish())
    });
    sum.hash(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_string_key_is_found_without_a_value() {
        let hash: Hash = [("a", Value::from(1)), ("b", Value::from(2))].into_iter().collect();
        assert_eq!(hash.get("b"), Some(&Value::from(2)));
        assert_eq!(hash.get_value(&Value::from("a")), Some(&Value::from(1)));
        assert!(!hash.contains("c"));
    }

    #[test]
    fn the_integer_one_is_not_the_string_one() {
        let hash: Hash = [(Value::from(1), Value::from("x"))].into_iter().collect();
        assert!(hash.get("1").is_none());
        assert!(hash.get_value(&Value::from(1)).is_some());
        assert!(hash.get_value(&Value::from(1.0)).is_none());
    }
}
