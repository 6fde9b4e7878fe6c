//! Values: [`repr`], [`text`], [`truthy`], [`equal`].

use std::cmp::Ordering;
use std::convert::Infallible;

use hieratic_value::{Rich, Value};

use crate::{quote, quote_bytes, write_dict, write_float, write_list, write_tuple};

/// Python's `bool(value)`.
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

/// Python's `one == other`: compares numbers and booleans by their numeric value, and collections by their elements.
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
            _ => one == other,
        },
        (
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_),
            Value::Boolean(_) | Value::Integer(_) | Value::Float(_),
        ) => as_number(one).compare(&as_number(other)) == Some(Ordering::Equal),
        _ => one == other,
    }
}

/// Returns a boolean as a number; any other value is unchanged.
fn as_number(value: &Value) -> Value {
    match value {
        Value::Boolean(truth) => i64::from(*truth).into(),
        other => other.clone(),
    }
}

/// Python's `str(value)`.
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

/// Python's `repr(value)`.
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
        Value::Array(items) => always(write_list(out, items.iter(), write_part)),
        Value::Hash(hash) => always(write_dict(out, hash.iter(), write_part)),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => write_repr(inner, out),
            Rich::Binary(bytes) => quote_bytes(out, bytes),
            _ => out.push_str(&value.to_text()),
        },
    }
}

fn write_part(out: &mut String, value: &Value) -> Result<(), Infallible> {
    write_repr(value, out);
    Ok(())
}

/// Unwraps a result that cannot be an error.
fn always(written: Result<(), Infallible>) {
    let Ok(()) = written;
}

/// Returns the `repr` of a list of these elements.
pub fn list<'v>(elements: impl IntoIterator<Item = &'v Value>) -> String {
    let mut out = String::new();
    always(write_list(&mut out, elements, write_part));
    out
}

/// Returns the `repr` of a tuple of these elements.
///
/// ```
/// assert_eq!(hieratic_python_values::tuple(&["a".into()]), "('a',)");
/// ```
pub fn tuple(elements: &[Value]) -> String {
    let mut out = String::new();
    always(write_tuple(&mut out, elements, write_part));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_pythons_repr() {
        let list = Value::from(vec![Value::Undef, true.into(), 1.5.into(), "a'b".into(), "\n".into()]);
        assert_eq!(text(&list), r#"[None, True, 1.5, "a'b", '\n']"#);
        assert_eq!(repr(&"\u{ad}\u{200b}".into()), r"'\xad\u200b'");
        assert_eq!(text(&Rich::Binary(vec![b'a', 0xff]).into()), r"b'a\xff'");
        for (number, expected) in [(1e16, "1e+16"), (1.0, "1.0"), (1e-5, "1e-05"), (123456.75, "123456.75")] {
            assert_eq!(text(&Value::Float(number)), expected);
        }
    }

    #[test]
    fn numbers_compare_by_value() {
        assert!(equal(&Value::from(1), &Value::from(1.0)) && equal(&Value::from(true), &Value::from(1)));
        assert!(equal(&Value::from(true), &Value::from(1.0)) && !equal(&Value::from(1), &Value::from(1.5)));
        // There is no float between these integers.
        assert!(!equal(&Value::from(9_007_199_254_740_993_i64), &Value::from(9_007_199_254_740_992.0)));
        assert!(!equal(&Value::from(1), &Value::from(f64::NAN)));
        assert!(!equal(&Value::from("1"), &Value::from(1)) && !equal(&Value::Undef, &Value::from(false)));
    }
}
