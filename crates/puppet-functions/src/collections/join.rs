//! [`join`](https://www.puppet.com/docs/puppet/8/function.html#join)

use hieratic_value::Value;

use crate::{Dispatch, Doc, Function};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "join",
    Doc::new("The elements as one string.").example("join(['a', 'b'], ', ') # 'a, b'"),
    &[Dispatch::new(&["Array arg", "String delimiter?"], |call| {
        Ok(Value::from(joined(call.arguments[0].as_array().unwrap_or_default(), &call.text(1))))
    })],
)];

/// Joins the elements, including those of nested arrays, as Ruby prints them. An empty nested array becomes an empty
/// string.
pub(crate) fn joined(elements: &[Value], delimiter: &str) -> String {
    let mut out = String::new();
    let mut first = true;
    for element in flattened_with_gaps(elements) {
        if !first {
            out.push_str(delimiter);
        }
        first = false;
        match &element {
            Value::String(text) => out.push_str(text),
            other => out.push_str(&other.to_text()),
        }
    }
    out
}

/// Flattens the elements; empty nested arrays become an empty string, as in Ruby's `join`.
fn flattened_with_gaps(elements: &[Value]) -> Vec<Value> {
    let has_gap = |value: &Value| matches!(value, Value::Array(inner) if inner.is_empty());
    if !elements.iter().any(|element| matches!(element, Value::Array(_))) {
        return elements.to_vec();
    }
    let mut flat = Vec::with_capacity(elements.len());
    let mut waiting = vec![elements.iter()];
    while let Some(values) = waiting.last_mut() {
        match values.next() {
            Some(value) if has_gap(value) => flat.push(Value::Undef),
            Some(Value::Array(inner)) => waiting.push(inner.iter()),
            Some(value) => flat.push(value.clone()),
            None => drop(waiting.pop()),
        }
    }
    flat
}
