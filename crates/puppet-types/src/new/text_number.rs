//! Numbers in strings, parsed like Ruby's `Integer()` and `Float()`.

use hieratic_value::{BigInt, Value};

use crate::Error;
use crate::range::Int;

/// Splits a number into its sign and the rest.
fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Removes the space between sign and number, if there is some.
fn without_inner_space(text: &str) -> Option<String> {
    let (sign, rest) = text.split_at_checked(1).filter(|(sign, _)| matches!(*sign, "+" | "-"))?;
    let number = rest.trim_start_matches([' ', '\t']);
    (number.len() < rest.len()).then(|| format!("{sign}{number}"))
}

fn invalid(function: &str, text: &str) -> Error {
    Error::new(format!("invalid value for {function}(): {}", Value::from(text).inspect()))
}

/// Parses an integer in the given radix, or in the radix of its prefix.
pub(super) fn integer(text: &str, radix: Option<u32>) -> Result<Int, Error> {
    let strict = |text: &str| strict_integer(text, radix);
    strict(text)
        .or_else(|| without_inner_space(text).and_then(|text| strict(&text)))
        .ok_or_else(|| invalid("Integer", text))
}

fn strict_integer(text: &str, radix: Option<u32>) -> Option<Int> {
    let (negative, digits) = split_sign(text.trim_matches(is_space));
    let prefixed = |letters: [char; 2]| digits.strip_prefix('0').and_then(|rest| rest.strip_prefix(letters));
    let (found, digits) = if let Some(rest) = prefixed(['x', 'X']).filter(|_| matches!(radix, None | Some(16))) {
        (16, rest)
    } else if let Some(rest) = prefixed(['b', 'B']).filter(|_| matches!(radix, None | Some(2))) {
        (2, rest)
    } else if radix.is_none() && digits.len() > 1 && digits.starts_with('0') {
        (8, &digits[1..])
    } else {
        (radix.unwrap_or(10), digits)
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(found)) {
        return None;
    }
    let number = Int::from(BigInt::parse_bytes(digits.as_bytes(), found)?);
    Some(if negative { number.negated() } else { number })
}

/// Parses a float: decimal, or an integer with a radix prefix.
pub(super) fn float(text: &str) -> Result<f64, Error> {
    strict_float(text)
        .or_else(|| without_inner_space(text).and_then(|text| strict_float(&text)))
        .ok_or_else(|| invalid("Float", text))
}

fn strict_float(text: &str) -> Option<f64> {
    if text.starts_with("0b") || text.starts_with("0B") {
        return strict_integer(text, Some(2)).map(|number| number.to_f64());
    }
    let (negative, digits) = split_sign(text.trim_matches(is_space));
    let magnitude = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => strict_integer(hex, Some(16)).filter(|_| !hex.starts_with(['+', '-']))?.to_f64(),
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some(if negative { -magnitude } else { magnitude })
}

/// Parses an integer or a float with blanks around it; returns `None` if the string is not a number.
///
/// See [numbers](https://www.puppet.com/docs/puppet/8/lang_data_number.html).
pub(super) fn numeric(text: &str) -> Option<Value> {
    let is_blank = |c: char| matches!(c, ' ' | '\t');
    let (negative, rest) = split_sign(text.trim_start_matches(is_blank));
    let number = rest.trim_start_matches(is_blank).trim_end_matches(is_blank);
    let hex = number.strip_prefix("0x").or_else(|| number.strip_prefix("0X"));
    if hex.is_some() || number.chars().all(|c| c.is_ascii_digit()) {
        let number = strict_integer(number, None).filter(|_| !number.starts_with(['+', '-']))?;
        return Some(Value::from(if negative { number.negated() } else { number }));
    }
    let whole = number.find(|c: char| !c.is_ascii_digit())?;
    let (whole, tail) = number.split_at(whole);
    strict_integer(whole, None)?;
    // In Puppet, a zero with an exponent is not a float.
    let zero = strict_integer(whole, None) == Some(Int::from(0i64));
    let exponent_only =
        |tail: &str| tail.strip_prefix('.').unwrap_or(tail).trim_start_matches('0').starts_with(['e', 'E']);
    if zero && exponent_only(tail) {
        return None;
    }
    let float = number.parse::<f64>().ok().filter(|number| number.is_finite())?;
    Some(Value::from(if negative { -float } else { float }))
}
