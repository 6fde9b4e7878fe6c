//! Durations: `1h30m`, `-1.5s` (<https://pkg.go.dev/time#ParseDuration>).

use super::timestamp_error::quoted;

/// The smallest number of nanoseconds that does not fit.
const LIMIT: u64 = 1 << 63;

/// Parses a duration in Go's syntax, and returns nanoseconds.
///
/// # Errors
///
/// The reference's message if the number or the unit is missing, the unit is unknown (such as days), or the duration is
/// out of range.
///
/// ```
/// use hieratic_hcl_functions::parse_duration;
///
/// assert_eq!(parse_duration("1h30m"), Ok(5_400_000_000_000));
/// assert_eq!(parse_duration("1d").unwrap_err(), r#"time: unknown unit "d" in duration "1d""#);
/// ```
pub fn parse_duration(text: &str) -> Result<i64, String> {
    let fault = |what: &str| format!("time: {what} {}", quoted(text));
    let invalid = || fault("invalid duration");
    let negative = text.starts_with('-');
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total = 0u64;
    while !rest.is_empty() {
        let (whole, after) = digits(rest);
        let (fraction, after) = match after.strip_prefix('.') {
            Some(after) => digits(after),
            None => ("", after),
        };
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }
        let length = after.find(|letter: char| letter == '.' || letter.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(length);
        // As in the reference, an integer part that does not fit is reported before errors after it.
        let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().map_err(|_| invalid())? };
        if whole > LIMIT {
            return Err(invalid());
        }
        if unit.is_empty() {
            return Err(fault("missing unit in duration"));
        }
        let Some(nanoseconds) = nanoseconds(unit) else {
            return Err(fault(&format!("unknown unit {} in duration", quoted(unit))));
        };
        let mut value = whole.checked_mul(nanoseconds).filter(|value| *value <= LIMIT).ok_or_else(invalid)?;
        value = value.saturating_add(part(fraction, nanoseconds));
        total = total.checked_add(value).filter(|total| *total <= LIMIT && value <= LIMIT).ok_or_else(invalid)?;
        rest = after;
    }
    match (negative, i64::try_from(total)) {
        (false, Ok(total)) => Ok(total),
        (true, Ok(total)) => Ok(-total),
        (true, Err(_)) => Ok(i64::MIN),
        (false, Err(_)) => Err(invalid()),
    }
}

fn digits(text: &str) -> (&str, &str) {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    text.split_at(length)
}

/// A decimal fraction of a unit. Digits that do not fit into a word are ignored.
fn part(fraction: &str, unit: u64) -> u64 {
    let (mut value, mut scale) = (0u64, 1f64);
    for digit in fraction.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

fn nanoseconds(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::parse_duration as parse;

    #[test]
    fn valid_durations_are_parsed() {
        for (text, nanoseconds) in [
            ("0", 0),
            ("-0", 0),
            ("5s", 5_000_000_000),
            ("1.5h", 5_400_000_000_000),
            ("-1.5h", -5_400_000_000_000),
            (".5s", 500_000_000),
            ("1.s", 1_000_000_000),
            ("+1h1m1s1ms1us1ns", 3_661_001_001_001),
            ("1\u{b5}s1\u{3bc}s", 2_000),
            ("0.3333333333333333333h", 1_200_000_000_000),
            ("9223372036854775807ns", i64::MAX),
            ("-1.5us", -1_500),
            ("-9223372036854775808ns", i64::MIN),
            ("1.00000000000000000000000001s", 1_000_000_000),
        ] {
            assert_eq!(parse(text), Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn invalid_durations_are_errors_of_go() {
        for (text, message) in [
            ("", r#"time: invalid duration """#),
            ("-", r#"time: invalid duration "-""#),
            ("30", r#"time: missing unit in duration "30""#),
            ("1m30", r#"time: missing unit in duration "1m30""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            ("1h 2m", r#"time: unknown unit "h " in duration "1h 2m""#),
            (".s", r#"time: invalid duration ".s""#),
            (".h", r#"time: invalid duration ".h""#),
            (" 1s", r#"time: invalid duration " 1s""#),
            ("1é", r#"time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9""#),
            ("9223372036854775808ns", r#"time: invalid duration "9223372036854775808ns""#),
            ("99999999999999999999s", r#"time: invalid duration "99999999999999999999s""#),
            ("3000000h", r#"time: invalid duration "3000000h""#),
        ] {
            assert_eq!(parse(text).unwrap_err(), message, "{text}");
        }
    }
}
