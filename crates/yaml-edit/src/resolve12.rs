//! Resolves the scalars of YAML 1.2 as ruamel.yaml 0.17 does, the Python parser that preserves comments.
//!
//! [`yaml`](hieratic_yaml) reads YAML 1.1 as Ruby does; files of Unfurl follow other rules. They are close to the core
//! schema of YAML 1.2 (<https://yaml.org/spec/1.2.2/#103-core-schema>), with liberties: underscores in numbers,
//! `0b101`, dates and times. A leading zero has no effect (`010` is ten). `yes`, `off` and `1:30` are strings.
//!
//! ```
//! use hieratic_yaml_edit::resolve12::plain_scalar;
//! use hieratic_value::Value;
//!
//! assert_eq!(plain_scalar("0o17"), Value::from(15));
//! assert_eq!(plain_scalar("017"), Value::from(17));
//! assert_eq!(plain_scalar("1e3"), Value::from(1000.0));
//! assert_eq!(plain_scalar("yes"), Value::from("yes"));
//! assert_eq!(plain_scalar("~"), Value::Undef);
//! ```
//!
//! # Errors of the reference
//!
//! Strings that have the form of a number but no digits (`0x_`, `._`), dates that do not exist (`2024-13-01`), and
//! strings that do not match their tag (`!!int abc`) are errors of Python in the reference. Here they stay strings.

pub(crate) mod resolve11;

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use hieratic_value::{Rich, Value};

use hieratic_json::number;

/// The type that the form of a plain scalar shows: its implicit tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScalarKind {
    Text,
    Null,
    Boolean(bool),
    Integer,
    Float,
    Timestamp,
}

/// Returns the value of a plain scalar. Dates and times are strings: see [`is_timestamp`].
pub fn plain_scalar(text: &str) -> Value {
    if let Some(small) = small_integer(text.as_bytes()) {
        return Value::Integer(small);
    }
    let value = match kind(text) {
        ScalarKind::Text | ScalarKind::Timestamp => None,
        ScalarKind::Null => Some(Value::Undef),
        ScalarKind::Boolean(truth) => Some(Value::Boolean(truth)),
        ScalarKind::Integer => integer(text),
        ScalarKind::Float => float(text),
    };
    value.unwrap_or_else(|| Value::from(text))
}

/// Returns the value of a scalar with a tag. The tag is written in full (`tag:yaml.org,2002:int`) or short (`!!int`).
///
/// An unknown tag, such as an application's or the tag of dates, does not change the string. With the tag `!`, the
/// string is resolved like a plain scalar. Without a tag, `quoted` decides: it is true for strings in quotes and for
/// block scalars.
///
/// ```
/// use hieratic_yaml_edit::resolve12::tagged_scalar;
/// use hieratic_value::Value;
///
/// assert_eq!(tagged_scalar("!!str", "12", false), Value::from("12"));
/// assert_eq!(tagged_scalar("tag:yaml.org,2002:int", "12", true), Value::from(12));
/// assert_eq!(tagged_scalar("!!bool", "off", false), Value::from(false));
/// assert_eq!(tagged_scalar("!secret", "12", false), Value::from("12"));
/// assert_eq!(tagged_scalar("", "12", true), Value::from("12"));
/// ```
pub fn tagged_scalar(tag: &str, text: &str, quoted: bool) -> Value {
    if tag == "!" || tag.is_empty() && !quoted {
        return plain_scalar(text);
    }
    let value = match tag.strip_prefix("tag:yaml.org,2002:").or_else(|| tag.strip_prefix("!!")) {
        Some("int") => integer(text.trim()),
        Some("float") => float(text.trim()),
        Some("bool") => boolean(text),
        Some("null") => Some(Value::Undef),
        Some("binary") => binary(text),
        _ => None,
    };
    value.unwrap_or_else(|| Value::from(text))
}

/// Returns whether a plain scalar has the form of a date or time (<https://yaml.org/type/timestamp.html>).
///
/// ```
/// use hieratic_yaml_edit::resolve12::is_timestamp;
///
/// assert!(is_timestamp("2024-02-29"));
/// assert!(is_timestamp("2024-2-9 10:00:00.5 +1:30"));
/// assert!(!is_timestamp("2024-2-9"));
/// ```
pub fn is_timestamp(text: &str) -> bool {
    kind(text) == ScalarKind::Timestamp
}

