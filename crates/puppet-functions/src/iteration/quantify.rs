//! [`all`](https://www.puppet.com/docs/puppet/8/function.html#all) and
//! [`any`](https://www.puppet.com/docs/puppet/8/function.html#any)

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, Flow, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "all",
        Doc::new("Whether the block is true for all elements.").example("[1, 2].all |$n| { $n > 0 } # true"),
        &[
            Dispatch::new(&["Hash hash", "&Callable[2,2] block"], |call| seek_2(call, "all", false)),
            Dispatch::new(&["Hash hash", "&Callable[1,1] block"], |call| seek_1(call, "all", false)),
            Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], |call| seek_2(call, "all", false)),
            Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], |call| seek_1(call, "all", false)),
        ],
    ),
    Function::new(
        "any",
        Doc::new("Whether the block is true for an element.").example("[1, 2].any |$n| { $n > 1 } # true"),
        &[
            Dispatch::new(&["Hash hash", "&Callable[2,2] block"], |call| seek_2(call, "any", true)),
            Dispatch::new(&["Hash hash", "&Callable[1,1] block"], |call| seek_1(call, "any", true)),
            Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], |call| seek_2(call, "any", true)),
            Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], |call| seek_1(call, "any", true)),
        ],
    ),
];

/// Returns `sought` if the block returns it for some element, else its negation.
fn seek_1(call: &mut Call<'_>, function: &str, sought: bool) -> Outcome {
    let sequence = call.sequence(function, 0)?;
    for element in sequence.walk() {
        match call.yield_block(&[element]) {
            Ok(value) if value.is_truthy() == sought => return Ok(Value::Boolean(sought)),
            Ok(_) => {}
            Err(Flow::Break(_)) if sequence.stops_inside() => break,
            Err(flow) => return Err(flow),
        }
    }
    Ok(Value::Boolean(!sought))
}

fn seek_2(call: &mut Call<'_>, function: &str, sought: bool) -> Outcome {
    let sequence = call.sequence(function, 0)?;
    for (index, element) in sequence.walk().enumerate() {
        match call.yield_block(&pair(sequence.is_hash(), index, element)) {
            Ok(value) if value.is_truthy() == sought => return Ok(Value::Boolean(sought)),
            Ok(_) => {}
            Err(Flow::Break(_)) if sequence.stops_inside() => break,
            Err(flow) => return Err(flow),
        }
    }
    Ok(Value::Boolean(!sought))
}
