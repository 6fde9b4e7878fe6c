//! Compares nodes of the source with target values.

use std::hash::{Hash, Hasher};

use hieratic_value::Value;
use hieratic_value::collections::{FixedHasher, HashMap};
use hieratic_yaml_edit::tree::{Content, Entry, Map, Node};

use crate::equality::nodes_by;

/// Returns whether a node is the wanted value: of the same type, with the same keys in any order.
///
/// Keys that are not strings are compared by their JSON form, because the changed document may have been JSON.
pub(super) fn same(node: &Node, target: &Value) -> bool {
    match (node.content(), target) {
        (Content::Scalar(value), target) => same_scalar(value, target),
        (Content::List(items), Value::Array(target)) => {
            items.len() == target.len()
                && items.iter().zip(target.iter()).all(|(item, target)| same(item.node(), target))
        }
        (Content::Map(map), Value::Hash(target)) => {
            map.len() == target.len()
                && map
                    .entries()
                    .iter()
                    .all(|entry| target_value(target, &entry.key).is_some_and(|target| same(entry.node(), target)))
        }
        _ => false,
    }
}

/// Returns whether two nodes have the same value.
pub(super) fn are_same_nodes(one: &Node, other: &Node) -> bool {
    nodes_by(one, other, same_scalar)
}

fn same_scalar(value: &Value, target: &Value) -> bool {
    match (value, target) {
        // NaN is not equal to itself, but it has not changed.
        (Value::Float(value), Value::Float(target)) => value == target || (value.is_nan() && target.is_nan()),
        // JSON has strings for values that it cannot represent.
        (Value::Float(value), Value::String(_)) if !value.is_finite() => json_text(&Value::Float(*value)) == *target,
        (Value::Rich(_), Value::String(_)) if value != target => json_text(value) == *target,
        _ => value == target,
    }
}

/// Returns the wanted value of a key.
pub(super) fn target_value<'w>(target: &'w hieratic_value::Hash, key: &Value) -> Option<&'w Value> {
    match key {
        Value::String(text) => target.get(text),
        other => target.get_value(other).or_else(|| target.get_value(&json_text(other))),
    }
}

/// Finds the entries of a map by the keys that are wanted.
pub(super) struct KeyLookup<'m> {
    map: &'m Map,
    /// The entries whose keys are not strings, by the JSON form of the key.
    by_text: HashMap<Value, usize>,
}

impl<'m> KeyLookup<'m> {
    pub(super) fn new(map: &'m Map) -> KeyLookup<'m> {
        let others = map.entries().iter().enumerate().filter(|(_, entry)| entry.name().is_none());
        KeyLookup { map, by_text: others.rev().map(|(at, entry)| (json_text(&entry.key), at)).collect() }
    }

    /// The position of the entry.
    pub(super) fn position(&self, key: &Value) -> Option<usize> {
        self.map.position(key).or_else(|| self.by_text.get(key).copied())
    }

    /// The entry.
    pub(super) fn entry(&self, key: &Value) -> Option<&'m Entry> {
        self.position(key).and_then(|at| self.map.entries().get(at))
    }
}

/// Returns a hash that is equal for equal nodes and wanted values.
pub(super) fn hash_of_node(node: &Node) -> u64 {
    match node.content() {
        Content::Scalar(value) => hash_of_value(value),
        Content::List(items) => hash_of_list(items.iter().map(|item| hash_of_node(item.node()))),
        Content::Map(map) => hash_of_map(map.entries().iter().map(|entry| (&entry.key, hash_of_node(entry.node())))),
    }
}

/// Returns the hash of a wanted value, which is that of an equal node.
pub(super) fn hash_of_value(value: &Value) -> u64 {
    match value {
        Value::Array(elements) => hash_of_list(elements.iter().map(hash_of_value)),
        Value::Hash(hash) => hash_of_map(hash.iter().map(|(key, value)| (key, hash_of_value(value)))),
        Value::Float(number) if !number.is_finite() => hash_of(json_text(value)),
        Value::Rich(_) => hash_of(json_text(value)),
        _ => hash_of(value),
    }
}

fn hash_of(value: impl Hash) -> u64 {
    let mut hasher = FixedHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn hash_of_list(items: impl Iterator<Item = u64>) -> u64 {
    items.fold(2, |sum, item| hash_of((sum, item)))
}

fn hash_of_map<'k>(entries: impl Iterator<Item = (&'k Value, u64)>) -> u64 {
    // The order of keys must not reach the sum.
    entries.fold(1, |sum, (key, value)| {
        let key = match key {
            Value::String(_) => hash_of(key),
            other => hash_of(json_text(other)),
        };
        sum.wrapping_add(hash_of((key, value)))
    })
}

/// Returns the JSON form of a value as a string.
fn json_text(value: &Value) -> Value {
    let text = hieratic_yaml_edit::write::after_key(value, &hieratic_yaml_edit::write::Style::Json);
    let text = text.trim_start();
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    Value::from(inner.unwrap_or(text))
}