/// The type that the form shows. Most text is a string by its first byte.
pub(crate) fn kind(text: &str) -> ScalarKind {
    match text.as_bytes() {
        [] | b"~" | b"null" | b"Null" | b"NULL" => ScalarKind::Null,
        b"true" | b"True" | b"TRUE" => ScalarKind::Boolean(true),
        b"false" | b"False" | b"FALSE" => ScalarKind::Boolean(false),
        bytes @ [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => number_kind(bytes),
        _ => ScalarKind::Text,
    }
}

fn number_kind(bytes: &[u8]) -> ScalarKind {
    if is_float(bytes) {
        ScalarKind::Float
    } else if is_integer(bytes) {
        ScalarKind::Integer
    } else if is_date(bytes) || is_time(bytes) {
        ScalarKind::Timestamp
    } else {
        ScalarKind::Text
    }
}

/// The commonest numbers: up to 18 digits, no leading zero.
fn small_integer(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let number = digits.iter().fold(0i64, |number, digit| number * 10 + i64::from(digit - b'0'));
    Some(if negative { -number } else { number })
}

fn is_integer(bytes: &[u8]) -> bool {
    let all = |digits: &[u8], digit: fn(u8) -> bool| {
        !digits.is_empty() && digits.iter().all(|&byte| byte == b'_' || digit(byte))
    };
    match unsigned(bytes) {
        [b'0', b'b', digits @ ..] => all(digits, |byte| matches!(byte, b'0' | b'1')),
        [b'0', b'o', digits @ ..] => all(digits, |byte| matches!(byte, b'0'..=b'7')),
        [b'0', b'x', digits @ ..] => all(digits, |byte| byte.is_ascii_hexdigit()),
        digits => all(digits, |byte| byte.is_ascii_digit()),
    }
}

/// A fraction or an exponent makes a float. An exponent needs its sign if no digit is before the point.
fn is_float(bytes: &[u8]) -> bool {
    let unsigned = unsigned(bytes);
    if matches!(unsigned, b".inf" | b".Inf" | b".INF") || matches!(bytes, b".nan" | b".NaN" | b".NAN") {
        return true;
    }
    let mut rest = Rest(unsigned);
    if rest.one(|byte| byte.is_ascii_digit()) {
        rest.many(|byte| byte == b'_' || byte.is_ascii_digit());
        let fraction = rest.one(|byte| byte == b'.');
        if fraction {
            rest.many(|byte| byte == b'_' || byte.is_ascii_digit());
        }
        return fraction && rest.0.is_empty() || rest.exponent(false);
    }
    rest.one(|byte| byte == b'.')
        && rest.many(|byte| byte == b'_' || byte.is_ascii_digit()) > 0
        && (rest.0.is_empty() || rest.exponent(true))
}

fn is_date(bytes: &[u8]) -> bool {
    matches!(bytes, [year @ .., b'-', m1, m2, b'-', d1, d2]
        if year.len() == 4 && year.iter().chain([m1, m2, d1, d2]).all(u8::is_ascii_digit))
}

fn is_time(bytes: &[u8]) -> bool {
    let mut rest = Rest(bytes);
    let day = rest.digits(4, 4)
        && rest.one(|byte| byte == b'-')
        && rest.digits(1, 2)
        && rest.one(|byte| byte == b'-')
        && rest.digits(1, 2)
        && (rest.one(|byte| matches!(byte, b'T' | b't')) || rest.many(is_blank) > 0);
    let hour = day
        && rest.digits(1, 2)
        && rest.one(|byte| byte == b':')
        && rest.digits(2, 2)
        && rest.one(|byte| byte == b':')
        && rest.digits(2, 2);
    if !hour {
        return false;
    }
    if rest.one(|byte| byte == b'.') {
        rest.many(|byte| byte.is_ascii_digit());
    }
    if rest.0.is_empty() {
        return true;
    }
    rest.many(is_blank);
    let zone = rest.one(|byte| byte == b'Z')
        || rest.one(|byte| matches!(byte, b'-' | b'+'))
            && rest.digits(1, 2)
            && (!rest.one(|byte| byte == b':') || rest.digits(2, 2));
    zone && rest.0.is_empty()
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn unsigned(bytes: &[u8]) -> &[u8] {
    match bytes {
        [b'-' | b'+', rest @ ..] => rest,
        rest => rest,
    }
}

/// The rest of a string during a check of its form.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// Steps over one byte of a kind, if it is there.
    fn one(&mut self, kind: impl Fn(u8) -> bool) -> bool {
        match self.0 {
            [first, rest @ ..] if kind(*first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    /// Steps over all bytes of a kind, and counts them.
    fn many(&mut self, kind: impl Fn(u8) -> bool) -> usize {
        let count = self.0.iter().take_while(|&&byte| kind(byte)).count();
        self.0 = &self.0[count..];
        count
    }

    /// Steps over at most a number of digits. Returns whether there were enough.
    fn digits(&mut self, least: usize, most: usize) -> bool {
        let count = self.0.iter().take(most).take_while(|byte| byte.is_ascii_digit()).count();
        self.0 = &self.0[count..];
        count >= least
    }

    /// Returns whether the rest is an exponent.
    fn exponent(&mut self, signed: bool) -> bool {
        self.one(|byte| matches!(byte, b'e' | b'E'))
            && (self.one(|byte| matches!(byte, b'-' | b'+')) || !signed)
            && self.digits(1, usize::MAX)
            && self.0.is_empty()
    }
}

/// Parses an integer. Returns `None` for any other string, and for too many digits.
fn integer(text: &str) -> Option<Value> {
    let (negative, unsigned) = number::sign(text);
    let (digits, radix) = match unsigned.as_bytes() {
        [b'0', b'b', digits @ ..] => (digits, 2),
        [b'0', b'o', digits @ ..] => (digits, 8),
        [b'0', b'x', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    let digits: Vec<u8> = digits.iter().copied().filter(|&byte| byte != b'_').collect();
    if digits.is_empty() || !digits.iter().all(|&digit| char::from(digit).is_digit(radix)) {
        return None;
    }
    number::integer(negative, &digits, radix).ok()
}

/// Parses a float. Returns `None` for any other string.
fn float(text: &str) -> Option<Value> {
    let (negative, unsigned) = number::sign(text);
    let number = match unsigned.to_ascii_lowercase().as_str() {
        ".inf" => f64::INFINITY,
        ".nan" => f64::NAN,
        // Rust would read `inf` and `nan` too.
        digits if digits.starts_with(|first: char| first == '.' || first.is_ascii_digit()) => {
            digits.replace('_', "").parse().ok()?
        }
        _ => return None,
    };
    Some(Value::Float(if negative { -number } else { number }))
}

/// With a tag, the words of YAML 1.1 are booleans too: <https://yaml.org/type/bool.html>.
fn boolean(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        "y" | "yes" | "true" | "on" => Some(Value::Boolean(true)),
        "n" | "no" | "false" | "off" => Some(Value::Boolean(false)),
        _ => None,
    }
}

/// Base 64, <https://yaml.org/type/binary.html>. Characters that are not digits are skipped; the padding must be
/// complete.
fn binary(text: &str) -> Option<Value> {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireNone)
        .with_decode_allow_trailing_bits(true);
    if !text.is_ascii() {
        return None;
    }
    let mut digits = Vec::with_capacity(text.len());
    let (mut padding, mut ended) = (0, false);
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' => {
                digits.push(byte);
                padding = 0;
            }
            b'=' if digits.len() % 4 >= 2 => {
                padding += 1;
                ended = digits.len() % 4 + padding == 4;
                if ended {
                    break;
                }
            }
            _ => {}
        }
    }
    if !ended && digits.len() % 4 != 0 {
        return None;
    }
    let bytes = GeneralPurpose::new(&base64::alphabet::STANDARD, config).decode(&digits).ok()?;
    Some(Rich::Binary(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_yaml_1_2() {
        for (text, meaning) in [
            ("", "nil"),
            ("NULL", "nil"),
            ("nULL", "\"nULL\""),
            ("True", "true"),
            ("tRUE", "\"tRUE\""),
            ("no", "\"no\""),
            ("<<", "\"<<\""),
            ("=", "\"=\""),
        ] {
            assert_eq!(plain_scalar(text).inspect(), meaning, "{text:?}");
        }
    }

    #[test]
    fn numbers_may_have_underscores_and_leading_zeros() {
        for (text, meaning) in [
            ("0", "0"),
            ("-0", "0"),
            ("08", "8"),
            ("+1__0_", "10"),
            ("+_1", "1"),
            ("_1", "\"_1\""),
            ("-0x_fF", "-255"),
            ("0X1", "\"0X1\""),
            ("0o8", "\"0o8\""),
            ("0b_", "\"0b_\""),
            ("123456789012345678901", "123456789012345678901"),
            ("1_0e3", "10000.0"),
            ("1.e+2", "100.0"),
            (".5", "0.5"),
            (".5e3", "\".5e3\""),
            ("+.5e+3", "500.0"),
            ("._", "\"._\""),
            ("1e400", "Infinity"),
            ("-.Inf", "-Infinity"),
            ("+.nan", "\"+.nan\""),
            ("-0.0", "-0.0"),
            ("1:30", "\"1:30\""),
            ("1,000", "\"1,000\""),
        ] {
            assert_eq!(plain_scalar(text).inspect(), meaning, "{text:?}");
        }
        let long = "1".repeat(number::MAX_DIGITS + 1);
        assert_eq!(plain_scalar(&long), Value::from(long.as_str()));
    }

    #[test]
    fn tags_decide() {
        for (tag, text, meaning) in [
            ("!!float", "3", "3.0"),
            ("!!float", "nan", "\"nan\""),
            ("!!int", " 12 ", "12"),
            ("!!int", "abc", "\"abc\""),
            ("!!null", "x", "nil"),
            ("!!timestamp", "2024-01-01", "\"2024-01-01\""),
            ("!", "12", "12"),
        ] {
            assert_eq!(tagged_scalar(tag, text, true).inspect(), meaning, "{tag} {text:?}");
        }
    }

    #[test]
    fn base_64_must_be_complete() {
        let bytes = |bytes: &[u8]| Value::from(Rich::Binary(bytes.to_vec()));
        for (text, value) in [
            ("aGVsbG8=", bytes(b"hello")),
            ("aG=Vs\nbG8= more", bytes(b"hello")),
            ("=aGVs", bytes(b"hel")),
            ("", bytes(b"")),
            ("aGVsbG8", Value::from("aGVsbG8")),
            ("aGVsbG9\u{e9}", Value::from("aGVsbG9\u{e9}")),
        ] {
            assert_eq!(tagged_scalar("!!binary", text, false), value, "{text:?}");
        }
    }
}
