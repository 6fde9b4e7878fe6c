//! Numbers in strings, as operands of arithmetic.

use hieratic_value::Value;

/// Converts a string or a number to a number for arithmetic; returns `None` if it is not numeric.
///
/// The strings are those of literals: decimal, octal with a leading zero, hexadecimal with `0x`, or floats; with a
/// sign, and blanks around.
pub(crate) fn to_number(value: &Value) -> Option<Value> {
    match value {
        Value::Integer(_) | Value::Float(_) => Some(value.clone()),
        Value::String(text) => parse(text),
        _ => None,
    }
}

fn parse(text: &str) -> Option<Value> {
    let text = text.strip_prefix("::").unwrap_or(text);
    let is_blank = |c: char| {
        c == '\t'
            || (c.is_whitespace() && !matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'))
    };
    let text = text.trim_matches(is_blank);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.trim_start_matches(is_blank);
    if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        return integer(hex, 16, negative);
    }
    let whole = digits.len() - digits.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if whole == 0 {
        return None;
    }
    let rest = &digits[whole..];
    if rest.is_empty() {
        let octal = digits.len() > 1 && digits.starts_with('0');
        return integer(digits, if octal { 8 } else { 10 }, negative);
    }
    float(&digits[..whole], rest, negative)
}

fn integer(digits: &str, radix: u32, negative: bool) -> Option<Value> {
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return None;
    }
    let number = num_bigint::BigInt::parse_bytes(digits.as_bytes(), radix)?;
    let number = if negative { -number } else { number };
    Some(Value::from(hieratic_value::Rich::BigInteger(number)))
}

/// Parses a float; a zero with an exponent is not accepted, as in the reference.
fn float(whole: &str, rest: &str, negative: bool) -> Option<Value> {
    let (fraction, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let only_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let fraction_is_fine = fraction.is_empty() || fraction.strip_prefix('.').is_some_and(only_digits);
    let exponent_is_fine = exponent.is_none_or(|text| only_digits(text.strip_prefix('-').unwrap_or(text)));
    if !fraction_is_fine || !exponent_is_fine {
        return None;
    }
    let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0');
    if exponent.is_some() && is_zero(whole) && is_zero(fraction.trim_start_matches('.')) {
        return None;
    }
    let number: f64 = format!("{whole}{rest}").parse().ok()?;
    if number.is_infinite() {
        return None;
    }
    Some(Value::Float(if negative { -number } else { number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_the_values_of_literals() {
        let number = |text: &str| to_number(&Value::from(text));
        assert_eq!(number("0x1F"), Some(Value::from(31)));
        assert_eq!(number(" - 017 "), Some(Value::from(-15)));
        assert_eq!(number("+1.5e3"), Some(Value::from(1500.0)));
        assert_eq!(number("0e5"), None);
        assert_eq!(number("08"), None);
        assert_eq!(number("1.5e+3"), None);
        assert_eq!(number("1."), None);
        assert_eq!(number(""), None);
        assert_eq!(number("abc"), None);
    }
}
