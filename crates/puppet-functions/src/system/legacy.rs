//! Common parts of the reference's oldest functions: no signatures, special messages for a wrong number of arguments,
//! and arguments that are converted to older types.

use hieratic_puppet_types::{ObjectValue, Opaque, RegexpValue, Type, UriValue};
use hieratic_value::{Hash, Rich, Value};

use super::resource::LegacyResource;
use crate::{Call, EvalError, Flow, Sequence, ruby};

/// The parameters of such a function: anything, and a block that is never called.
pub const ANY: &[&str] = &["Any *args", "&?Callable block"];

/// Converts the arguments. The arity is that of Ruby: the exact number, or `-(minimum + 1)`.
///
/// # Errors
/// A number of arguments that the function does not take, and iterators.
pub fn arguments(call: &Call<'_>, function: &str, arity: i32) -> Result<Vec<Value>, Flow> {
    check_count(function, call.arguments.len(), arity)?;
    call.arguments.iter().map(outer).collect()
}

/// Checks the number of arguments with the messages of such functions; the arity is as for [`arguments`].
///
/// # Errors
/// A number of arguments that the function does not take.
pub fn check_count(function: &str, count: usize, arity: i32) -> Result<(), Flow> {
    let least = usize::try_from(if arity < 0 { -(arity + 1) } else { arity }).unwrap_or(0);
    let message = if arity >= 0 && count != least {
        format!("{function}(): Wrong number of arguments given ({count} for {least})")
    } else if count < least {
        format!("{function}(): Wrong number of arguments given ({count} for minimum {least})")
    } else {
        return Ok(());
    };
    Err(EvalError::new(message).into())
}

/// Converts an argument: undef becomes an empty string.
fn outer(value: &Value) -> Result<Value, Flow> {
    match value {
        Value::Undef => Ok(Value::from("")),
        _ => inner(value),
    }
}

/// Converts a value inside of an argument.
fn inner(value: &Value) -> Result<Value, Flow> {
    Ok(match value {
        Value::Array(elements) => Value::from(elements.iter().map(inner).collect::<Result<Vec<Value>, Flow>>()?),
        Value::Hash(hash) => {
            let pairs: Result<Vec<_>, Flow> =
                hash.iter().map(|(key, value)| Ok((inner(key)?, inner(value)?))).collect();
            Value::from(pairs?.into_iter().collect::<Hash>())
        }
        Value::Rich(rich) => match &**rich {
            Rich::Extended(extended) => {
                if Opaque::content::<Sequence>(value).is_some() {
                    return Err(EvalError::new("Use of an Iterator is not supported here").into());
                }
                // References become resources; other types, URIs and objects are kept; times, versions and regular
                // expressions become strings.
                match Type::of_value(value) {
                    Some(kind) => {
                        LegacyResource::from_type(kind).map_or_else(|| value.clone(), LegacyResource::into_value)
                    }
                    None if RegexpValue::downcast(value).is_some() => Value::from(extended.inspect()),
                    None if value.extended::<Opaque>().is_some() => value.clone(),
                    None if UriValue::downcast(value).is_some() || value.extended::<ObjectValue>().is_some() => {
                        value.clone()
                    }
                    None => Value::from(extended.to_text()),
                }
            }
            Rich::Binary(_) => Value::from(value.to_text()),
            _ => value.clone(),
        },
        _ => value.clone(),
    })
}

/// Returns a value with references to resources in the form that the language has, for functions that pass on what they
/// got.
pub fn with_references(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(with_references).collect(),
        Value::Hash(hash) => {
            hash.iter().map(|(key, value)| (key.clone(), with_references(value))).collect::<Hash>().into()
        }
        other => match other.extended::<LegacyResource>() {
            Some(resource) => resource.origin().clone().into_value(),
            None => other.clone(),
        },
    }
}

/// Returns an argument that must be a string.
pub(crate) fn text(arguments: &[Value], index: usize) -> Result<&str, Flow> {
    match arguments.get(index) {
        Some(Value::String(text)) => Ok(text),
        other => Err(EvalError::new(ruby::not_a_string(other.unwrap_or(&Value::Undef))).into()),
    }
}
