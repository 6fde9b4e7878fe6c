//! [`map`](https://www.puppet.com/docs/puppet/8/function.html#map)

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "map",
    Doc::new("The results of the block for each element.").example("[1, 2].map |$n| { $n * 2 } # [2, 4]"),
    &[
        Dispatch::new(&["Hash hash", "&Callable[2,2] block"], map_2),
        Dispatch::new(&["Hash hash", "&Callable[1,1] block"], map_1),
        Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], map_2),
        Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], map_1),
    ],
)];

fn map_1(call: &mut Call<'_>) -> Outcome {
    let mut result = Vec::new();
    for element in call.sequence("map", 0)?.walk() {
        match call.yield_or_stop(&[element])? {
            Some(value) => result.push(value),
            None => break,
        }
    }
    Ok(Value::from(result))
}

fn map_2(call: &mut Call<'_>) -> Outcome {
    let mut result = Vec::new();
    let sequence = call.sequence("map", 0)?;
    for (index, element) in sequence.walk().enumerate() {
        match call.yield_or_stop(&pair(sequence.is_hash(), index, element))? {
            Some(value) => result.push(value),
            None => break,
        }
    }
    Ok(Value::from(result))
}
