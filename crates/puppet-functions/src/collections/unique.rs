//! [`unique`](https://www.puppet.com/docs/puppet/8/function.html#unique)

use hieratic_value::collections::FixedState;
use hieratic_value::{Hash, Value};
use indexmap::{IndexMap, IndexSet};

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "unique",
    Doc::new("The elements, each once.").example("unique([1, 1, 2]) # [1, 2]"),
    &[
        Dispatch::new(&["String string", "&?Callable[String] block"], |call| {
            let characters = call.text(0).chars().map(|c| Value::from(c.to_string())).collect::<Vec<_>>();
            let unique = unique(call, characters)?;
            Ok(Value::from(unique.iter().filter_map(Value::as_str).collect::<String>()))
        }),
        Dispatch::new(&["Hash hash", "&?Callable[Any] block"], unique_hash),
        Dispatch::new(&["Array array", "&?Callable[Any] block"], |call| {
            let elements = call.arguments[0].as_array().unwrap_or_default().to_vec();
            Ok(Value::from(unique(call, elements)?))
        }),
        Dispatch::new(&["Iterable iterable", "&?Callable[Any] block"], |call| {
            let elements = call.sequence("unique", 0)?.walk();
            Ok(Value::from(unique(call, elements)?))
        }),
    ],
)];

/// Returns the key of a value: the result of the block, or the value itself if there is no block.
fn key(call: &mut Call<'_>, value: &Value) -> Outcome {
    match call.block {
        Some(_) => call.yield_block(std::slice::from_ref(value)),
        None => Ok(value.clone()),
    }
}

/// Returns the first value of each group with the same key.
fn unique(call: &mut Call<'_>, values: impl IntoIterator<Item = Value>) -> Result<Vec<Value>, Flow> {
    let mut first: IndexMap<Value, Value, FixedState> = IndexMap::default();
    for value in values {
        call.host.budget().step()?;
        let key = key(call, &value)?;
        if first.len() >= crate::sequence::MAX_ELEMENTS {
            let message = format!("more than {} elements cannot be made into an array", crate::sequence::MAX_ELEMENTS);
            return Err(EvalError::new(message).into());
        }
        first.entry(key).or_insert(value);
    }
    Ok(first.into_values().collect())
}

/// The keys and values of one group.
#[derive(Default)]
struct KeyGroup {
    keys: Vec<Value>,
    values: IndexSet<Value, FixedState>,
}

/// Returns the keys and values of each group with the same key.
fn unique_hash(call: &mut Call<'_>) -> Outcome {
    let hash = call.arguments[0].as_hash().cloned().unwrap_or_default();
    let mut groups: IndexMap<Value, KeyGroup, FixedState> = IndexMap::default();
    for (name, value) in &hash {
        let alike = groups.entry(key(call, value)?).or_default();
        alike.keys.push(name.clone());
        alike.values.insert(value.clone());
    }
    let groups = groups.into_values().map(|alike| (Value::from(alike.keys), alike.values.into_iter().collect()));
    Ok(Value::from(groups.collect::<Hash>()))
}
