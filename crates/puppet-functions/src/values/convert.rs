//! [`new`](https://www.puppet.com/docs/puppet/8/function.html#new),
//! [`convert_to`](https://www.puppet.com/docs/puppet/8/function.html#convert-to),
//! [`assert_type`](https://www.puppet.com/docs/puppet/8/function.html#assert-type),
//! [`type`](https://www.puppet.com/docs/puppet/8/function.html#type) and
//! [`unwrap`](https://www.puppet.com/docs/puppet/8/function.html#unwrap)

use hieratic_puppet_types::{Type, describe_mismatch, infer, infer_set};
use hieratic_value::{Rich, Value};

use crate::{Call, Dispatch, Doc, EvalError, Flow, Function, Outcome};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::new(
        "new",
        Doc::new("A value of a type, made of another one.").example("Integer.new('0x1f') # 31"),
        &[Dispatch::new(&["Type type", "Any *args", "&?Callable block"], |call| {
            let result = call.host.new_instance(&kind(call, 0)?, &call.arguments[1..])?;
            through_block(call, result)
        })],
    ),
    Function::new(
        "convert_to",
        Doc::new("The value, converted to a type.").example("'42'.convert_to(Integer) # 42"),
        &[Dispatch::new(&["Any value", "Type type", "Any *args", "&?Callable[1,1] block"], |call| {
            let mut arguments = vec![call.arguments[0].clone()];
            arguments.extend_from_slice(&call.arguments[2..]);
            let result = call.host.new_instance(&kind(call, 1)?, &arguments)?;
            through_block(call, result)
        })],
    ),
    Function::new(
        "assert_type",
        Doc::new("The value, if it is of the type; an error otherwise.").example("assert_type(Integer, 5) # 5"),
        &[
            Dispatch::new(&["Type type", "Any value", "&?Callable[Type, Type] block"], |call| {
                let kind = kind(call, 0)?;
                assert_type(call, &kind)
            }),
            Dispatch::new(&["String type_string", "Any value", "&?Callable[Type, Type] block"], |call| {
                let text = call.text(0);
                let kind = call.host.parse_type(&text)?;
                assert_type(call, &kind)
            }),
        ],
    ),
    Function::new(
        "type",
        Doc::new("The type of a value.").example("type(5) # Integer[5, 5]"),
        &[
            Dispatch::new(&["Any value", "Enum[detailed] inference_method?"], |call| inferred(call, infer_set)),
            Dispatch::new(&["Any value", "Enum[reduced] inference_method"], |call| inferred(call, infer)),
            Dispatch::new(&["Any value", "Enum[generalized] inference_method"], |call| {
                inferred(call, |value| infer(value).generalize())
            }),
        ],
    ),
    Function::new(
        "unwrap",
        Doc::new("The content of a Sensitive value.").example("Sensitive('a').unwrap # 'a'"),
        &[
            Dispatch::new(&["Sensitive arg", "&?Callable block"], unwrap),
            Dispatch::new(&["Any arg", "&?Callable block"], unwrap),
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
