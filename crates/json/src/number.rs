//! Parses numbers in strings, as Ruby does.

use hieratic_value::{BigInt, Rich, Value};

/// The maximum number of digits of an integer.
///
/// Parsing digits takes quadratic time; this many take a few milliseconds. Ruby has no limit.
pub const MAX_DIGITS: usize = 100_000;

/// The error for more digits than [`MAX_DIGITS`].
#[derive(Debug, PartialEq, Eq)]
pub struct TooLong;

/// Parses an integer from ASCII digits of a radix, without a sign.
pub fn integer(negative: bool, digits: &[u8], radix: u32) -> Result<Value, TooLong> {
    // This many digits fit into 64 bits in every radix up to 16.
    if digits.len() <= 15 {
        let number = digits.iter().fold(0i64, |number, &digit| {
            number * i64::from(radix) + i64::from(char::from(digit).to_digit(radix).unwrap_or(0))
        });
        return Ok(Value::Integer(if negative { -number } else { number }));
    }
    big(negative, digits, radix).map(|number| Value::from(Rich::BigInteger(number)))
}

/// Parses an integer of any size from ASCII digits of a radix, without a sign.
pub fn big(negative: bool, digits: &[u8], radix: u32) -> Result<BigInt, TooLong> {
    if digits.len() > MAX_DIGITS {
        return Err(TooLong);
    }
    let number = BigInt::parse_bytes(digits, radix).unwrap_or_default();
    Ok(if negative { -number } else { number })
}

/// Ruby's `Float(text)`. Returns `None` where Ruby raises.
///
/// <https://docs.ruby-lang.org/en/3.1/Kernel.html#method-i-Float>
pub fn float(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| matches!(c, ' ' | '\t'..='\r'));
    let (negative, unsigned) = sign(text);
    if let Some(hex) = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X")) {
        return hexadecimal(hex).map(|number| if negative { -number } else { number });
    }
    // Digits, with single underscores between them, then perhaps a fraction, then perhaps an exponent.
    let bytes = unsigned.as_bytes();
    let mut at = digits(bytes, 0);
    let whole = at > 0;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(bytes, at + 1);
        if fraction == at + 1 {
            return None;
        }
        at = fraction;
    } else if !whole {
        return None;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(bytes, at + 1 + sign);
        if exponent == at + 1 + sign {
            return None;
        }
        at = exponent;
    }
    if at != bytes.len() {
        return None;
    }
    let plain: String = text.chars().filter(|&c| c != '_').collect();
    plain.parse().ok()
}

/// Ruby's `text.to_f` for strings that begin with a digit or a sign: the number at the beginning, without an exponent.
pub fn leading_float(text: &str) -> f64 {
    let (_, unsigned) = sign(text);
    let bytes = unsigned.as_bytes();
    let mut at = digits(bytes, 0);
    if bytes.get(at) == Some(&b'.') && digits(bytes, at + 1) > at + 1 {
        at = digits(bytes, at + 1);
    }
    let end = text.len() - unsigned.len() + at;
    let plain: String = text[..end].chars().filter(|&c| c != '_').collect();
    plain.parse().unwrap_or(0.0)
}

/// Ruby's `text.to_i` for digits and underscores: the digits before a doubled or trailing underscore.
pub fn leading_digits(text: &str) -> String {
    text[..digits(text.as_bytes(), 0)].chars().filter(|&c| c != '_').collect()
}

/// Returns whether the string begins with a minus sign, and the rest after the sign.
pub fn sign(text: &str) -> (bool, &str) {
    match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    }
}

/// The end of a run of digits with single underscores between them.
fn digits(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(u8::is_ascii_digit) {
        at += 1;
        if bytes.get(at) == Some(&b'_') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
    }
    at
}

/// A hexadecimal float after its `0x`: digits, perhaps a fraction, perhaps a binary exponent.
fn hexadecimal(text: &str) -> Option<f64> {
    let (mantissa, exponent) = match text.find(['p', 'P']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) if !fraction.is_empty() => (whole, fraction),
        Some(_) => return None,
        None => (mantissa, ""),
    };
    if whole.is_empty() || !(whole.bytes().chain(fraction.bytes()).all(|digit| digit.is_ascii_hexdigit())) {
        return None;
    }
    let exponent: i32 = match exponent {
        None => 0,
        Some(text) => {
            let (negative, digits) = sign(text);
            if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
                return None;
            }
            // Beyond this every number is zero or infinite.
            let exponent = digits.parse().unwrap_or(100_000).min(100_000);
            if negative { -exponent } else { exponent }
        }
    };
    let number = whole
        .chars()
        .chain(fraction.chars())
        .fold(0.0, |number, digit| number * 16.0 + f64::from(digit.to_digit(16).unwrap_or(0)));
    let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX / 4);
    Some(number * 2f64.powi(exponent.saturating_sub(places.saturating_mul(4))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_read_as_ruby_reads_them() {
        for (text, number) in [
            ("1.5", Some(1.5)),
            (" 12 ", Some(12.0)),
            (".5", Some(0.5)),
            ("1e3", Some(1000.0)),
            ("-1_0.0_1e-1", Some(-1.001)),
            ("0x1p3", Some(8.0)),
            ("0x1A", Some(26.0)),
            ("1.", None),
            ("1__0", None),
            ("_1", None),
            ("1e", None),
            ("e5", None),
            ("", None),
            ("abc", None),
        ] {
            assert_eq!(float(text), number, "{text}");
        }
    }

    #[test]
    fn leading_numbers_end_where_underscores_are_doubled() {
        assert_eq!(leading_digits("1_0__1"), "10");
        assert_eq!(leading_digits("30_"), "30");
        assert_eq!(leading_float("30._5"), 30.0);
        assert_eq!(leading_float("-1_0.2_5_"), -10.25);
    }

    #[test]
    fn integers_grow_beyond_64_bits() {
        assert_eq!(integer(true, b"ff", 16), Ok(Value::Integer(-255)));
        assert_eq!(integer(false, b"9223372036854775807", 10), Ok(Value::Integer(i64::MAX)));
        assert_eq!(
            integer(true, b"9223372036854775809", 10).map(|value| value.inspect()),
            Ok("-9223372036854775809".into())
        );
        assert_eq!(integer(false, &[b'1'; MAX_DIGITS + 1], 10), Err(TooLong));
    }
}
