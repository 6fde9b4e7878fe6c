//! Common parts of most functions of the module: no signature, converted arguments, special error messages.

use hieratic_puppet_functions::{Call, EvalError, Flow};
use hieratic_ruby_regexp::{Options, Regexp};
use hieratic_value::Value;

/// Returns any number of arguments: undef becomes an empty string, as in the reference.
pub(crate) fn arguments(call: &Call<'_>, function: &str) -> Result<Vec<Value>, Flow> {
    hieratic_puppet_functions::legacy::arguments(call, function, -1)
}

/// Returns an error with the message.
pub(crate) fn fail<T>(message: impl Into<String>) -> Result<T, Flow> {
    Err(EvalError::new(message).into())
}

/// Fails with the message unless the condition holds.
pub(crate) fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Flow> {
    if condition { Ok(()) } else { fail(message()) }
}

/// Compares like Ruby's `==`: integers and floats are compared by their numeric value.
pub(crate) fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Integer(_), Value::Float(_)) | (Value::Float(_), Value::Integer(_)) => {
            left.compare(right) == Some(std::cmp::Ordering::Equal)
        }
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right.iter()).all(|(left, right)| same(left, right))
        }
        _ => left == right,
    }
}

/// Compiles a regular expression in Ruby's syntax.
pub(crate) fn regexp(call: &mut Call<'_>, source: &str) -> Result<Regexp, Flow> {
    call.host.regexp(source, Options::default()).map_err(|error| EvalError::new(error.to_string()).into())
}

/// Returns whether a line of the string consists of digits only: the module's patterns match a line, not the string.
pub(crate) fn is_digits(text: &str) -> bool {
    text.lines().any(|line| !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Parses the integer at the start of a string like Ruby's `to_i`; numbers are truncated.
pub(crate) fn to_i(value: &Value) -> i64 {
    match value {
        Value::Integer(number) => *number,
        // Casting saturates, as intended.
        Value::Float(number) => *number as i64,
        Value::String(text) => {
            let text = text.trim_start();
            let (negative, digits) = match text.strip_prefix(['-', '+']) {
                Some(rest) => (text.starts_with('-'), rest),
                None => (false, text),
            };
            let end = digits.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(digits.len());
            let number = digits[..end]
                .bytes()
                .filter(u8::is_ascii_digit)
                .fold(0i64, |number, digit| number.saturating_mul(10).saturating_add(i64::from(digit - b'0')));
            if negative { -number } else { number }
        }
        _ => 0,
    }
}
