//! The order of the elements of a set.
//!
//! Strings are ordered by their bytes, numbers by size, false before true, nulls last. Compound values are ordered by a
//! deterministic string without meaning.

use std::cmp::Ordering;

use crate::{Type, Value, quoted};

/// Sorts the distinct elements of a set.
pub(crate) fn sort(element: &Type, items: &mut [Value]) {
    match element {
        Type::String | Type::Number | Type::Bool => items.sort_by(primitive),
        _ => items.sort_by_cached_key(|item| {
            let rank = match item {
                Value::Null(_) => 2,
                Value::Unknown(_) => 1,
                _ => 0,
            };
            let mut form = String::new();
            write(item, &mut form);
            (rank, form)
        }),
    }
}

fn primitive(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::String(a), Value::String(b)) => a.cmp(b),
        (Value::Number(a), Value::Number(b)) => a.cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
        (Value::Null(_), Value::Null(_)) | (Value::Unknown(_), Value::Unknown(_)) => Ordering::Equal,
        (Value::Null(_), _) => Ordering::Greater,
        (_, Value::Null(_)) => Ordering::Less,
        (Value::Unknown(_), _) => Ordering::Greater,
        (_, Value::Unknown(_)) => Ordering::Less,
        _ => Ordering::Equal,
    }
}

fn write(value: &Value, to: &mut String) {
    match value {
        Value::Unknown(_) => to.push('?'),
        Value::Null(_) => to.push('~'),
        Value::Bool(true) => to.push('T'),
        Value::Bool(false) => to.push('F'),
        Value::Number(number) => to.push_str(&number.to_short(10)),
        Value::String(text) => to.push_str(&quoted(text)),
        Value::Map(map) => {
            to.push('{');
            for (key, value) in map.entries.entries() {
                to.push_str(&quoted(key));
                to.push(':');
                write(value, to);
                to.push(';');
            }
            to.push('}');
        }
        Value::List(_) | Value::Set(_) => around('[', value, ']', to),
        Value::Tuple(_) | Value::Object(_) => around('<', value, '>', to),
    }
}

fn around(open: char, value: &Value, close: char, to: &mut String) {
    to.push(open);
    for element in value.elements() {
        write(element, to);
        to.push(';');
    }
    to.push(close);
}
