//! The equality of values in a schema: numbers by their value, booleans only with booleans.

use std::cmp::Ordering;

use hieratic_value::ErasedSort as _;
use hieratic_value::{Hash, Value};

use super::numbers::{compare, is_number};
use crate::stack;

/// Compares two values. Unlike in Python, `1` is not `true`.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && stack::grow(|| one.iter().zip(other.iter()).all(|(one, other)| same(one, other)))
        }
        (Value::Hash(one), Value::Hash(other)) => {
            let is_there =
                |(key, value): (&Value, &Value)| other.get_value(key).is_some_and(|other| same(value, other));
            one.len() == other.len() && stack::grow(|| one.iter().all(is_there))
        }
        _ if is_number(one) => compare(one, other) == Some(Ordering::Equal),
        _ => one == other,
    }
}

/// Returns whether all values are different.
///
/// They are sorted first, because comparing all pairs takes too long.
pub(super) fn all_differ(values: &[Value]) -> bool {
    let mut sorted: Vec<&Value> = values.iter().collect();
    sorted.sort_erased_by(|one, other| order(one, other));
    sorted.windows(2).all(|pair| !matches!(pair, [one, other] if same(one, other)))
}

/// Compares values in an order in which equal values are adjacent.
fn order(one: &Value, other: &Value) -> Ordering {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => stack::grow(|| {
            let parts = one.iter().zip(other.iter()).map(|(one, other)| order(one, other));
            one.len().cmp(&other.len()).then_with(|| first_difference(parts))
        }),
        (Value::Hash(one), Value::Hash(other)) => stack::grow(|| {
            let [first, second] = [one, other].map(|hash| entries(hash));
            let parts =
                first.iter().zip(&second).map(|(one, other)| one.0.cmp(&other.0).then_with(|| order(one.1, other.1)));
            one.len().cmp(&other.len()).then_with(|| first_difference(parts))
        }),
        (Value::String(one), Value::String(other)) => one.as_bytes().cmp(other.as_bytes()),
        // NaN comes after all other numbers.
        _ if is_number(one) && is_number(other) => {
            compare(one, other).unwrap_or_else(|| is_nan(one).cmp(&is_nan(other)))
        }
        (Value::Boolean(one), Value::Boolean(other)) => one.cmp(other),
        _ => rank(one).cmp(&rank(other)),
    }
}

fn first_difference(mut parts: impl Iterator<Item = Ordering>) -> Ordering {
    parts.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// Returns the entries of a hash by their keys, as strings.
fn entries(hash: &Hash) -> Vec<(String, &Value)> {
    let mut entries: Vec<(String, &Value)> = hash.iter().map(|(key, value)| (key.to_text(), value)).collect();
    entries.sort_erased_by(|one, other| one.0.cmp(&other.0));
    entries
}

fn is_nan(value: &Value) -> bool {
    matches!(value, Value::Float(number) if number.is_nan())
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Undef => 0,
        Value::Boolean(_) => 1,
        Value::String(_) => 3,
        Value::Array(_) => 4,
        Value::Hash(_) => 5,
        _ => 2,
    }
}
