//! The functions that every template has. Source of the rules: <https://pkg.go.dev/text/template#hdr-Functions>.

use std::cmp::Ordering;

use super::error::Fault;
use super::format::format;
use super::print::display;
use super::value::{Key, Value};

/// Calls a built-in function, except those that decide which arguments are evaluated.
pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "not" => one(arguments).map(|value| Value::Bool(!value.is_true())),
        "len" => one(arguments).and_then(length),
        "index" => index(arguments),
        "slice" => slice(arguments),
        "print" => Ok(print(arguments).into()),
        "println" => Ok(print_line(arguments).into()),
        "printf" => printf(arguments),
        "html" => Ok(html(&text(arguments)).into()),
        "urlquery" => Ok(url_query(&text(arguments)).into()),
        "js" => Ok(javascript(&text(arguments)).into()),
        "eq" => equal_to_any(arguments),
        "ne" => two(arguments).and_then(|(one, other)| equal(one, other)).map(|same| Value::Bool(!same)),
        "lt" => compare(arguments, |order| order == Ordering::Less),
        "le" => compare(arguments, |order| order != Ordering::Greater),
        "gt" => compare(arguments, |order| order == Ordering::Greater),
        "ge" => compare(arguments, |order| order != Ordering::Less),
        _ => return None,
    })
}

fn one(arguments: &[Value]) -> Result<&Value, Fault> {
    match arguments {
        [only] => Ok(only),
        _ => Err(count(1, arguments)),
    }
}

fn two(arguments: &[Value]) -> Result<(&Value, &Value), Fault> {
    match arguments {
        [first, second] => Ok((first, second)),
        _ => Err(count(2, arguments)),
    }
}

fn count(expected: usize, arguments: &[Value]) -> Fault {
    Fault::error(format!("wrong number of args: want {expected} got {}", arguments.len()))
}

fn length(value: &Value) -> Result<Value, Fault> {
    let length = match value {
        Value::String(text) => text.len(),
        Value::List(values) => values.len(),
        Value::Map(entries) => entries.len(),
        Value::AnyMap(entries) => entries.len(),
        Value::Nil => return Err(Fault::error("len of nil pointer")),
        other => return Err(Fault::error(format!("len of type {}", other.type_name()))),
    };
    Ok(Value::Int(length_number(length)))
}

/// Nothing that fits into memory has more elements.
pub(crate) fn length_number(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn index(arguments: &[Value]) -> Result<Value, Fault> {
    let (value, keys) = arguments.split_first().ok_or_else(|| Fault::error("index of untyped nil"))?;
    let mut value = value.clone();
    for key in keys {
        value = match (&value, key) {
            (Value::List(values), Value::Int(at)) => element(values.len(), *at).map(|at| values[at].clone())?,
            (Value::String(text), Value::Int(at)) => {
                element(text.len(), *at).map(|at| Value::Int(text.as_bytes()[at].into()))?
            }
            (Value::Map(entries), Value::String(key)) => entries.get(&**key).cloned().unwrap_or_default(),
            (Value::AnyMap(entries), key) => match Key::new(key) {
                Some(key) => entries.get(&key).cloned().unwrap_or_default(),
                None => {
                    let message = format!("runtime error: hash of unhashable type {}", key.type_name());
                    return Err(Fault::error(message));
                }
            },
            (Value::Nil, _) => return Err(Fault::error("index of untyped nil")),
            (Value::List(_) | Value::String(_), other) => {
                return Err(Fault::error(format!("cannot index slice/array with type {}", other.type_name())));
            }
            (Value::Map(_), other) => {
                return Err(Fault::error(format!("value has type {}; should be string", other.type_name())));
            }
            (other, _) => return Err(Fault::error(format!("can't index item of type {}", other.type_name()))),
        };
    }
    Ok(value)
}

/// An index within a length.
fn element(length: usize, at: i64) -> Result<usize, Fault> {
    let index = usize::try_from(at).ok().filter(|index| *index < length);
    index.ok_or_else(|| Fault::error(format!("index out of range: {at}")))
}

fn slice(arguments: &[Value]) -> Result<Value, Fault> {
    let (value, bounds) = arguments.split_first().ok_or_else(|| Fault::error("slice of untyped nil"))?;
    let length = match value {
        Value::String(text) => text.len(),
        Value::List(values) => values.len(),
        other => return Err(Fault::error(format!("can't slice item of type {}", other.type_name()))),
    };
    let bound = |index: usize, default: usize| match bounds.get(index) {
        None => Ok(default),
        Some(Value::Int(at)) => {
            let bound = usize::try_from(*at).ok().filter(|bound| *bound <= length);
            bound.ok_or_else(|| Fault::error(format!("index out of range: {at}")))
        }
        Some(other) => Err(Fault::error(format!("cannot index slice/array with type {}", other.type_name()))),
    };
    let (start, end) = (bound(0, 0)?, bound(1, length)?);
    if start > end {
        return Err(Fault::error(format!("invalid slice index: {start} > {end}")));
    }
    match value {
        Value::String(text) => {
            let part = text.get(start..end).ok_or_else(|| Fault::NotHere("slice within a character".to_owned()))?;
            Ok(part.into())
        }
        Value::List(values) => Ok(Value::list(values.get(start..end).unwrap_or_default().to_vec())),
        _ => Ok(Value::Nil),
    }
}

/// The operands with blanks between those of which neither is a string.
fn print(arguments: &[Value]) -> String {
    let mut out = String::new();
    let mut was_text = true;
    for (index, value) in arguments.iter().enumerate() {
        let is_text = value.as_str().is_some();
        if index > 0 && !is_text && !was_text {
            out.push(' ');
        }
        out.push_str(&display(value));
        was_text = is_text;
    }
    out
}

fn print_line(arguments: &[Value]) -> String {
    let words: Vec<String> = arguments.iter().map(display).collect();
    format!("{}\n", words.join(" "))
}

fn printf(arguments: &[Value]) -> Result<Value, Fault> {
    match arguments.split_first() {
        Some((Value::String(pattern), rest)) => Ok(format(pattern, rest).into()),
        Some((other, _)) => {
            Err(Fault::error(format!("wrong type for value; expected string; got {}", other.type_name())))
        }
        None => Err(Fault::error("wrong number of args for printf: want at least 1 got 0")),
    }
}

/// The text of one string, or of several values as `print` has it.
fn text(arguments: &[Value]) -> String {
    match arguments {
        [Value::String(text)] => text.to_string(),
        [Value::Nil] => "<no value>".to_owned(),
        _ => print(arguments),
    }
}

/// Escapes the special characters of HTML.
fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("&#34;"),
            '\'' => out.push_str("&#39;"),
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\0' => out.push(char::REPLACEMENT_CHARACTER),
            other => out.push(other),
        }
    }
    out
}

