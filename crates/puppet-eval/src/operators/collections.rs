//! `+ - <<` on arrays, hashes, URIs and bytes.

use hieratic_puppet_syntax::ast::Arithmetic;
use hieratic_puppet_types::{PuppetVersion, Type, infer};
use hieratic_value::collections::HashSet;
use hieratic_value::{HashBuilder, Value};

use super::OperatorError;
use crate::values::pairs;

/// The maximum number of elements of an array. Only a mistake or an attack exceeds it.
const MAX_ELEMENTS: usize = 20_000_000;

/// Applies the operator if the left side is a collection that supports it.
pub(crate) fn operate(
    version: PuppetVersion,
    operator: Arithmetic,
    left: &Value,
    right: &Value,
) -> Option<Result<Value, OperatorError>> {
    let refused = |message: &str| Some(Err(OperatorError::Message(message.into())));
    match (operator, left) {
        (Arithmetic::Add, Value::Array(elements)) => {
            let more = listed(right);
            if elements.len() + more.len() > MAX_ELEMENTS {
                return refused("the array gets too large");
            }
            Some(Ok(elements.iter().cloned().chain(more).collect()))
        }
        (Arithmetic::Add, Value::Hash(_)) => Some(merge(version, left, right)),
        (Arithmetic::Add, _) => match hieratic_puppet_types::concatenate(left, right)? {
            Ok(value) => Some(Ok(value)),
            Err(message) => refused(&message),
        },
        (Arithmetic::Subtract, Value::Array(elements)) => {
            let removed = listed(right);
            // Deletion uses Ruby's `==`, where 1 equals 1.0; only numbers need the slow path.
            let has_numbers = removed.iter().any(|value| !matches!(value, Value::String(_)));
            let set: HashSet<&Value> = removed.iter().collect();
            let keep = |value: &&Value| {
                !(set.contains(value) || has_numbers && removed.iter().any(|other| other.loosely_equals(value)))
            };
            Some(Ok(elements.iter().filter(keep).cloned().collect()))
        }
        (Arithmetic::Subtract, Value::Hash(hash)) => {
            let removed: Vec<Value> = match right {
                Value::Hash(other) => other.keys().cloned().collect(),
                Value::Array(elements) => elements.to_vec(),
                other => vec![other.clone()],
            };
            let removed: HashSet<Value> = removed.into_iter().collect();
            let kept = hash.iter().filter(|(key, _)| !removed.contains(key));
            let kept: HashBuilder = kept.map(|(key, value)| (key.clone(), value.clone())).collect();
            Some(Ok(Value::Hash(kept.into())))
        }
        (Arithmetic::ShiftLeft, Value::Array(elements)) => {
            if elements.len() >= MAX_ELEMENTS {
                return refused("the array gets too large");
            }
            Some(Ok(elements.iter().cloned().chain(std::iter::once(right.clone())).collect()))
        }
        (Arithmetic::ShiftLeft, Value::Hash(_)) => Some(Err(OperatorError::NotApplicable)),
        _ => None,
    }
}

/// Returns the elements that a value adds to an array: its elements, its pairs, or itself.
fn listed(value: &Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => pairs(hash),
        other => vec![other.clone()],
    }
}

fn merge(version: PuppetVersion, left: &Value, right: &Value) -> Result<Value, OperatorError> {
    let Value::Hash(left) = left else { return Err(OperatorError::NotApplicable) };
    let mut merged = left.as_map().clone();
    match right {
        Value::Hash(right) => merged.extend(right.iter().map(|(key, value)| (key.clone(), value.clone()))),
        Value::Array(elements) => {
            for (key, value) in pairs_of(version, elements)? {
                merged.insert(key, value);
            }
        }
        _ => return Err(OperatorError::Message("Can only append Array or Hash to a Hash".into())),
    }
    Ok(Value::Hash(merged.into()))
}

/// Converts an array to pairs: from arrays of two if all elements are arrays, otherwise from alternating keys and
/// values.
fn pairs_of(version: PuppetVersion, elements: &[Value]) -> Result<Vec<(Value, Value)>, OperatorError> {
    let kind = infer(&Value::from(elements.to_vec()));
    let nested = matches!(&kind, Type::Array(array) if matches!(array.element(), Type::Array(_) | Type::Tuple(_)));
    if nested {
        return elements
            .iter()
            .enumerate()
            .map(|(index, element)| match element.as_array() {
                Some([key]) if !version.adds_pairs_only() => Ok((key.clone(), Value::Undef)),
                Some([key, value]) => Ok((key.clone(), value.clone())),
                other => {
                    let count = other.map_or(0, <[Value]>::len);
                    Err(OperatorError::Message(if version.adds_pairs_only() {
                        format!("wrong array length at {index} (expected 2, was {count})")
                    } else {
                        format!("invalid number of elements ({count} for 1..2)")
                    }))
                }
            })
            .collect();
    }
    if let [single] = elements {
        if let Value::Array(inner) = single {
            return pairs_of(version, inner);
        }
        if let Value::Hash(hash) = single {
            return Ok(hash.iter().map(|(key, value)| (key.clone(), value.clone())).collect());
        }
    }
    if elements.len() % 2 == 1 {
        return Err(OperatorError::Message("odd number of arguments for Hash".into()));
    }
    Ok(elements.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect())
}
