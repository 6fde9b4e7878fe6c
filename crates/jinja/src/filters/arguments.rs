//! Converts arguments of filters as Python does.

use minijinja::Value;

use crate::error::{Result, error, undefined};
use crate::python::kind::truth;
use crate::python::number::index;
use crate::python::{Kind, kind, str, type_name};

/// Returns a mandatory argument, which binding has checked.
pub fn given(value: Option<Value>) -> Value {
    value.unwrap_or_default()
}

/// Converts an argument with `str(value)`, as most filters of Jinja2 do.
pub fn as_text(value: &Option<Value>) -> Result<String> {
    match value {
        Some(value) => match kind(value)? {
            Kind::Missing(missing) => {
                missing.defined()?;
                Ok(String::new())
            }
            _ => str(value),
        },
        None => Ok(String::new()),
    }
}

/// Returns an optional argument as true or false.
pub fn as_flag(value: Option<Value>, default: bool) -> Result<bool> {
    value.map_or(Ok(default), |value| truth(&value))
}

/// Returns an optional argument that says whether to reverse an order: Python takes integers only.
pub fn as_reverse(value: Option<Value>) -> Result<bool> {
    value.map_or(Ok(false), |value| Ok(index(&value)? != 0))
}

/// Converts an optional argument to an integer. `None` means the default.
pub fn as_index(value: Option<Value>, default: i64) -> Result<i64> {
    match value.filter(|value| !value.is_none()) {
        Some(value) => index(&value),
        None => Ok(default),
    }
}

/// Returns an optional argument that must be a string. The default is the empty string.
pub fn strict(value: &Option<Value>, subject: &str) -> Result<String> {
    value.as_ref().map_or(Ok(String::new()), |value| strict_text(value, subject))
}

/// Returns an argument that must be a string.
pub fn strict_text(value: &Value, subject: &str) -> Result<String> {
    match kind(value)? {
        Kind::Str(text) => Ok(text.into()),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => Err(error(format!("{subject} expects a string: expected str, not {}", type_name(value)))),
    }
}
