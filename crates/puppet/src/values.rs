//! Small questions about values that several rules ask.

use hieratic_functions::{Fault, Outcome};
use hieratic_pcore::Type;
use hieratic_value::{Hash, Rich, TooLarge, Value};

/// Whether a value is a secret.
pub(crate) fn is_sensitive(value: &Value) -> bool {
    matches!(value.as_rich(), Some(Rich::Sensitive(_)))
}

/// Whether a value is `default`.
pub(crate) fn is_default(value: &Value) -> bool {
    matches!(value.as_rich(), Some(Rich::Default))
}

/// The pairs of a hash as arrays of two.
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

/// All elements, with those of arrays in it in their place.
pub(crate) fn flatten(values: Vec<Value>) -> Vec<Value> {
    if !values.iter().any(|value| matches!(value, Value::Array(_))) {
        return values;
    }
    let mut flat = Vec::with_capacity(values.len());
    // Arrays are shared, so walking over one needs a copy of its own.
    #[allow(clippy::unnecessary_to_owned)]
    fn own(elements: &[Value]) -> std::vec::IntoIter<Value> {
        elements.to_vec().into_iter()
    }
    // A list that stands for its own nesting: no depth of arrays uses the stack.
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

/// How many parts a value may have, all in all, and how deep it may nest.
const MOST_PARTS: usize = 20_000_000;
const DEEPEST: usize = 1_000;

/// The value, unless it is larger than any use of it could cope with: everything that makes collections of others asks
/// here, so that whatever walks a value ends.
pub(crate) fn bounded(value: Value) -> Outcome {
    if !matches!(value, Value::Array(_) | Value::Hash(_) | Value::Rich(_)) {
        return Ok(value);
    }
    let message = match value.keeps_within(MOST_PARTS, DEEPEST) {
        Ok(()) => return Ok(value),
        Err(TooLarge::Parts) => format!("the value has more than {MOST_PARTS} parts"),
        Err(TooLarge::Depth) => format!("the value is nested more than {DEEPEST} levels deep"),
    };
    Err(Fault::rule(message).into())
}
