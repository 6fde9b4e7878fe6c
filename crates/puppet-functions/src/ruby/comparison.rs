//! Ruby's comparison and sorting.

use std::cmp::Ordering;

use hieratic_value::{Rich, Value};

use crate::{EvalError, Flow};

/// Ruby's error for two values that cannot be compared.
pub(crate) fn comparison_failed(one: &Value, other: &Value) -> EvalError {
    let other = match other {
        Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => other.inspect(),
        Value::Rich(rich) if matches!(**rich, Rich::Default | Rich::Symbol(_)) => other.inspect(),
        _ => other.ruby_class().into(),
    };
    EvalError::new(format!("comparison of {} with {other} failed", one.ruby_class()))
}

/// Converts the result of a block, a number below, at or above zero, to an order.
pub(crate) fn sign_of(answer: &Value, one: &Value, other: &Value) -> Result<Ordering, Flow> {
    match answer {
        Value::Undef => Err(comparison_failed(one, other).into()),
        Value::Integer(number) => Ok(number.cmp(&0)),
        Value::Float(number) => Ok(number.partial_cmp(&0.0).unwrap_or(Ordering::Equal)),
        Value::String(_) => Err(EvalError::new("comparison of String with 0 failed").into()),
        _ => Err(EvalError::new(super::undefined_method(">", answer)).into()),
    }
}

/// Sorts like Ruby on a C library with merge sort: the sort is stable, and a block sees the same pairs in the same
/// order.
pub(crate) fn merge_sort(
    elements: Vec<Value>,
    compare: &mut dyn FnMut(&Value, &Value) -> Result<Ordering, Flow>,
) -> Result<Vec<Value>, Flow> {
    if elements.len() < 2 {
        return Ok(elements);
    }
    let mut first = elements;
    let second = first.split_off(first.len() / 2);
    // The recursion depth is the number of bits of the length.
    let mut first = merge_sort(first, compare)?.into_iter().peekable();
    let mut second = merge_sort(second, compare)?.into_iter().peekable();
    let mut merged = Vec::with_capacity(first.len() + second.len());
    while let (Some(one), Some(other)) = (first.peek(), second.peek()) {
        let next = if compare(one, other)?.is_le() { first.next() } else { second.next() };
        merged.extend(next);
    }
    merged.extend(first);
    merged.extend(second);
    Ok(merged)
}
