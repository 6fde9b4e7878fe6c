//! Python's `==`: `1`, `1.0` and `True` are equal, and the order of keys does not matter.
//!
//! Merging searches lists for equal items. For long lists, [`EqualityIndex`] finds them by hashes that are equal for equal
//! items, instead of a linear search for each item.
//!
//! <https://docs.python.org/3/reference/expressions.html#value-comparisons>

use std::hash::{Hash, Hasher};

use hieratic_value::Value;
use hieratic_value::collections::{FixedHasher, HashMap};
use hieratic_yaml_edit::tree::{Content, Entry, Node};

/// Compares two nodes.
pub(crate) fn nodes(one: &Node, other: &Node) -> bool {
    nodes_by(one, other, values)
}

/// Compares two nodes, with a rule for scalars.
pub(crate) fn nodes_by(one: &Node, other: &Node, scalars: fn(&Value, &Value) -> bool) -> bool {
    if one.is(other) {
        return true;
    }
    let same = |one: &Node, other: &Node| nodes_by(one, other, scalars);
    match (one.content(), other.content()) {
        (Content::Scalar(one), Content::Scalar(other)) => scalars(one, other),
        (Content::List(one), Content::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one.node(), other.node()))
        }
        (Content::Map(one), Content::Map(other)) => {
            let is_there =
                |entry: &Entry| other.entry(&entry.key).is_some_and(|found| same(entry.node(), found.node()));
            one.len() == other.len() && one.entries().iter().all(is_there)
        }
        _ => false,
    }
}

/// Compares two values.
pub(crate) fn values(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::String(one), Value::String(other)) => one == other,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| values(one, other))
        }
        (Value::Hash(one), Value::Hash(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get_value(key).is_some_and(|same| values(value, same)))
        }
        _ => number(one).loosely_equals(&number(other)),
    }
}

/// Returns a scalar as Python compares it: a boolean is a number.
fn number(value: &Value) -> Value {
    match value {
        Value::Boolean(truth) => Value::Integer(i64::from(*truth)),
        other => other.clone(),
    }
}

/// Returns a hash that is equal for equal nodes.
fn node_hash(node: &Node) -> u64 {
    match node.content() {
        Content::Scalar(value) => value_hash(value),
        Content::List(items) => list_hash(items.iter().map(|item| node_hash(item.node()))),
        Content::Map(map) => map_hash(map.entries().iter().map(|entry| (&entry.key, node_hash(entry.node())))),
    }
}

/// Returns a hash that is equal for equal values.
fn value_hash(value: &Value) -> u64 {
    let mut hasher = FixedHasher::default();
    match value {
        Value::Array(elements) => return list_hash(elements.iter().map(value_hash)),
        Value::Hash(hash) => return map_hash(hash.iter().map(|(key, value)| (key, value_hash(value)))),
        Value::String(text) => text.hash(&mut hasher),
        Value::Boolean(truth) => equality_hash(f64::from(u8::from(*truth)), &mut hasher),
        // Integers with the same nearest float have the same hash; the comparison distinguishes them.
        Value::Integer(number) => equality_hash(*number as f64, &mut hasher),
        Value::Float(number) => equality_hash(*number, &mut hasher),
        Value::Undef | Value::Rich(_) => {}
    }
    hasher.finish()
}

fn equality_hash(number: f64, hasher: &mut FixedHasher) {
    // Minus zero is zero.
    (number + 0.0).to_bits().hash(hasher);
}

fn list_hash(items: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FixedHasher::default();
    items.for_each(|item| item.hash(&mut hasher));
    hasher.finish()
}