/// Escapes a part of a query.
fn url_query(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            b' ' => out.push('+'),
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

/// Escapes the special characters of a JavaScript string.
fn javascript(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str(r"\\"),
            '\'' => out.push_str(r"\'"),
            '"' => out.push_str("\\\""),
            '<' | '>' | '&' | '=' => out.push_str(&format!("\\u{:04X}", u32::from(letter))),
            other if u32::from(other) < 32 => out.push_str(&format!("\\u{:04X}", u32::from(other))),
            other => out.push(other),
        }
    }
    out
}

fn equal_to_any(arguments: &[Value]) -> Result<Value, Fault> {
    let (first, others) = arguments.split_first().ok_or_else(|| count(1, arguments))?;
    if others.is_empty() {
        return Err(Fault::error("missing argument for comparison"));
    }
    for other in others {
        if equal(first, other)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}

fn equal(one: &Value, other: &Value) -> Result<bool, Fault> {
    let is_collection = |value: &Value| matches!(value, Value::List(_) | Value::Map(_) | Value::AnyMap(_));
    match (one, other) {
        (Value::Nil, Value::Nil) => Ok(true),
        (Value::Nil, _) | (_, Value::Nil) => Ok(false),
        (one, other) if is_collection(one) || is_collection(other) => {
            let uncomparable = if is_collection(one) { one } else { other };
            Err(Fault::error(format!("non-comparable type {}: {}", display(uncomparable), uncomparable.type_name())))
        }
        (one, other) if std::mem::discriminant(one) == std::mem::discriminant(other) => Ok(one == other),
        _ => Err(Fault::error("incompatible types for comparison")),
    }
}

fn compare(arguments: &[Value], holds: impl Fn(Ordering) -> bool) -> Result<Value, Fault> {
    let (one, other) = two(arguments)?;
    let order = match (one, other) {
        (Value::Int(one), Value::Int(other)) => Some(one.cmp(other)),
        (Value::Float(one), Value::Float(other)) => one.partial_cmp(other),
        (Value::String(one), Value::String(other)) => Some(one.cmp(other)),
        (Value::Bool(_) | Value::List(_) | Value::Map(_) | Value::AnyMap(_) | Value::Nil, _) => {
            return Err(Fault::error("invalid type for comparison"));
        }
        _ => return Err(Fault::error("incompatible types for comparison")),
    };
    // NaN is neither less nor greater than any number.
    Ok(Value::Bool(order.is_some_and(holds)))
}
