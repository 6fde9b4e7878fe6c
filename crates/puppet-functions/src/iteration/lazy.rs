//! [`reverse_each`](https://www.puppet.com/docs/puppet/8/function.html#reverse-each) and
//! [`step`](https://www.puppet.com/docs/puppet/8/function.html#step): without a block, they return iterators.

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, Function, Outcome, Sequence};

use super::arity;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "reverse_each",
        Doc::new("The elements from the last to the first.").example("[1, 2].reverse_each.map |$n| { $n } # [2, 1]"),
        &[
            Dispatch::new(&["Iterable iterable"], |call| {
                Ok(call.sequence("reverse_each", 0)?.typed().reversed()?.into_value())
            }),
            Dispatch::new(&["Iterable iterable", "&Callable[1,1] block"], |call| {
                let sequence = call.sequence("reverse_each", 0)?.reversed()?;
                each(call, &sequence)
            }),
        ],
    ),
    Function::new(
        "step",
        Doc::new("Every so many elements.").example("[1, 2, 3, 4].step(2).map |$n| { $n } # [1, 3]"),
        &[
            Dispatch::new(&["Iterable iterable", "Integer[1] step"], |call| {
                Ok(call.sequence("step", 0)?.typed().step(size(call)).into_value())
            }),
            Dispatch::new(&["Iterable iterable", "Integer[1] step", "&Callable[1,1] block"], |call| {
                let sequence = call.sequence("step", 0)?.step(size(call));
                each(call, &sequence)
            }),
        ],
    ),
];

fn size(call: &Call<'_>) -> usize {
    match call.arguments[1] {
        Value::Integer(step) => usize::try_from(step).unwrap_or(usize::MAX),
        _ => usize::MAX,
    }
}

/// Calls the block for each element. A block with optional parameters receives an array's elements as separate
/// arguments.
fn each(call: &mut Call<'_>, sequence: &Sequence) -> Outcome {
    let spread = call.block.is_some_and(|block| arity(block) != Some(1));
    for element in sequence.walk() {
        let arguments = match &element {
            Value::Array(elements) if spread => elements.to_vec(),
            Value::Hash(hash) if spread => hash.iter().map(|(k, v)| Value::from(vec![k.clone(), v.clone()])).collect(),
            Value::Undef if spread => Vec::new(),
            _ => vec![element],
        };
        if call.yield_or_stop(&arguments)?.is_none() {
            break;
        }
    }
    Ok(Value::Undef)
}
