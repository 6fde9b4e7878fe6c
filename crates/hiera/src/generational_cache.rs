//! [`GenerationalCache`]: a two-generation cache.

use std::hash::Hash;

use hieratic_value::collections::HashMap;

/// A two-generation cache: when the young generation is full, entries that were not used since the last rotation are
/// evicted.
///
/// It fits data files: thousands of nodes read the same few files repeatedly, and each reads its own file once.
///
/// ```
/// use hieratic_hiera::GenerationalCache;
///
/// let mut recent = GenerationalCache::new(2);
/// recent.insert("shared", 0);
/// for (key, value) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
///     assert_eq!(recent.get(&"shared"), Some(0));
///     recent.insert(key, value);
/// }
/// assert_eq!((recent.get(&"a"), recent.get(&"d")), (None, Some(4)));
/// ```
#[derive(Debug)]
pub struct GenerationalCache<K, V> {
    most: usize,
    young: HashMap<K, V>,
    old: HashMap<K, V>,
}

impl<K: Clone + Eq + Hash, V: Clone> GenerationalCache<K, V> {
    /// Creates a cache with up to `most` entries in each generation.
    pub fn new(most: usize) -> GenerationalCache<K, V> {
        GenerationalCache { most, young: HashMap::default(), old: HashMap::default() }
    }

    /// Sets the maximum number of entries in a generation.
    pub fn keep(&mut self, most: usize) {
        self.most = most;
    }

    /// Returns the value of a key, and moves it into the young generation.
    pub fn get(&mut self, key: &K) -> Option<V> {
        if let Some(known) = self.young.get(key) {
            return Some(known.clone());
        }
        let (key, known) = self.old.remove_entry(key)?;
        self.insert(key, known.clone());
        Some(known)
    }

    /// Adds an entry, or replaces it.
    pub fn insert(&mut self, key: K, value: V) {
        if self.young.len() >= self.most {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(key, value);
    }

    /// Returns the value of a key, or computes and inserts it.
    pub fn get_or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> V {
        if let Some(known) = self.get(&key) {
            return known;
        }
        let value = make();
        self.insert(key, value.clone());
        value
    }
}
