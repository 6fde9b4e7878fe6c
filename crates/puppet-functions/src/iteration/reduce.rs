//! [`reduce`](https://www.puppet.com/docs/puppet/8/function.html#reduce)

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "reduce",
    Doc::new("One value: the block gets the value so far and the next element.")
        .example("[1, 2, 3].reduce |$sum, $n| { $sum + $n } # 6"),
    &[
        Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], |call| reduce(call, None)),
        Dispatch::new(&["Iterable enumerable", "Any memo", "&Callable[2,2] block"], |call| {
            reduce(call, Some(call.arguments[1].clone()))
        }),
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
