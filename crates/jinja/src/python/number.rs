//! Numbers: what counts as one, and how texts become one.

use minijinja::Value;
use num_bigint::BigInt;

use super::{Kind, Result, error, kind, type_name};

/// A number of Python; booleans are integers.
#[derive(Clone, Debug)]
pub enum Number {
    /// An integer.
    Int(BigInt),
    /// A float.
    Float(f64),
}

impl Number {
    /// The number as a float, infinite if it is too large.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Int(number) => to_f64(number),
            Number::Float(number) => *number,
        }
    }
}

/// The nearest float; infinite if there is none.
pub fn to_f64(number: &BigInt) -> f64 {
    // The text of an integer is read with correct rounding.
    i64::try_from(number).map_or_else(|_| number.to_string().parse().unwrap_or(f64::INFINITY), |small| small as f64)
}

/// The value as a number, if it is one.
pub fn number(value: &Value) -> Result<Option<Number>> {
    Ok(match kind(value)? {
        Kind::Bool(truth) => Some(Number::Int(u8::from(truth).into())),
        Kind::Int(number) => Some(Number::Int(number)),
        Kind::Float(number) => Some(Number::Float(number)),
        Kind::Missing(missing) => {
            super::kind::defined(missing)?;
            None
        }
        _ => None,
    })
}

/// The value as an index or a count.
pub fn index(value: &Value) -> Result<i64> {
    if let Some(number) = super::kind::small(value) {
        return Ok(number.clamp(i64::MIN / 4, i64::MAX / 4));
    }
    match number(value)? {
        // What does not fit is behind any end all the same.
        Some(Number::Int(number)) => {
            let limit = if number < BigInt::ZERO { i64::MIN / 4 } else { i64::MAX / 4 };
            Ok(i64::try_from(&number).unwrap_or(limit).clamp(i64::MIN / 4, i64::MAX / 4))
        }
        _ => Err(error(format!("'{}' object cannot be interpreted as an integer", type_name(value)))),
    }
}

/// Reads a float as `float(text)` does.
pub fn parse_float(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = without_underscores(text)?;
    let unsigned = digits.trim_start_matches(['+', '-']);
    let word = unsigned.to_ascii_lowercase();
    let is_word = matches!(word.as_str(), "inf" | "infinity" | "nan");
    if !is_word && !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    digits.parse().ok()
}

/// Reads an integer as `int(text, base)` does.
pub fn parse_int(text: &str, base: u32) -> Option<BigInt> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { "-" } else { "" }, rest),
        None => ("", text),
    };
    let prefix = digits.get(..2).map(str::to_ascii_lowercase);
    let (base, digits) = match (prefix.as_deref(), base) {
        (Some("0x"), 0 | 16) => (16, digits.get(2..)?.trim_start_matches('_')),
        (Some("0o"), 0 | 8) => (8, digits.get(2..)?.trim_start_matches('_')),
        (Some("0b"), 0 | 2) => (2, digits.get(2..)?.trim_start_matches('_')),
        (_, 0) if digits.starts_with('0') && digits.chars().any(|digit| !matches!(digit, '0' | '_')) => return None,
        (_, 0) => (10, digits),
        (_, base) => (base, digits),
    };
    let digits = without_underscores(digits)?;
    let valid = (2..=36).contains(&base) && digits.chars().all(|digit| digit.is_digit(base));
    if !valid || digits.is_empty() || digits.len() > 4300 {
        return None;
    }
    BigInt::parse_bytes(format!("{sign}{digits}").as_bytes(), base)
}

/// The text without underscores, if they stand singly between digits.
fn without_underscores(text: &str) -> Option<String> {
    if text.starts_with('_') || text.ends_with('_') || text.contains("__") {
        return None;
    }
    let around = text.split('_').collect::<Vec<_>>();
    let bad = around.windows(2).any(|pair| {
        !pair[0].ends_with(|last: char| last.is_ascii_alphanumeric())
            || !pair[1].starts_with(|first: char| first.is_ascii_alphanumeric())
    });
    if bad { None } else { Some(text.replace('_', "")) }
}

/// The whole part of a float, as `int(number)` gives it.
pub fn truncated(number: f64) -> Result<BigInt> {
    if number.is_nan() {
        return Err(error("cannot convert float NaN to integer"));
    }
    if number.is_infinite() {
        return Err(error("cannot convert float infinity to integer"));
    }
    let text = format!("{:.0}", number.trunc());
    text.parse().map_err(|_| error("cannot convert float to integer"))
}
