//! Escaped strings, whose special characters are entities, and the results of operators and methods on them:
//! <https://markupsafe.palletsprojects.com/en/stable/escaping/>.

use minijinja::Value;

use crate::call::Args;
use crate::error::Result;
use crate::objects::{Dict, List, Markup, Tuple};
use crate::python::arithmetic::{self, Operator};
use crate::python::kind::entries;
use crate::python::{Kind, iterate, kind};

/// Replaces the special characters of a string by entities.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape_into(&mut out, text);
    out
}

/// Appends the escaped form of `text` to a string.
pub fn escape_into(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'&' | b'<' | b'>' | b'\'' | b'"')) {
        let (before, special) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match special.as_bytes().first() {
            Some(b'&') => "&amp;",
            Some(b'<') => "&lt;",
            Some(b'>') => "&gt;",
            Some(b'\'') => "&#39;",
            _ => "&#34;",
        });
        rest = special.get(1..).unwrap_or_default();
    }
    out.push_str(rest);
}

/// Marks a result, with all its parts, as escaped if the string from which it was computed is escaped.
pub fn like(of: &Value, result: Value) -> Value {
    if Markup::is(of) { all_marked(result) } else { result }
}

/// Marks a string as escaped, or each part of a list of strings.
pub fn all_marked(result: Value) -> Value {
    match (result.downcast_object_ref::<List>(), result.downcast_object_ref::<Tuple>()) {
        (Some(list), _) => List::value(list.read().iter().cloned().map(marked).collect()),
        (None, Some(tuple)) => Tuple::value(tuple.items().iter().cloned().map(marked).collect()),
        (None, None) => marked(result),
    }
}

/// Prepares the arguments of a method of an escaped string. Those that `join`, `format` and `replace` insert are
/// escaped.
pub fn escaped_arguments(method: &str, mut args: Args) -> Result<Args> {
    let escape = |value: &mut Value| {
        let text = match (value.downcast_object_ref::<Markup>(), value.as_str()) {
            (Some(Markup(text)), _) => Value::from(text.clone()),
            (None, Some(text)) => Value::from(escaped(text)),
            (None, None) => return,
        };
        *value = text;
    };
    match method {
        "format" => args.positional.iter_mut().chain(args.named.iter_mut().map(|(_, value)| value)).for_each(escape),
        "replace" => args.positional.iter_mut().skip(1).for_each(escape),
        "join" => {
            if let Some(items) = args.positional.first_mut() {
                let mut parts = iterate(items)?;
                parts.iter_mut().for_each(escape);
                *items = List::value(parts);
            }
        }
        _ => {}
    }
    Ok(args.plain())
}

/// Marks a string as escaped.
pub fn marked(value: Value) -> Value {
    match value.as_str() {
        Some(text) => Markup::value(text),
        None => value,
    }
}

/// Evaluates an arithmetic operator. The result is escaped if an operand is.
#[inline]
pub fn operation(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    if let Some(result) = arithmetic::small_result(operator, left, right) {
        return Ok(result);
    }
    if Markup::is(left) || Markup::is(right) {
        operation_on_escaped(operator, left, right)
    } else {
        arithmetic::apply(operator, left, right)
    }
}

/// Evaluates `+`, `%` and `*` with an escaped operand: the other operand is escaped first.
fn operation_on_escaped(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    let escape = |value: &Value| match (value.downcast_object_ref::<Markup>(), kind(value)?) {
        (Some(Markup(text)), _) => Ok::<_, minijinja::Error>(Value::from(text.clone())),
        (None, Kind::Str(text)) => Ok(Value::from(escaped(text))),
        _ => Ok(value.clone()),
    };
    let right = match (operator, right.downcast_object_ref::<Tuple>()) {
        (Operator::Modulo, Some(items)) => Tuple::value(items.items().iter().map(escape).collect::<Result<_>>()?),
        (Operator::Modulo, None) if matches!(kind(right)?, Kind::Dict) => {
            let entries = entries(right)?.into_iter();
            Dict::value(entries.map(|(key, value)| Ok((key, escape(&value)?))).collect::<Result<_>>()?)
        }
        (Operator::Modulo, None) if !Markup::is(left) => Markup::plain(right.clone()),
        _ => escape(right)?,
    };
    let result = arithmetic::apply(operator, &escape(left)?, &right)?;
    Ok(marked(result))
}