fn map_hash<'k>(entries: impl Iterator<Item = (&'k Value, u64)>) -> u64 {
    // The order of keys must not reach the sum.
    entries.fold(1, |sum, (key, value)| {
        let mut hasher = FixedHasher::default();
        key.hash(&mut hasher);
        value.hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}

/// The maximum length of a list that is searched linearly, which is faster than hashing.
const LINEAR_SEARCH_LIMIT: usize = 16;

/// An index of the items of a list by their hashes.
#[derive(Default)]
pub(crate) struct EqualityIndex {
    /// None while the list is short.
    places: Option<HashMap<u64, Vec<usize>>>,
}

impl EqualityIndex {
    /// Returns the first item of a list that is equal to `other`, as long as no item was replaced.
    ///
    /// The list must be the one whose changes were passed to [`put`](EqualityIndex::put); `of` returns the part of an item that
    /// is compared.
    pub(crate) fn find<I, T: Comparable>(&mut self, list: &[I], of: impl Fn(&I) -> &T, other: &T) -> Option<usize> {
        if list.len() <= LINEAR_SEARCH_LIMIT {
            return list.iter().position(|item| of(item).equals(other));
        }
        let places = self.places.get_or_insert_with(|| {
            let mut places: HashMap<u64, Vec<usize>> = HashMap::default();
            for (at, item) in list.iter().enumerate() {
                places.entry(of(item).equality_hash()).or_default().push(at);
            }
            places
        });
        // An item may have been replaced since.
        let mut candidates = places.get(&other.equality_hash())?.iter().copied();
        candidates.find(|at| list.get(*at).is_some_and(|item| of(item).equals(other)))
    }

    /// An item was added or replaced.
    pub(crate) fn put<T: Comparable>(&mut self, at: usize, item: &T) {
        if let Some(places) = &mut self.places {
            places.entry(item.equality_hash()).or_default().push(at);
        }
    }
}

/// A type with Python's equality.
pub(crate) trait Comparable {
    /// Compares two values.
    fn equals(&self, other: &Self) -> bool;
    /// Returns a hash that is equal for equal values.
    fn equality_hash(&self) -> u64;
}

impl Comparable for Node {
    fn equals(&self, other: &Node) -> bool {
        nodes(self, other)
    }

    fn equality_hash(&self) -> u64 {
        node_hash(self)
    }
}

impl Comparable for Value {
    fn equals(&self, other: &Value) -> bool {
        values(self, other)
    }

    fn equality_hash(&self) -> u64 {
        value_hash(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic_value::Hash;

    #[test]
    fn equal_values_have_equal_hashes() {
        let map = |pairs: &[(&str, Value)]| Value::from(pairs.iter().cloned().collect::<Hash>());
        let list = |elements: &[Value]| elements.iter().cloned().collect::<Value>();
        for (one, other) in [
            (Value::from(1), Value::from(true)),
            (Value::from(0.0), Value::from(false)),
            (Value::from(-0.0), Value::from(0)),
            (list(&[1.into(), 0.into()]), list(&[true.into(), 0.0.into()])),
            (map(&[("a", 1.into()), ("b", 2.into())]), map(&[("b", 2.0.into()), ("a", true.into())])),
        ] {
            assert!(values(&one, &other), "{} {}", one.inspect(), other.inspect());
            assert!(nodes(&Node::from_value(&one), &Node::from_value(&other)));
            assert_eq!(value_hash(&one), value_hash(&other));
            assert_eq!(node_hash(&Node::from_value(&one)), value_hash(&other));
        }
        let big = 1_i64 << 53;
        assert!(!values(&Value::from(big), &Value::from(big + 1)));
        assert!(!values(&Value::from("1"), &Value::from(1)));
    }

    #[test]
    fn the_index_finds_the_first_equal_item() {
        let mut list: Vec<Value> = (0..100).map(|number| Value::from(number % 50)).collect();
        let mut known = EqualityIndex::default();
        assert_eq!(known.find(&list, |item| item, &Value::from(7.0)), Some(7));
        list[7] = Value::from("new");
        known.put(7, &list[7]);
        assert_eq!(known.find(&list, |item| item, &Value::from(7)), Some(57));
        assert_eq!(known.find(&list, |item| item, &Value::from("new")), Some(7));
        assert_eq!(known.find(&list, |item| item, &Value::from("old")), None);
    }
}
