//! [`slice`](https://www.puppet.com/docs/puppet/8/function.html#slice)

use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::arity;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "slice",
    Doc::new("The elements in lists of some length.").example("[1, 2, 3].slice(2) # [[1, 2], [3]]"),
    &[
        Dispatch::new(&["Hash hash", "Integer[1, default] slice_size", "&?Callable block"], slice),
        Dispatch::new(&["Iterable enumerable", "Integer[1, default] slice_size", "&?Callable block"], slice),
    ],
)];

/// Splits the elements into arrays of a given size; a block is called for each of them.
fn slice(call: &mut Call<'_>) -> Outcome {
    let size = match call.arguments[1] {
        Value::Integer(size) => usize::try_from(size).unwrap_or(usize::MAX),
        _ => usize::MAX,
    };
    let serving = block_arity(call, size)?;
    let filler = match call.arguments[0] {
        Value::Hash(_) => Value::from(Vec::new()),
        _ => Value::Undef,
    };
    let sequence = call.sequence("slice", 0)?;
    // Without a block all elements are collected, so their number is limited.
    let mut elements = match call.block {
        Some(_) => Elements::Lazy(sequence.walk()),
        None => Elements::Collected(sequence.collect()?.into_iter()),
    };
    let mut result = Vec::new();
    loop {
        let mut part: Vec<Value> = elements.by_ref().take(size).collect();
        if part.is_empty() {
            break;
        }
        if call.block.is_none() {
            result.push(Value::from(part));
            continue;
        }
        let arguments = if serving == 1 {
            vec![Value::from(part)]
        } else {
            part.resize(serving, filler.clone());
            part
        };
        if call.yield_or_stop(&arguments)?.is_none() {
            break;
        }
    }
    Ok(if call.block.is_some() { call.arguments[0].clone() } else { Value::from(result) })
}

/// The source of the elements.
enum Elements {
    Lazy(crate::Walk),
    Collected(std::vec::IntoIter<Value>),
}

impl Iterator for Elements {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        match self {
            Elements::Lazy(walk) => walk.next(),
            Elements::Collected(elements) => elements.next(),
        }
    }
}

/// Returns the number of arguments for the block: one for the whole slice, or one for each of its elements.
fn block_arity(call: &Call<'_>, size: usize) -> Result<usize, Flow> {
    let Some(block) = call.block else { return Ok(1) };
    let serving = arity(block).unwrap_or(size);
    if serving == 0 {
        return Err(EvalError::new("slice(): block must define at least one parameter. Block has 0.").into());
    }
    if serving != 1 && serving != size {
        return Err(EvalError::new(format!(
            "slice(): block must define one parameter, or the same number of parameters as the given size of the slice \
             ({size}). Block has {serving}; {}",
            block.0.parameter_names().join(", ")
        ))
        .into());
    }
    // No block has more parameters than this.
    if serving > crate::sequence::MAX_ELEMENTS {
        return Err(EvalError::new(format!(
            "slice(): a slice of {serving} elements cannot be passed as separate arguments"
        ))
        .into());
    }
    Ok(serving)
}
