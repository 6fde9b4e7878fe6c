//! [`keys`](https://www.puppet.com/docs/puppet/8/function.html#keys),
//! [`values`](https://www.puppet.com/docs/puppet/8/function.html#values),
//! [`flatten`](https://www.puppet.com/docs/puppet/8/function.html#flatten),
//! [`length`](https://www.puppet.com/docs/puppet/8/function.html#length),
//! [`size`](https://www.puppet.com/docs/puppet/8/function.html#size) and
//! [`empty`](https://www.puppet.com/docs/puppet/8/function.html#empty)

use hieratic_puppet_types::bytes_of;
use hieratic_value::{Hash, Rich, Value};

use crate::{Call, Dispatch, Doc, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "keys",
        Doc::new("The keys of a hash.").example("keys({ 'a' => 1 }) # ['a']"),
        &[Dispatch::new(&["Hash hsh"], |call| Ok(hash(call).keys().cloned().collect()))],
    ),
    Function::new(
        "values",
        Doc::new("The values of a hash.").example("values({ 'a' => 1 }) # [1]"),
        &[Dispatch::new(&["Hash hsh"], |call| Ok(hash(call).iter().map(|(_, value)| value.clone()).collect()))],
    ),
    Function::new(
        "flatten",
        Doc::new("Lists in lists as one list.").example("flatten([1, [2, [3]]]) # [1, 2, 3]"),
        &[Dispatch::new(&["Any *args"], |call| Ok(Value::from(flattened(call.arguments))))],
    ),
    Function::new(
        "length",
        Doc::new("How many elements or characters there are.").example("length('abc') # 3"),
        &[
            Dispatch::new(&["Collection arg"], length),
            Dispatch::new(&["String arg"], length),
            Dispatch::new(&["Binary arg"], length),
        ],
    ),
    Function::new(
        "size",
        Doc::new("How many elements or characters there are.").example("size([1, 2]) # 2"),
        &[Dispatch::new(&["Variant[Collection, String, Binary] arg"], length)],
    ),
    Function::new(
        "empty",
        Doc::new("Whether it has no elements or characters.").example("empty([]) # true"),
        &[
            Dispatch::new(&["Collection coll"], empty),
            Dispatch::new(&["Sensitive[String] str"], empty),
            Dispatch::new(&["String str"], empty),
            Dispatch::new(&["Numeric num"], |call| {
                call.deprecated_here("Calling function empty() with Numeric value is deprecated.");
                Ok(Value::Boolean(false))
            }),
            Dispatch::new(&["Binary bin"], empty),
            Dispatch::new(&["Undef x"], |_| Ok(Value::Boolean(true))),
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
