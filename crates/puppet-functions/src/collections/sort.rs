//! [`sort`](https://www.puppet.com/docs/puppet/8/function.html#sort)

use hieratic_value::Value;

use crate::ruby;
use crate::{Call, Dispatch, Doc, Flow, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "sort",
    Doc::new("The elements in order.").example("sort([3, 1, 2]) # [1, 2, 3]"),
    &[
        Dispatch::new(&["String string_value", "&?Callable[2,2] block"], |call| {
            let characters = call.text(0).chars().map(|c| Value::from(c.to_string())).collect();
            let sorted = sort(call, characters)?;
            Ok(Value::from(sorted.iter().filter_map(Value::as_str).collect::<String>()))
        }),
        Dispatch::new(&["Array array_value", "&?Callable[2,2] block"], |call| -> Outcome {
            let elements = call.arguments[0].as_array().unwrap_or_default().to_vec();
            Ok(Value::from(sort(call, elements)?))
        }),
    ],
)];

/// Sorts by the natural order of the values, or by the result of the block for two of them.
fn sort(call: &mut Call<'_>, elements: Vec<Value>) -> Result<Vec<Value>, Flow> {
    call.host.budget().bytes(elements.len().saturating_mul(size_of::<Value>()))?;
    ruby::merge_sort(elements, &mut |one, other| match call.block {
        Some(_) => {
            let answer = call.yield_block(&[one.clone(), other.clone()])?;
            ruby::sign_of(&answer, one, other)
        }
        None => {
            call.host.budget().step()?;
            one.compare(other).ok_or_else(|| ruby::comparison_failed(one, other).into())
        }
    })
}
