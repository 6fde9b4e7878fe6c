//! Conversions, types and tests of values.

use super::{exactly, text_of};
use crate::eval::{Fault, Value, display};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "toString" => exactly::<1>(arguments).map(|[value]| string(value).into()),
        "toStrings" => {
            exactly::<1>(arguments).map(|[value]| Value::list(strings(value).into_iter().map(Value::from).collect()))
        }
        "int" | "int64" => exactly::<1>(arguments).map(|[value]| Value::Int(integer(value))),
        // Anything but an integer is 0.
        "atoi" => exactly::<1>(arguments).and_then(|[text]| Ok(Value::Int(text_of(text)?.parse().unwrap_or(0)))),
        "float64" => exactly::<1>(arguments).map(|[value]| Value::Float(number(value))),
        "toDecimal" => {
            exactly::<1>(arguments).map(|[value]| Value::Int(i64::from_str_radix(&string(value), 8).unwrap_or(0)))
        }
        "empty" => exactly::<1>(arguments).map(|[value]| Value::Bool(!value.is_true())),
        "default" => default(arguments),
        "coalesce" => Ok(arguments.iter().find(|value| value.is_true()).cloned().unwrap_or_default()),
        "all" => Ok(Value::Bool(arguments.iter().all(Value::is_true))),
        "any" => Ok(Value::Bool(arguments.iter().any(Value::is_true))),
        "ternary" => ternary(arguments),
        "fail" => exactly::<1>(arguments).and_then(|[text]| Err(Fault::error(text_of(text)?))),
        "typeOf" => exactly::<1>(arguments).map(|[value]| value.type_name().into()),
        "kindOf" => exactly::<1>(arguments).map(|[value]| value.kind_name().into()),
        "typeIs" | "typeIsLike" => {
            exactly::<2>(arguments).and_then(|[name, value]| Ok(Value::Bool(text_of(name)? == value.type_name())))
        }
        "kindIs" => {
            exactly::<2>(arguments).and_then(|[name, value]| Ok(Value::Bool(text_of(name)? == value.kind_name())))
        }
        "deepEqual" => exactly::<2>(arguments).map(|[one, other]| Value::Bool(one == other)),
        "deepCopy" | "mustDeepCopy" => exactly::<1>(arguments).and_then(|[value]| match value {
            Value::Nil => Err(Fault::error("reflect: call of reflect.Value.Type on zero Value")),
            value => Ok(value.clone()),
        }),
        _ => return None,
    })
}

/// A default for an empty value.
fn default(arguments: &[Value]) -> Result<Value, Fault> {
    match arguments {
        [] => Err(super::count(arguments, 1)),
        [default] => Ok(default.clone()),
        [default, value, ..] => Ok(if value.is_true() { value.clone() } else { default.clone() }),
    }
}

fn ternary(arguments: &[Value]) -> Result<Value, Fault> {
    let [yes, no, condition] = exactly::<3>(arguments)?;
    match condition {
        Value::Bool(true) => Ok(yes.clone()),
        Value::Bool(false) => Ok(no.clone()),
        other => Err(super::wrong_type("bool", other)),
    }
}

/// A value as a string: its text, or what `%v` prints.
pub(crate) fn string(value: &Value) -> String {
    display(value)
}

/// The elements of a list as strings, without those that are nil; any other value alone.
pub(super) fn strings(value: &Value) -> Vec<String> {
    match value {
        Value::List(values) => values.iter().filter(|value| **value != Value::Nil).map(string).collect(),
        Value::Nil => Vec::new(),
        other => vec![string(other)],
    }
}

/// Converts a value to an integer; 0 if it is not a number.
pub(crate) fn integer(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        Value::Float(number) => whole(*number),
        Value::Bool(truth) => i64::from(*truth),
        Value::String(text) => text_integer(text),
        Value::Nil | Value::List(_) | Value::Map(_) | Value::AnyMap(_) => 0,
    }
}

/// The whole part of a number. One that an integer does not hold becomes the smallest integer, as processors convert it.
fn whole(number: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&number) { number as i64 } else { i64::MIN }
}

/// A string as an integer: zeros in front do not make it octal, and a part after a point that is zero is left out.
fn text_integer(text: &str) -> i64 {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let lower = digits.to_ascii_lowercase();
    let based = [("0x", 16), ("0b", 2), ("0o", 8)]
        .into_iter()
        .find_map(|(prefix, base)| Some((lower.strip_prefix(prefix)?, base)));
    let (digits, base) = match based {
        Some(found) => found,
        None => {
            let whole = match digits.split_once('.') {
                Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|zero| zero == b'0') => whole,
                _ => digits,
            };
            let trimmed = whole.trim_start_matches('0');
            (if trimmed.is_empty() && !whole.is_empty() { "0" } else { trimmed }, 10)
        }
    };
    // Anything but an integer is 0.
    i64::from_str_radix(&format!("{sign}{digits}"), base).unwrap_or(0)
}

/// Converts a value to a floating-point number; 0 if it is not a number.
pub(crate) fn number(value: &Value) -> f64 {
    match value {
        Value::Int(number) => *number as f64,
        Value::Float(number) => *number,
        Value::Bool(truth) => f64::from(u8::from(*truth)),
        Value::String(text) => text.parse().unwrap_or(0.0),
        Value::Nil | Value::List(_) | Value::Map(_) | Value::AnyMap(_) => 0.0,
    }
}
