//! [`each`](https://www.puppet.com/docs/puppet/8/function.html#each)

use crate::{Call, Dispatch, Doc, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "each",
    Doc::new("Runs the block for each element, and returns its first argument.")
        .example("[1, 2].each |$n| { notice($n) }"),
    &[
        Dispatch::new(&["Hash hash", "&Callable[2,2] block"], each_2),
        Dispatch::new(&["Hash hash", "&Callable[1,1] block"], each_1),
        Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], each_2),
        Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], each_1),
    ],
)];

fn each_1(call: &mut Call<'_>) -> Outcome {
    for element in call.sequence("each", 0)?.walk() {
        if call.yield_or_stop(&[element])?.is_none() {
            break;
        }
    }
    Ok(call.arguments[0].clone())
}

fn each_2(call: &mut Call<'_>) -> Outcome {
    let sequence = call.sequence("each", 0)?;
    for (index, element) in sequence.walk().enumerate() {
        if call.yield_or_stop(&pair(sequence.is_hash(), index, element))?.is_none() {
            break;
        }
    }
    Ok(call.arguments[0].clone())
}
