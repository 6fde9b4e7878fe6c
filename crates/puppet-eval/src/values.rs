//! Helpers for values.

use std::sync::Arc;

use hieratic_puppet_types::Type;
use hieratic_value::{Hash, Rich, Value};

/// Returns whether a value is a secret.
pub(crate) fn is_sensitive(value: &Value) -> bool {
    matches!(value.as_rich(), Some(Rich::Sensitive(_)))
}

/// Returns whether a value is `default`.
pub(crate) fn is_default(value: &Value) -> bool {
    matches!(value.as_rich(), Some(Rich::Default))
}

/// Returns the pairs of a hash as arrays of two.
pub(crate) fn pairs(hash: &Hash) -> Vec<Value> {
    hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect()
}

/// The name of the one class that a value refers to.
pub(crate) fn class_of(value: &Value) -> Option<String> {
    match Type::of_value(value)? {
        Type::Class(Some(name)) => Some(name.to_string()),
        _ => None,
    }
}

/// Flattens nested arrays.
pub(crate) fn flatten(values: Vec<Value>) -> Vec<Value> {
    if !values.iter().any(|value| matches!(value, Value::Array(_))) {
        return values;
    }
    let mut flat = Vec::with_capacity(values.len());
    // Arrays are shared, so iterating by value needs a copy.
    #[allow(clippy::unnecessary_to_owned)]
    fn own(elements: &[Value]) -> std::vec::IntoIter<Value> {
        elements.to_vec().into_iter()
    }
    // An explicit stack: the nesting depth of arrays does not use the call stack.
    let mut rest: Vec<std::vec::IntoIter<Value>> = vec![values.into_iter()];
    while let Some(last) = rest.last_mut() {
        match last.next() {
            Some(Value::Array(elements)) => rest.push(own(&elements)),
            Some(value) => flat.push(value),
            None => drop(rest.pop()),
        }
    }
    flat
}

/// Returns whether a string or collection is shared.
pub(crate) fn shared(value: &Value) -> bool {
    match value {
        Value::String(text) => Arc::strong_count(text) > 1,
        Value::Array(elements) => Arc::strong_count(elements) > 1,
        Value::Hash(hash) => hash.is_shared(),
        _ => true,
    }
}
