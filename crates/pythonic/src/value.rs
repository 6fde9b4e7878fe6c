//! Values: [`repr`], [`text`], [`truthy`], [`equal`].

use hieratic_value::{Hash, Rich, Value};

use crate::{quote, quote_bytes, write_float};

/// `bool(value)`.
pub fn truthy(value: &Value) -> bool {
    match value {
        Value::Undef => false,
        Value::Boolean(truth) => *truth,
        Value::Integer(number) => *number != 0,
        Value::Float(number) => *number != 0.0,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Hash(hash) => !hash.is_empty(),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => truthy(inner),
            _ => true,
        },
    }
}

/// `one == other`: numbers and truths by what they are worth, collections by their parts.
pub fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other.iter()).all(|(one, other)| equal(one, other))
        }
        (Value::Hash(one), Value::Hash(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get_value(key).is_some_and(|other| equal(value, other)))
        }
        (Value::Rich(rich), other) | (other, Value::Rich(rich)) => match &**rich {
            Rich::Sensitive(inner) => equal(inner, other),
            _ => one == other || matches!((number(one), number(other)), (Some(one), Some(other)) if one == other),
        },
        (
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_),
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_),
        ) => match (exact(one), exact(other)) {
            (Some(one), Some(other)) => one == other,
            _ => number(one) == number(other),
        },
        _ => one == other,
    }
}

fn exact(value: &Value) -> Option<i64> {
    match value {
        Value::Boolean(truth) => Some(i64::from(*truth)),
        Value::Integer(number) => Some(*number),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        // Beyond 53 bits the nearest double is what an integer is compared by here; Python compares exactly there.
        Value::Integer(number) => Some(*number as f64),
        Value::Float(number) => Some(*number),
        Value::Boolean(truth) => Some(f64::from(u8::from(*truth))),
        _ => None,
    }
}

/// `str(value)`.
pub fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => text(inner),
            Rich::Binary(_) => repr(value),
            _ => value.to_text(),
        },
        other => repr(other),
    }
}

/// `repr(value)`.
pub fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::Undef => out.push_str("None"),
        Value::Boolean(true) => out.push_str("True"),
        Value::Boolean(false) => out.push_str("False"),
        Value::Integer(number) => out.push_str(itoa::Buffer::new().format(*number)),
        Value::Float(number) => write_float(out, *number),
        Value::String(text) => quote(out, text),
        Value::Array(items) => {
            out.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write_repr(item, out);
            }
            out.push(']');
        }
        Value::Hash(hash) => write_map(hash, out),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => write_repr(inner, out),
            Rich::Binary(bytes) => quote_bytes(out, bytes),
            _ => out.push_str(&value.to_text()),
        },
    }
}

fn write_map(hash: &Hash, out: &mut String) {
    out.push('{');
    for (at, (key, value)) in hash.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        write_repr(key, out);
        out.push_str(": ");
        write_repr(value, out);
    }
    out.push('}');
}

/// The `repr` of a list of these.
pub fn list<'v>(elements: impl IntoIterator<Item = &'v Value>) -> String {
    format!("[{}]", joined(elements))
}

/// The `repr` of a tuple of these.
///
/// ```
/// assert_eq!(hieratic_pythonic::tuple(&["a".into()]), "('a',)");
/// ```
pub fn tuple(elements: &[Value]) -> String {
    let behind = if elements.len() == 1 { "," } else { "" };
    format!("({}{behind})", joined(elements))
}

fn joined<'v>(elements: impl IntoIterator<Item = &'v Value>) -> String {
    elements.into_iter().map(repr).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_python_writes_them() {
        let list = Value::from(vec![Value::Undef, true.into(), 1.5.into(), "a'b".into(), "\n".into()]);
        assert_eq!(text(&list), r#"[None, True, 1.5, "a'b", '\n']"#);
        assert_eq!(repr(&"\u{ad}\u{200b}".into()), r"'\xad\u200b'");
        assert_eq!(text(&Rich::Binary(vec![b'a', 0xff]).into()), r"b'a\xff'");
        for (number, expected) in [(1e16, "1e+16"), (1.0, "1.0"), (1e-5, "1e-05"), (123456.75, "123456.75")] {
            assert_eq!(text(&Value::Float(number)), expected);
        }
    }

    #[test]
    fn numbers_are_equal_by_worth() {
        assert!(equal(&Value::from(1), &Value::from(1.0)) && equal(&Value::from(true), &Value::from(1)));
        assert!(!equal(&Value::from("1"), &Value::from(1)) && !equal(&Value::Undef, &Value::from(false)));
    }
}
