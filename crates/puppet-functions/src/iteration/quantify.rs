//! [`all`](https://www.puppet.com/docs/puppet/8/function.html#all) and
//! [`any`](https://www.puppet.com/docs/puppet/8/function.html#any)

use hieratic_value::Value;

use crate::{Call, Dispatch, Flow, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: [Function; 2] = [
    Function::new(
        "all",
        &[
            Dispatch { parameters: &["Hash hash", "&Callable[2,2] block"], run: |call| seek_2(call, "all", false) },
            Dispatch { parameters: &["Hash hash", "&Callable[1,1] block"], run: |call| seek_1(call, "all", false) },
            Dispatch {
                parameters: &["Iterable enumerable", "&Callable[2,2] block"],
                run: |call| seek_2(call, "all", false),
            },
            Dispatch {
                parameters: &["Iterable enumerable", "&Callable[1,1] block"],
                run: |call| seek_1(call, "all", false),
            },
        ],
    ),
    Function::new(
        "any",
        &[
            Dispatch { parameters: &["Hash hash", "&Callable[2,2] block"], run: |call| seek_2(call, "any", true) },
            Dispatch { parameters: &["Hash hash", "&Callable[1,1] block"], run: |call| seek_1(call, "any", true) },
            Dispatch {
                parameters: &["Iterable enumerable", "&Callable[2,2] block"],
                run: |call| seek_2(call, "any", true),
            },
            Dispatch {
                parameters: &["Iterable enumerable", "&Callable[1,1] block"],
                run: |call| seek_1(call, "any", true),
            },
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
