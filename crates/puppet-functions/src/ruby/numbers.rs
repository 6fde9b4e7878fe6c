//! Numbers in strings: `to_i` and `to_f` read a prefix, `Integer()` and `Float()` the whole string.

use hieratic_value::{BigInt, Rich, Value};

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|c: char| u8::try_from(c).is_ok_and(is_space))
}

fn trimmed_start(text: &str) -> &str {
    text.trim_start_matches(|c: char| u8::try_from(c).is_ok_and(is_space))
}

fn split_sign(text: &str) -> (&str, &str) {
    match text.as_bytes().first() {
        Some(b'-' | b'+') => text.split_at(1),
        _ => ("", text),
    }
}

/// Returns the number of leading bytes that are digits with single underscores between them.
fn digits(text: &str, is_digit: impl Fn(u8) -> bool) -> usize {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() {
        let joins = bytes[end] == b'_' && end > 0 && bytes.get(end + 1).is_some_and(|next| is_digit(*next));
        if !is_digit(bytes[end]) && !joins {
            break;
        }
        end += 1;
    }
    end
}

fn big(sign: &str, digits: &str, radix: u32) -> Option<Value> {
    let digits: Vec<u8> = digits.bytes().filter(|byte| *byte != b'_').collect();
    let number = BigInt::parse_bytes(&digits, radix)?;
    Some(Value::from(Rich::BigInteger(if sign == "-" { -number } else { number })))
}

/// Parses the integer at the start of a string, or returns zero. Ruby's `String#to_i`.
pub(crate) fn to_i(text: &str) -> Value {
    let (sign, rest) = split_sign(trimmed_start(text));
    let end = digits(rest, |byte| byte.is_ascii_digit());
    big(sign, &rest[..end], 10).unwrap_or(Value::Integer(0))
}

/// Returns the length of the decimal number at the start: digits, a fraction, an exponent.
fn decimal(text: &str) -> usize {
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let mut end = digits(text, is_digit);
    if end == 0 {
        return 0;
    }
    if let Some(fraction) = text[end..].strip_prefix('.') {
        let length = digits(fraction, is_digit);
        end += if length > 0 { 1 + length } else { 0 };
    }
    if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
        let (sign, exponent) = split_sign(exponent);
        let length = digits(exponent, is_digit);
        end += if length > 0 { 1 + sign.len() + length } else { 0 };
    }
    end
}

fn parsed(sign: &str, number: &str) -> Option<f64> {
    let number: f64 = number.replace('_', "").parse().ok()?;
    Some(if sign == "-" { -number } else { number })
}

/// Parses the number at the start of a string, or returns zero. Ruby's `String#to_f`.
pub(crate) fn to_f(text: &str) -> f64 {
    let (sign, rest) = split_sign(trimmed_start(text));
    let with_zero;
    let rest = if rest.starts_with('.') {
        with_zero = format!("0{rest}");
        &with_zero
    } else {
        rest
    };
    parsed(sign, &rest[..decimal(rest)]).unwrap_or(0.0)
}

/// Parses a number with blanks around it. Ruby's `Float()`.
pub(crate) fn float_of(text: &str) -> Option<f64> {
    let (sign, rest) = split_sign(trimmed(text));
    if let Some(hex) = rest.strip_prefix("0x").or_else(|| rest.strip_prefix("0X")) {
        return hexadecimal(sign, hex);
    }
    let with_zero;
    let rest = if rest.starts_with('.') {
        with_zero = format!("0{rest}");
        &with_zero
    } else {
        rest
    };
    parsed(sign, rest).filter(|_| !rest.is_empty() && decimal(rest) == rest.len())
}

/// Parses the digits after `0x`: `1A`, `1.8p3`.
fn hexadecimal(sign: &str, text: &str) -> Option<f64> {
    let is_digit = |byte: u8| byte.is_ascii_hexdigit();
    let end = digits(text, is_digit);
    let (whole, mut rest) = text.split_at(end);
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        let end = digits(after, is_digit);
        (fraction, rest) = after.split_at(end);
        if fraction.is_empty() {
            return None;
        }
    }
    let exponent = match rest.strip_prefix(['p', 'P']) {
        Some(exponent) => exponent.parse::<i32>().ok()?,
        None if rest.is_empty() => 0,
        None => return None,
    };
    if whole.is_empty() {
        return None;
    }
    let all = format!("{whole}{fraction}");
    let number: f64 = big("", &all, 16)?.inspect().parse().ok()?;
    let places = i32::try_from(fraction.bytes().filter(|byte| *byte != b'_').count()).ok()?;
    let number = number * 2f64.powi(exponent.checked_sub(places.checked_mul(4)?)?);
    Some(if sign == "-" { -number } else { number })
}

