//! Parses and compares numbers.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::strip;

/// The maximum number of digits of an integer that is parsed from a string: Python's own limit.
const MOST_DIGITS: usize = 4300;

/// Compares an integer and a float exactly. Returns `None` for NaN.
///
/// ```
/// use std::cmp::Ordering;
///
/// use hieratic_python_values::compare_with_float;
/// // The nearest float of 2^53 + 1 is 2^53.
/// assert_eq!(compare_with_float(&9_007_199_254_740_993_i64.into(), 9_007_199_254_740_992.0), Some(Ordering::Greater));
/// assert_eq!(compare_with_float(&1.into(), 1.5), Some(Ordering::Less));
/// assert_eq!(compare_with_float(&1.into(), f64::NAN), None);
/// ```
pub fn compare_with_float(integer: &BigInt, float: f64) -> Option<Ordering> {
    match truncated(float) {
        Some(whole) => Some(integer.cmp(&whole).then(0.0f64.partial_cmp(&float.fract())?)),
        None => 0.0f64.partial_cmp(&float),
    }
}

/// Returns the integral part of a float, or `None` for infinity and NaN.
///
/// ```
/// assert_eq!(hieratic_python_values::truncated(-2.7), Some((-2).into()));
/// assert_eq!(hieratic_python_values::truncated(f64::INFINITY), None);
/// ```
pub fn truncated(float: f64) -> Option<BigInt> {
    float.is_finite().then(|| format!("{:.0}", float.trunc()).parse().ok())?
}

/// Parses a float as `float(text)` does.
///
/// ```
/// use hieratic_python_values::parse_float;
/// assert_eq!([parse_float(" 1_0.5 "), parse_float("-inf"), parse_float("1_e5")], [Some(10.5), Some(f64::NEG_INFINITY), None]);
/// ```
pub fn parse_float(text: &str) -> Option<f64> {
    let text = strip(text);
    let digits = without_underscores(text, 10)?;
    let unsigned = digits.trim_start_matches(['+', '-']);
    let word = unsigned.to_ascii_lowercase();
    let is_word = matches!(word.as_str(), "inf" | "infinity" | "nan");
    if !is_word && !unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return None;
    }
    digits.parse().ok()
}

/// Parses an integer as `int(text, base)` does.
///
/// ```
/// use hieratic_python_values::parse_int;
/// assert_eq!([parse_int(" -1_0 ", 10), parse_int("0x_f", 16), parse_int("1__0", 10)], [Some((-10).into()), Some(15.into()), None]);
/// ```
pub fn parse_int(text: &str, base: u32) -> Option<BigInt> {
    let text = strip(text);
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
    let digits = without_underscores(digits, base)?;
    let valid = (2..=36).contains(&base) && digits.chars().all(|digit| digit.is_digit(base));
    if !valid || digits.is_empty() || digits.len() > MOST_DIGITS {
        return None;
    }
    BigInt::parse_bytes(format!("{sign}{digits}").as_bytes(), base)
}

/// Removes underscores; `None` unless each is between two digits.
fn without_underscores(text: &str, base: u32) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|byte| char::from(*byte).is_digit(base));
    let fits = |at: usize| is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1));
    let good = bytes.iter().enumerate().all(|(at, byte)| *byte != b'_' || fits(at));
    good.then(|| text.replace('_', ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_parse_as_in_python() {
        for (text, number) in [("5", 5), (" -1 ", -1), ("+7", 7), ("1_0", 10), ("007", 7), ("\u{1f}5", 5)] {
            assert_eq!(parse_int(text, 10), Some(number.into()), "{text}");
        }
        for text in ["", "5.0", "_5", "5_", "1__0", "x", "--1", "+", "+-1", "0x5", "١x"] {
            assert_eq!(parse_int(text, 10), None, "{text}");
        }
        assert_eq!(
            [parse_float("1e3"), parse_float(" 2.5"), parse_float("-inf"), parse_float("x"), parse_float("1_0.5")],
            [Some(1000.0), Some(2.5), Some(f64::NEG_INFINITY), None, Some(10.5)]
        );
        assert_eq!([parse_float("1_e3"), parse_float("."), parse_float("+-1"), parse_float("infinit")], [None; 4]);
    }
}
