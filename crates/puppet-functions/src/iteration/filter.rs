//! [`filter`](https://www.puppet.com/docs/puppet/8/function.html#filter)

use hieratic_value::{Hash, HashBuilder, Value};

use crate::{Call, Dispatch, Doc, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "filter",
    Doc::new("The elements for which the block is true.").example("[1, 2, 3].filter |$n| { $n > 1 } # [2, 3]"),
    &[
        Dispatch::new(&["Hash hash", "&Callable[2,2] block"], filter_hash_2),
        Dispatch::new(&["Hash hash", "&Callable[1,1] block"], filter_hash_1),
        Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], filter_2),
        Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], filter_1),
    ],
)];

/// Keeps the pairs of a hash for which the block is true. A `break` in the block ends the surrounding code, as in the
/// reference.
fn filter_hash_2(call: &mut Call<'_>) -> Outcome {
    filter_hash(call, |call, key, value| call.yield_block(&[key, value]))
}

fn filter_hash_1(call: &mut Call<'_>) -> Outcome {
    filter_hash(call, |call, key, value| call.yield_block(&[Value::from(vec![key, value])]))
}

fn filter_hash(call: &mut Call<'_>, ask: fn(&mut Call<'_>, Value, Value) -> Outcome) -> Outcome {
    let hash = call.arguments[0].as_hash().cloned().unwrap_or_default();
    let mut result = HashBuilder::default();
    for (key, value) in &hash {
        if ask(call, key.clone(), value.clone())?.is_truthy() {
            result.insert(key.clone(), value.clone());
        }
    }
    Ok(Value::from(Hash::from(result)))
}

fn filter_1(call: &mut Call<'_>) -> Outcome {
    let mut result = Vec::new();
    for element in call.sequence("filter", 0)?.walk() {
        match call.yield_or_stop(std::slice::from_ref(&element))? {
            Some(yes) if yes.is_truthy() => result.push(element),
            Some(_) => {}
            None => break,
        }
    }
    Ok(Value::from(result))
}

fn filter_2(call: &mut Call<'_>) -> Outcome {
    let sequence = call.sequence("filter", 0)?;
    let mut result = Vec::new();
    for (index, element) in sequence.walk().enumerate() {
        match call.yield_or_stop(&pair(sequence.is_hash(), index, element.clone()))? {
            Some(yes) if yes.is_truthy() => result.push(element),
            Some(_) => {}
            None => break,
        }
    }
    if !sequence.is_hash() {
        return Ok(Value::from(result));
    }
    let pairs = result.iter().filter_map(|pair| match pair.as_array() {
        Some([key, value]) => Some((key.clone(), value.clone())),
        _ => None,
    });
    Ok(Value::from(pairs.collect::<Hash>()))
}