/// Parses an integer with blanks around it, in the radix of its prefix. Ruby's `Integer()`.
pub(crate) fn integer_of(text: &str) -> Option<Value> {
    let (sign, rest) = split_sign(trimmed(text));
    let lower = rest.get(..2).map(str::to_ascii_lowercase);
    let (radix, digits_of) = match lower.as_deref() {
        Some("0x") => (16, &rest[2..]),
        Some("0b") => (2, &rest[2..]),
        Some("0o") => (8, &rest[2..]),
        Some("0d") => (10, &rest[2..]),
        Some(_) if rest.starts_with('0') => (8, rest[1..].strip_prefix('_').unwrap_or(&rest[1..])),
        _ => (10, rest),
    };
    let end = digits(digits_of, |byte| char::from(byte).is_digit(radix));
    if end == 0 || end != digits_of.len() {
        return None;
    }
    big(sign, digits_of, radix)
}

/// Converts a rounded float to an integer of any size; returns `None` for infinity and NaN.
pub(crate) fn to_integer(number: f64) -> Option<Value> {
    if !number.is_finite() {
        return None;
    }
    let whole = number.trunc();
    if whole.abs() < 9.0e18 {
        return Some(Value::Integer(whole as i64));
    }
    let bits = whole.abs().to_bits();
    // A number this large consists of its 53 bits, shifted left; it has no fraction.
    let (fraction, exponent) = ((bits & ((1 << 52) - 1)) | 1 << 52, (bits >> 52) - 1075);
    let magnitude = BigInt::from(fraction) << exponent;
    Some(Value::from(Rich::BigInteger(if whole < 0.0 { -magnitude } else { magnitude })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_begin_with_numbers() {
        for (text, integer, float) in [
            ("12ab", 12, 12.0),
            (" -1_000.5e3x", -1000, -1_000_500.0),
            ("1__0", 1, 1.0),
            ("_1", 0, 0.0),
            (".5", 0, 0.5),
            ("1.e5", 1, 1.0),
            ("1e", 1, 1.0),
            ("0x1A", 0, 0.0),
            ("", 0, 0.0),
            ("+7", 7, 7.0),
        ] {
            assert_eq!(to_i(text), Value::from(integer), "{text}");
            assert_eq!(to_f(text), float, "{text}");
        }
        assert_eq!(to_i("99999999999999999999").inspect(), "99999999999999999999");
    }

    #[test]
    fn texts_are_floats() {
        for (text, float) in [
            ("1.5", Some(1.5)),
            (" -1_0.5e-1\n", Some(-1.05)),
            ("1.", None),
            ("1e", None),
            (".5", Some(0.5)),
            ("", None),
            ("1__0", None),
            ("0x1A", Some(26.0)),
            ("0x1.8p1", Some(3.0)),
            ("inf", None),
            ("NaN", None),
            ("0b1", None),
            ("1 2", None),
            ("é", None),
        ] {
            assert_eq!(float_of(text), float, "{text}");
        }
    }

    #[test]
    fn texts_are_integers() {
        for (text, integer) in [
            ("12", Some(12)),
            (" -0x1f ", Some(-31)),
            ("010", Some(8)),
            ("0b11", Some(3)),
            ("0o17", Some(15)),
            ("0_7", Some(7)),
            ("08", None),
            ("0", Some(0)),
            ("1_000", Some(1000)),
            ("1_", None),
            ("", None),
            ("1.5", None),
            ("é", None),
        ] {
            assert_eq!(integer_of(text), integer.map(Value::from), "{text}");
        }
    }

    #[test]
    fn large_floats_are_whole() {
        assert_eq!(to_integer(1e30).map(|value| value.inspect()).as_deref(), Some("1000000000000000019884624838656"));
        assert_eq!(to_integer(-9.3e18).map(|value| value.inspect()).as_deref(), Some("-9300000000000000000"));
        assert_eq!(to_integer(f64::INFINITY), None);
    }
}
