//! [`index`](https://www.puppet.com/docs/puppet/8/function.html#index)

use hieratic_puppet_types::RegexpValue;
use hieratic_value::Value;

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

use super::pair;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "index",
    Doc::new("The index or key of the first element that fits, or undef.").example("['a', 'b'].index('b') # 1"),
    &[
        Dispatch::new(&["Hash hash", "&Callable[2,2] block"], index_2),
        Dispatch::new(&["Hash hash", "&Callable[1,1] block"], index_1),
        Dispatch::new(&["Iterable enumerable", "&Callable[2,2] block"], index_2),
        Dispatch::new(&["Iterable enumerable", "&Callable[1,1] block"], index_1),
        Dispatch::new(&["String str", "Variant[String,Regexp] match"], string_index),
        Dispatch::new(&["Iterable enumerable", "Any match"], index_value),
    ],
)];

/// Returns the index of the first element for which the block is true. The block receives key and value, or index and
/// element.
fn index_2(call: &mut Call<'_>) -> Outcome {
    seek(call, |call, [place, element]| call.yield_block(&[place.clone(), element.clone()]).map(|yes| yes.is_truthy()))
}

/// Like [`index_2`], for a block that receives only the value.
fn index_1(call: &mut Call<'_>) -> Outcome {
    seek(call, |call, [_, element]| call.yield_block(std::slice::from_ref(element)).map(|yes| yes.is_truthy()))
}

fn index_value(call: &mut Call<'_>) -> Outcome {
    seek(call, |call, [_, element]| Ok(element.loosely_equals(&call.arguments[1])))
}

fn seek(call: &mut Call<'_>, mut is_sought: impl FnMut(&mut Call<'_>, &[Value; 2]) -> Result<bool, Flow>) -> Outcome {
    let sequence = call.sequence("index", 0)?;
    let plain_hash = matches!(call.arguments[0], Value::Hash(_));
    for (index, element) in sequence.walk().enumerate() {
        call.host.budget().step()?;
        let found = pair(sequence.is_hash(), index, element);
        match is_sought(call, &found) {
            Ok(true) => {
                let [place, _] = found;
                return Ok(place);
            }
            Ok(false) => {}
            Err(Flow::Break(_)) if sequence.stops_inside() || sequence.is_hash() && !plain_hash => break,
            Err(flow) => return Err(flow),
        }
    }
    Ok(Value::Undef)
}

/// Returns the position of a string or a pattern in a string, in characters.
fn string_index(call: &mut Call<'_>) -> Outcome {
    let text = call.arguments[0].as_str().unwrap_or_default();
    let found = match &call.arguments[1] {
        Value::String(sought) => text.find(&**sought),
        pattern => match RegexpValue::downcast(pattern) {
            Some(regexp) => {
                let found = regexp.try_find_at(text, 0).map_err(|error| EvalError::new(error.to_string()))?;
                found.map(|range| range.start)
            }
            None => None,
        },
    };
    let count = |at: usize| i64::try_from(text[..at].chars().count()).unwrap_or(i64::MAX);
    Ok(found.map_or(Value::Undef, |at| Value::Integer(count(at))))
}
