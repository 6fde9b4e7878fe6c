//! [`keys`](https://www.puppet.com/docs/puppet/8/function.html#keys),
//! [`values`](https://www.puppet.com/docs/puppet/8/function.html#values),
//! [`flatten`](https://www.puppet.com/docs/puppet/8/function.html#flatten),
//! [`length`](https://www.puppet.com/docs/puppet/8/function.html#length),
//! [`size`](https://www.puppet.com/docs/puppet/8/function.html#size) and
//! [`empty`](https://www.puppet.com/docs/puppet/8/function.html#empty)

use hieratic_puppet_types::bytes_of;
use hieratic_value::{Hash, Rich, Value};

use crate::{Call, Dispatch, Function, Outcome};

pub(super) static FUNCTIONS: [Function; 6] = [
    Function::new(
        "keys",
        &[Dispatch { parameters: &["Hash hsh"], run: |call| Ok(hash(call).keys().cloned().collect()) }],
    ),
    Function::new(
        "values",
        &[Dispatch {
            parameters: &["Hash hsh"],
            run: |call| Ok(hash(call).iter().map(|(_, value)| value.clone()).collect()),
        }],
    ),
    Function::new(
        "flatten",
        &[Dispatch { parameters: &["Any *args"], run: |call| Ok(Value::from(flattened(call.arguments))) }],
    ),
    Function::new(
        "length",
        &[
            Dispatch { parameters: &["Collection arg"], run: length },
            Dispatch { parameters: &["String arg"], run: length },
            Dispatch { parameters: &["Binary arg"], run: length },
        ],
    ),
    Function::new("size", &[Dispatch { parameters: &["Variant[Collection, String, Binary] arg"], run: length }]),
    Function::new(
        "empty",
        &[
            Dispatch { parameters: &["Collection coll"], run: empty },
            Dispatch { parameters: &["Sensitive[String] str"], run: empty },
            Dispatch { parameters: &["String str"], run: empty },
            Dispatch {
                parameters: &["Numeric num"],
                run: |call| {
                    call.deprecated_here("Calling function empty() with Numeric value is deprecated.");
                    Ok(Value::Boolean(false))
                },
            },
            Dispatch { parameters: &["Binary bin"], run: empty },
            Dispatch { parameters: &["Undef x"], run: |_| Ok(Value::Boolean(true)) },
        ],
    ),
];

fn hash(call: &Call<'_>) -> Hash {
    call.arguments[0].as_hash().cloned().unwrap_or_default()
}

/// Returns the elements of nested arrays of any depth in one array.
pub(crate) fn flattened(values: &[Value]) -> Vec<Value> {
    let mut flat = Vec::with_capacity(values.len());
    let mut waiting = vec![values.iter()];
    while let Some(values) = waiting.last_mut() {
        match values.next() {
            Some(Value::Array(inner)) => waiting.push(inner.iter()),
            Some(value) => flat.push(value.clone()),
            None => drop(waiting.pop()),
        }
    }
    flat
}

/// Returns the number of elements, pairs, characters or bytes.
fn count(value: &Value) -> usize {
    match value {
        Value::Array(elements) => elements.len(),
        Value::Hash(hash) => hash.len(),
        Value::String(text) => text.chars().count(),
        Value::Rich(rich) => match &**rich {
            Rich::Binary(bytes) => bytes.len(),
            Rich::Sensitive(secret) => count(secret),
            _ => bytes_of(value).map_or(0, <[u8]>::len),
        },
        _ => 0,
    }
}

fn length(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Integer(i64::try_from(count(&call.arguments[0])).unwrap_or(i64::MAX)))
}

fn empty(call: &mut Call<'_>) -> Outcome {
    Ok(Value::Boolean(count(&call.arguments[0]) == 0))
}
