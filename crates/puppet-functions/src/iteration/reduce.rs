//! [`reduce`](https://www.puppet.com/docs/puppet/8/function.html#reduce)

use hieratic_value::Value;

use crate::{Call, Dispatch, Function, Outcome};

pub(super) static FUNCTIONS: [Function; 1] = [Function::new(
    "reduce",
    &[
        Dispatch { parameters: &["Iterable enumerable", "&Callable[2,2] block"], run: |call| reduce(call, None) },
        Dispatch {
            parameters: &["Iterable enumerable", "Any memo", "&Callable[2,2] block"],
            run: |call| reduce(call, Some(call.arguments[1].clone())),
        },
    ],
)];

/// Folds the elements with the block, beginning with the first element if no start value is given.
fn reduce(call: &mut Call<'_>, memo: Option<Value>) -> Outcome {
    let mut elements = call.sequence("reduce", 0)?.walk();
    let Some(mut memo) = memo.or_else(|| elements.next()) else { return Ok(Value::Undef) };
    for element in elements {
        match call.yield_or_stop(&[memo.clone(), element])? {
            Some(value) => memo = value,
            None => break,
        }
    }
    Ok(memo)
}
