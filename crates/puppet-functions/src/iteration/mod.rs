//! Functions that call a block for each element.
//!
//! See [iterative functions](https://www.puppet.com/docs/puppet/8/lang_iteration.html). A block with two parameters
//! receives the key and value of a hash, or the index and element of other values.

mod apply;
mod each;
mod filter;
mod grouping;
mod index;
mod lazy;
mod map;
mod quantify;
mod reduce;
mod slice;
mod tree_each;

use hieratic_puppet_types::Type;
use hieratic_value::Value;

use crate::{Block, Call, EvalError, Flow, Function, Sequence};

/// The functions of this subject. A table that is not listed is a warning of the compiler.
pub(crate) fn functions() -> impl Iterator<Item = &'static Function> {
    [
        apply::FUNCTIONS,
        each::FUNCTIONS,
        filter::FUNCTIONS,
        grouping::FUNCTIONS,
        index::FUNCTIONS,
        lazy::FUNCTIONS,
        map::FUNCTIONS,
        quantify::FUNCTIONS,
        reduce::FUNCTIONS,
        slice::FUNCTIONS,
        tree_each::FUNCTIONS,
    ]
    .into_iter()
    .flatten()
}

impl Call<'_> {
    /// Returns the sequence of the argument at an index.
    pub(crate) fn sequence(&self, function: &str, index: usize) -> Result<Sequence, Flow> {
        let value = &self.arguments[index];
        Sequence::from_value(value).ok_or_else(|| {
            let class = value.ruby_class();
            EvalError::new(format!("{function}(): wrong argument type ({class}; is not Iterable.")).into()
        })
    }

    /// Calls the block; returns `None` if it stops the iteration.
    fn yield_or_stop(&mut self, arguments: &[Value]) -> Result<Option<Value>, Flow> {
        match self.yield_block(arguments) {
            Ok(value) => Ok(Some(value)),
            Err(Flow::Break(_)) => Ok(None),
            Err(flow) => Err(flow),
        }
    }
}

/// Returns the two arguments for a block with two parameters: key and value of a hash's pair, otherwise index and
/// element.
fn pair(spread: bool, index: usize, element: Value) -> [Value; 2] {
    if spread
        && let Value::Array(pair) = &element
        && let [key, value] = &pair[..]
    {
        return [key.clone(), value.clone()];
    }
    [Value::from(index), element]
}

/// Returns the number of parameters of a block, or `None` if some of them are optional.
fn arity(block: &Block) -> Option<usize> {
    let Type::Callable(callable) = block.callable_type() else { return None };
    let parameters = callable.parameters.as_ref()?;
    match parameters.size() {
        None => Some(parameters.types().len()),
        Some(size) if size.from() == size.to() => match Value::from(size.from()?.clone()) {
            Value::Integer(count) => usize::try_from(count).ok(),
            _ => None,
        },
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests;
