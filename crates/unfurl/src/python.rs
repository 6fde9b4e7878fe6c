//! What Python makes of texts and values, where the reference relies on it.

use hieratic_value::{Hash, Rich, Value};
use num_bigint::BigInt;

/// Whether `str.strip` drops the character.
pub(crate) fn is_white(c: char) -> bool {
    c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c)
}

/// `str.strip`.
pub(crate) fn strip(text: &str) -> &str {
    text.trim_matches(is_white)
}

/// `int(text)`: digits with single underscores between them, a sign, white space around.
pub(crate) fn integer(text: &str) -> Option<BigInt> {
    digits_joined(strip(text))
        .filter(|text| text.trim_start_matches(['+', '-']).bytes().all(|b| b.is_ascii_digit()))
        .and_then(|text| text.parse().ok())
}

/// `float(text)`.
pub(crate) fn float(text: &str) -> Option<f64> {
    let text = digits_joined(strip(text))?;
    let bare = text.trim_start_matches(['+', '-']).to_ascii_lowercase();
    let named = matches!(bare.as_str(), "inf" | "infinity" | "nan");
    let plain = bare.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'+' | b'-'));
    (named || plain).then(|| text.parse().ok()).flatten()
}

/// The text without its underscores, if each stands between digits.
fn digits_joined(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let fits = |at: usize| digit(at.checked_sub(1)) && digit(at.checked_add(1));
    let good = bytes.iter().enumerate().all(|(at, byte)| *byte != b'_' || fits(at));
    good.then(|| text.replace('_', ""))
}

/// `bool(value)`.
pub(crate) fn truthy(value: &Value) -> bool {
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
pub(crate) fn equal(one: &Value, other: &Value) -> bool {
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
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => text(inner),
            _ => value.to_text(),
        },
        other => repr(other),
    }
}

/// `repr(value)`.
pub(crate) fn repr(value: &Value) -> String {
    let mut out = String::new();
    write_repr(value, &mut out);
    out
}

fn write_repr(value: &Value, out: &mut String) {
    match value {
        Value::Undef => out.push_str("None"),
        Value::Boolean(true) => out.push_str("True"),
        Value::Boolean(false) => out.push_str("False"),
        Value::Integer(number) => out.push_str(&number.to_string()),
        Value::Float(number) => out.push_str(&float_text(*number)),
        Value::String(text) => quoted(text, out),
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

/// A float as `repr` writes it: the shortest text that reads as the same, with an exponent from 16 digits on.
fn float_text(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf".into() } else { "-inf".into() };
    }
    let magnitude = number.abs();
    if magnitude != 0.0 && !(1e-4..1e16).contains(&magnitude) {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let (sign, digits) = match exponent.strip_prefix('-') {
            Some(digits) => ('-', digits),
            None => ('+', exponent),
        };
        return format!("{mantissa}e{sign}{digits:0>2}");
    }
    let text = number.to_string();
    if text.contains('.') { text } else { format!("{text}.0") }
}

fn quoted(text: &str, out: &mut String) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 || (0x7f..0xa1).contains(&(c as u32)) => {
                out.push_str(&format!("\\x{:02x}", c as u32))
            }
            c => out.push(c),
        }
    }
    out.push(quote);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_python_reads_them() {
        for (text, number) in [("5", 5), (" -1 ", -1), ("+7", 7), ("1_0", 10), ("007", 7)] {
            assert_eq!(integer(text), Some(number.into()), "{text}");
        }
        for text in ["", "5.0", "_5", "5_", "1__0", "x", "--1", "+", "0x5", "١x"] {
            assert_eq!(integer(text), None, "{text}");
        }
        assert_eq!(
            [float("1e3"), float(" 2.5"), float("-inf"), float("x"), float("1_0.5")],
            [Some(1000.0), Some(2.5), Some(f64::NEG_INFINITY), None, Some(10.5)]
        );
    }

    #[test]
    fn values_are_written_as_python_writes_them() {
        let list = Value::from(vec![Value::Undef, true.into(), 1.5.into(), "a'b".into(), "\n".into()]);
        assert_eq!(text(&list), r#"[None, True, 1.5, "a'b", '\n']"#);
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
