//! `Array.new`, and the elements of iterable values.

use hieratic_value::{Rich, Value};

use super::{ConversionResult, choose, unconvertible};
use crate::Error;
use crate::creation::ARRAY;
use crate::infer::{Shape, shape};
use crate::range::Int;
use crate::types::Type;

/// The maximum number of elements if an array is created by counting up to a number.
const MAX_ELEMENTS: usize = 1 << 20;

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    let signatures = &*ARRAY;
    if !signatures.iter().any(|signature| signature.accepts(arguments, None))
        && let [from] | [from, Value::Boolean(_)] = arguments
    {
        return Err(unconvertible("new_array", from, "Array"));
    }
    let way = choose("new_array", signatures, arguments)?;
    let from = &arguments[0];
    match way {
        0 => Ok(Value::from(elements(from)?.unwrap_or_default())),
        _ if from.as_array().is_some() => Ok(from.clone()),
        _ => Ok(Value::from(vec![from.clone()])),
    }
}

/// Returns the elements of an iterable value, or `None` if the value is not iterable.
pub(super) fn elements(value: &Value) -> Result<Option<Vec<Value>>, Error> {
    Ok(Some(match value {
        Value::Array(elements) => elements.to_vec(),
        Value::Hash(hash) => hash.iter().map(|(key, value)| Value::from(vec![key.clone(), value.clone()])).collect(),
        Value::Rich(rich) if matches!(**rich, Rich::Binary(_)) => {
            let Rich::Binary(bytes) = &**rich else { return Ok(None) };
            bytes.iter().map(|byte| Value::from(Rich::Binary(vec![*byte]))).collect()
        }
        _ => match shape(value) {
            Shape::Bytes(bytes) => bytes.iter().map(|byte| Value::from(i64::from(*byte))).collect(),
            Shape::Opaque(opaque) => return Ok(opaque.content.elements()),
            Shape::Kind(kind) => match kind.resolved() {
                Type::Enum(listed) => listed.values().iter().map(Value::from).collect(),
                Type::Integer(range) => match (range.from(), range.to()) {
                    (Some(from), Some(to)) => counted(from, to)?,
                    _ => return Ok(None),
                },
                _ => return Ok(None),
            },
            Shape::Text(text) => text.chars().map(|c| Value::from(c.to_string())).collect(),
            Shape::Integer(number) if number >= 0i64.into() => {
                if number == 0i64.into() {
                    Vec::new()
                } else {
                    counted(&0i64.into(), &number.predecessor())?
                }
            }
            _ => return Ok(None),
        },
    }))
}

/// Returns all numbers from one to another.
fn counted(from: &Int, to: &Int) -> Result<Vec<Value>, Error> {
    let (Value::Integer(from), Value::Integer(to)) = (Value::from(from.clone()), Value::from(to.clone())) else {
        return Err(Error::new("The numbers to count are too large"));
    };
    let count = i128::from(to) - i128::from(from) + 1;
    if count > MAX_ELEMENTS as i128 {
        let message = format!("An array of {count} elements is too long, at most {MAX_ELEMENTS} are allowed");
        return Err(Error::new(message));
    }
    Ok((from..=to).map(Value::from).collect())
}
