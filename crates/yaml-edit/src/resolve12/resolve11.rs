//! The plain scalars of a document with the directive `%YAML 1.1`.
//!
//! `yes`, `off` and `n` are booleans, a leading zero makes a number octal, and `1:30` is 90 (<https://yaml.org/type/>).
//! Everything else is as in YAML 1.2.

use hieratic_value::Value;

use super::{Rest, ScalarKind, boolean, float, integer, is_float, kind, unsigned};
use hieratic_json::number;

/// The value of a plain scalar.
pub(crate) fn plain_scalar(text: &str) -> Value {
    meaning(text).unwrap_or_else(|| Value::from(text))
}

fn meaning(text: &str) -> Option<Value> {
    if is_boolean(text) {
        return boolean(text);
    }
    let bytes = text.as_bytes();
    if !matches!(bytes, [b'0'..=b'9' | b'+' | b'-' | b'.', ..]) {
        return match kind(text) {
            ScalarKind::Null => Some(Value::Undef),
            _ => None,
        };
    }
    if let [b'+' | b'-', b'.', rest @ ..] = bytes
        && !matches!(rest, b"inf" | b"Inf" | b"INF")
    {
        return None;
    }
    if is_float(bytes) {
        return float(text);
    }
    if let Some((whole, rest)) = unsigned_text(text).split_once(':') {
        return sexagesimal(text, whole, rest);
    }
    is_integer(unsigned(bytes)).then(|| octal_or_other(text)).flatten()
}

fn unsigned_text(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn is_boolean(text: &str) -> bool {
    matches!(text, "y" | "Y" | "n" | "N")
        || [["yes", "Yes", "YES"], ["no", "No", "NO"], ["on", "On", "ON"], ["off", "Off", "OFF"]]
            .concat()
            .contains(&text)
        || matches!(text, "true" | "True" | "TRUE" | "false" | "False" | "FALSE")
}

fn is_integer(unsigned: &[u8]) -> bool {
    let all = |digits: &[u8], digit: fn(&u8) -> bool| {
        !digits.is_empty() && digits.iter().all(|byte| *byte == b'_' || digit(byte))
    };
    match unsigned {
        [b'0', b'b', digits @ ..] => all(digits, |byte| matches!(byte, b'0' | b'1')),
        [b'0', b'x', digits @ ..] => all(digits, u8::is_ascii_hexdigit),
        digits => {
            all(digits, |byte| matches!(byte, b'0'..=b'7'))
                || matches!(digits, [b'1'..=b'9', ..]) && all(digits, u8::is_ascii_digit)
        }
    }
}

fn octal_or_other(text: &str) -> Option<Value> {
    let (negative, unsigned) = number::sign(text);
    let digits: Vec<u8> = unsigned.bytes().filter(|byte| *byte != b'_').collect();
    match digits.as_slice() {
        [b'0', b'b' | b'x', ..] => integer(text),
        [b'0', octal @ ..] if !octal.is_empty() => number::integer(negative, octal, 8).ok(),
        _ => integer(text),
    }
}

/// `1:30` and `1:30.5`: minutes and seconds, hours before them.
fn sexagesimal(text: &str, whole: &str, rest: &str) -> Option<Value> {
    let (parts, fraction) = match rest.split_once('.') {
        Some((parts, fraction)) => (parts, Some(fraction)),
        None => (rest, None),
    };
    let is_part = |part: &str| {
        let mut rest = Rest(part.as_bytes());
        rest.digits(1, 2) && rest.0.is_empty() && (part.len() == 1 || part.as_bytes() < b"6".as_slice())
    };
    let is_whole = match fraction {
        Some(_) => whole.starts_with(|first: char| first.is_ascii_digit()),
        None => whole.starts_with(|first: char| matches!(first, '1'..='9')),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte == b'_' || byte.is_ascii_digit());
    if !is_whole || !digits(whole) || !fraction.is_none_or(digits) || !parts.split(':').all(is_part) {
        return None;
    }
    let whole = whole.replace('_', "");
    let negative = text.starts_with('-');
    let Some(fraction) = fraction else {
        let parts = std::iter::once(&*whole).chain(parts.split(':'));
        let number = parts
            .map(|part| part.parse::<i64>().ok())
            .try_fold(0i64, |number, part| number.checked_mul(60)?.checked_add(part?))?;
        return Some(Value::Integer(if negative { -number } else { number }));
    };
    let last = |part: &str| format!("{part}.{}", fraction.replace('_', ""));
    let mut parts: Vec<String> = std::iter::once(&*whole).chain(parts.split(':')).map(str::to_owned).collect();
    if let Some(seconds) = parts.last_mut() {
        *seconds = last(seconds);
    }
    let mut number = 0.0;
    let mut base = 1.0;
    for part in parts.iter().rev() {
        number += part.parse::<f64>().ok()? * base;
        base *= 60.0;
    }
    Some(Value::Float(if negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_numbers_are_those_of_yaml_1_1() {
        for (text, meaning) in [
            ("yes", "true"),
            ("yEs", "\"yEs\""),
            ("n", "false"),
            ("~", "nil"),
            ("010", "8"),
            ("08", "\"08\""),
            ("0o7", "\"0o7\""),
            ("-0_1_0", "-8"),
            ("0x1F", "31"),
            ("1_000", "1000"),
            ("1:30", "90"),
            ("-1:30:00", "-5400"),
            ("0:30", "\"0:30\""),
            ("1:60", "\"1:60\""),
            ("1:30.5", "90.5"),
            ("0:30.", "30.0"),
            ("+.5", "\"+.5\""),
            (".5", "0.5"),
            ("-.inf", "-Infinity"),
            ("1e3", "1000.0"),
            ("0", "0"),
            ("text", "\"text\""),
        ] {
            assert_eq!(plain_scalar(text).inspect(), meaning, "{text:?}");
        }
    }
}
