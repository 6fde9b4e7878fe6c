//! [`new`](https://www.puppet.com/docs/puppet/8/function.html#new),
//! [`convert_to`](https://www.puppet.com/docs/puppet/8/function.html#convert-to),
//! [`assert_type`](https://www.puppet.com/docs/puppet/8/function.html#assert-type),
//! [`type`](https://www.puppet.com/docs/puppet/8/function.html#type) and
//! [`unwrap`](https://www.puppet.com/docs/puppet/8/function.html#unwrap)

use hieratic_puppet_types::{Type, describe_mismatch, infer, infer_set};
use hieratic_value::{Rich, Value};

use crate::{Call, Dispatch, EvalError, Flow, Function, Outcome};

pub(super) static FUNCTIONS: [Function; 5] = [
    Function::new(
        "new",
        &[Dispatch {
            parameters: &["Type type", "Any *args", "&?Callable block"],
            run: |call| {
                let made = call.host.new_instance(&kind(call, 0)?, &call.arguments[1..])?;
                through_block(call, made)
            },
        }],
    ),
    Function::new(
        "convert_to",
        &[Dispatch {
            parameters: &["Any value", "Type type", "Any *args", "&?Callable[1,1] block"],
            run: |call| {
                let mut arguments = vec![call.arguments[0].clone()];
                arguments.extend_from_slice(&call.arguments[2..]);
                let made = call.host.new_instance(&kind(call, 1)?, &arguments)?;
                through_block(call, made)
            },
        }],
    ),
    Function::new(
        "assert_type",
        &[
            Dispatch {
                parameters: &["Type type", "Any value", "&?Callable[Type, Type] block"],
                run: |call| {
                    let kind = kind(call, 0)?;
                    assert_type(call, &kind)
                },
            },
            Dispatch {
                parameters: &["String type_string", "Any value", "&?Callable[Type, Type] block"],
                run: |call| {
                    let text = call.text(0);
                    let kind = call.host.parse_type(&text)?;
                    assert_type(call, &kind)
                },
            },
        ],
    ),
    Function::new(
        "type",
        &[
            Dispatch {
                parameters: &["Any value", "Enum[detailed] inference_method?"],
                run: |call| inferred(call, infer_set),
            },
            Dispatch {
                parameters: &["Any value", "Enum[reduced] inference_method"],
                run: |call| inferred(call, infer),
            },
            Dispatch {
                parameters: &["Any value", "Enum[generalized] inference_method"],
                run: |call| inferred(call, |value| infer(value).generalize()),
            },
        ],
    ),
    Function::new(
        "unwrap",
        &[
            Dispatch { parameters: &["Sensitive arg", "&?Callable block"], run: unwrap },
            Dispatch { parameters: &["Any arg", "&?Callable block"], run: unwrap },
        ],
    ),
];

/// Returns the exact type of the value.
fn inferred(call: &mut Call<'_>, infer: fn(&Value) -> Type) -> Outcome {
    call.charge_parts(&call.arguments[0], BYTES_OF_TYPE)?;
    Ok(infer(&call.arguments[0]).into_value())
}

/// The memory of a type and its string form, in bytes.
const BYTES_OF_TYPE: usize = 128;

fn kind(call: &Call<'_>, index: usize) -> Result<Type, Flow> {
    // The signature only accepts types.
    Type::of_value(&call.arguments[index]).cloned().ok_or_else(|| EvalError::new("expects a Type value").into())
}

/// Returns the result of the block for the value; the value itself if there is no block.
fn through_block(call: &mut Call<'_>, value: Value) -> Outcome {
    match call.block {
        Some(_) => call.yield_block(&[value]),
        None => Ok(value),
    }
}

/// Returns the value if it is of the type; otherwise the result of the block, which receives both types, or an error.
fn assert_type(call: &mut Call<'_>, kind: &Type) -> Outcome {
    let value = &call.arguments[1];
    if kind.is_instance(value) {
        return Ok(value.clone());
    }
    let actual = infer_set(value);
    match call.block {
        Some(_) => call.yield_block(&[kind.clone().into_value(), actual.into_value()]),
        None => Err(EvalError::new(describe_mismatch("assert_type():", kind, &actual)).into()),
    }
}

fn unwrap(call: &mut Call<'_>) -> Outcome {
    let value = match call.arguments[0].as_rich() {
        Some(Rich::Sensitive(secret)) => secret.clone(),
        _ => call.arguments[0].clone(),
    };
    through_block(call, value)
}
