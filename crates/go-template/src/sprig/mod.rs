//! The functions of sprig that depend only on their arguments. Source of the rules:
//! <https://masterminds.github.io/sprig/>.

mod convert;
mod decimal;
mod dicts;
mod encode;
mod json;
mod lines;
mod lists;
mod math;
mod names;
mod semver;
mod strings;
mod text;
mod urls;
mod words;

use crate::eval::{Fault, Value};

pub use names::is_function;

/// Calls a function. Returns `None` if sprig does not have it, or if it is not implemented here.
///
/// ```
/// use hieratic_go_template::{Value, sprig};
///
/// let answer = sprig::call("default", &["x".into(), "".into()]);
/// assert_eq!(answer.unwrap().unwrap(), Value::from("x"));
/// ```
pub fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    strings::call(name, arguments)
        .or_else(|| lists::call(name, arguments))
        .or_else(|| dicts::call(name, arguments))
        .or_else(|| math::call(name, arguments))
        .or_else(|| json::call(name, arguments))
        .or_else(|| convert::call(name, arguments))
        .or_else(|| lines::call(name, arguments))
        .or_else(|| decimal::call(name, arguments))
        .or_else(|| encode::call(name, arguments))
        .or_else(|| urls::call(name, arguments))
        .or_else(|| semver::call(name, arguments))
}

/// Formats values by a pattern, as `printf` does.
///
/// ```
/// use hieratic_go_template::{Value, sprig};
/// assert_eq!(sprig::printf("%-3s|%03d", &["a".into(), Value::Int(7)]), "a  |007");
/// ```
pub fn printf(pattern: &str, arguments: &[Value]) -> String {
    crate::eval::format(pattern, arguments)
}

/// The error of too few or too many arguments.
fn count(arguments: &[Value], expected: usize) -> Fault {
    Fault::error(format!("wrong number of args: want {expected} got {}", arguments.len()))
}

/// The error of an argument of another type.
fn wrong_type(expected: &str, value: &Value) -> Fault {
    Fault::error(format!("wrong type for value; expected {expected}; got {}", value.type_name()))
}

/// As many arguments as a function takes.
fn exactly<const N: usize>(arguments: &[Value]) -> Result<&[Value; N], Fault> {
    arguments.try_into().map_err(|_| count(arguments, N))
}

/// An argument that must be a string.
fn text_of(value: &Value) -> Result<&str, Fault> {
    value.as_str().ok_or_else(|| wrong_type("string", value))
}

/// An argument that must be an integer.
fn integer_of(value: &Value) -> Result<i64, Fault> {
    match value {
        Value::Int(number) => Ok(*number),
        other => Err(wrong_type("int", other)),
    }
}

/// An argument that must be a list.
fn list_of(value: &Value) -> Result<&[Value], Fault> {
    match value {
        Value::List(values) => Ok(values),
        other => Err(wrong_type("list", other)),
    }
}
