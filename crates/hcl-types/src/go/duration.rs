//! Durations of Go in nanoseconds: `1h30m`, `-1.5s` (<https://pkg.go.dev/time#ParseDuration>,
//! <https://pkg.go.dev/time#Duration.String>).

use std::fmt::{self, Write as _};

/// The number of nanoseconds in a microsecond.
pub const MICROSECOND: i64 = 1_000;
/// The number of nanoseconds in a millisecond.
pub const MILLISECOND: i64 = 1_000_000;
/// The number of nanoseconds in a second.
pub const SECOND: i64 = 1_000_000_000;
/// The number of nanoseconds in a minute.
pub const MINUTE: i64 = 60 * SECOND;
/// The number of nanoseconds in an hour.
pub const HOUR: i64 = 60 * MINUTE;

/// The units, the largest first. A microsecond has three spellings; the first one is what programs write in ASCII.
const UNITS: [(&str, i64); 8] = [
    ("h", HOUR),
    ("m", MINUTE),
    ("s", SECOND),
    ("ms", MILLISECOND),
    ("us", MICROSECOND),
    ("\u{b5}s", MICROSECOND),
    ("\u{3bc}s", MICROSECOND),
    ("ns", 1),
];

/// The smallest number of nanoseconds that does not fit.
const LIMIT: u64 = 1 << 63;

/// Parses a duration in Go's syntax, and returns nanoseconds.
///
/// # Errors
///
/// The number or the unit is missing, the unit is unknown (such as days), or the duration is out of range. The message
/// is the reference's.
///
/// ```
/// use hieratic_hcl_types::go::duration::parse;
///
/// assert_eq!(parse("1h30m"), Ok(5_400_000_000_000));
/// assert_eq!(parse("1d").unwrap_err(), r#"time: unknown unit "d" in duration "1d""#);
/// ```
pub fn parse(text: &str) -> Result<i64, String> {
    let error = |subject: &str| format!("time: {subject} {}", quoted(text));
    let invalid = || error("invalid duration");
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
            return Err(error("missing unit in duration"));
        }
        let Some(nanoseconds) = nanoseconds(unit) else {
            return Err(error(&format!("unknown unit {} in duration", quoted(unit))));
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
    UNITS.iter().find(|(name, _)| *name == unit).map(|(_, length)| length.unsigned_abs())
}

/// Displays a duration in hours, minutes and seconds, or in a smaller unit below a second: `1h30m0s`, `1.5ms`.
#[derive(Clone, Copy, Debug)]
pub struct DurationDisplay(i64);

/// Formats a duration as `Duration.String` does.
///
/// ```
/// use hieratic_hcl_types::go::duration::{MINUTE, display};
///
/// assert_eq!(display(90 * MINUTE).to_string(), "1h30m0s");
/// ```
pub fn display(nanoseconds: i64) -> DurationDisplay {
    DurationDisplay(nanoseconds)
}

impl fmt::Display for DurationDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 < 0 {
            f.write_str("-")?;
        }
        let total = self.0.unsigned_abs();
        let (unit, name) = match total {
            0 => return f.write_str("0s"),
            _ if total < MICROSECOND.unsigned_abs() => (1, "ns"),
            _ if total < MILLISECOND.unsigned_abs() => (MICROSECOND.unsigned_abs(), "\u{b5}s"),
            _ if total < SECOND.unsigned_abs() => (MILLISECOND.unsigned_abs(), "ms"),
            _ => (SECOND.unsigned_abs(), "s"),
        };
        let (mut whole, fraction) = (total / unit, total % unit);
        let (hours, minutes) = (total / HOUR.unsigned_abs(), total / MINUTE.unsigned_abs() % 60);
        if hours > 0 {
            write!(f, "{hours}h")?;
        }
        if hours > 0 || minutes > 0 {
            write!(f, "{minutes}m")?;
            whole %= 60;
        }
        write!(f, "{whole}")?;
        if fraction > 0 {
            let digits = unit.ilog10() as usize;
            let padded = format!("{fraction:0digits$}");
            write!(f, ".{}", padded.trim_end_matches('0'))?;
        }
        f.write_str(name)
    }
}

/// Rounds a duration to whole seconds, halves away from zero.
pub fn round_to_seconds(nanoseconds: i64) -> i64 {
    let rest = nanoseconds % SECOND;
    let floor = nanoseconds - rest;
    if rest.abs() * 2 < SECOND { floor } else { floor.saturating_add(SECOND * rest.signum()) }
}

/// Formats a duration in the largest unit that divides it.
///
/// ```
/// use hieratic_hcl_types::go::duration::{MINUTE, in_one_unit};
///
/// assert_eq!(in_one_unit(90 * MINUTE), "90m");
/// ```
pub fn in_one_unit(nanoseconds: i64) -> String {
    let unit = UNITS.iter().find(|(_, length)| nanoseconds % length == 0 && nanoseconds != 0);
    let (name, length) = unit.copied().unwrap_or(("s", SECOND));
    format!("{}{name}", nanoseconds / length)
}

/// Quotes a string as in messages about times and durations: characters beyond ASCII as escaped bytes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            ' '..='\u{7f}' => out.push(letter),
            letter => {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    // Writing to a string cannot fail.
                    let _ = write!(out, "\\x{byte:02x}");
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn is_printed_as_go_prints_it() {
        for (nanoseconds, printed) in [
            (0, "0s"),
            (1, "1ns"),
            (1_500, "1.5\u{b5}s"),
            (1_000_001, "1.000001ms"),
            (SECOND, "1s"),
            (-90 * SECOND - 1, "-1m30.000000001s"),
            (HOUR, "1h0m0s"),
            (36 * HOUR + 5 * SECOND, "36h0m5s"),
            (i64::MAX, "2562047h47m16.854775807s"),
            (i64::MIN, "-2562047h47m16.854775808s"),
        ] {
            assert_eq!(display(nanoseconds).to_string(), printed);
        }
    }

    #[test]
    fn is_rounded_as_go_rounds_it() {
        for (nanoseconds, rounded) in [
            (0, 0),
            (499_999_999, 0),
            (500_000_000, SECOND),
            (-500_000_000, -SECOND),
            (-499_999_999, 0),
            (i64::MAX, i64::MAX),
        ] {
            assert_eq!(round_to_seconds(nanoseconds), rounded);
        }
    }

    #[test]
    fn is_printed_in_one_unit() {
        for (nanoseconds, printed) in
            [(0, "0s"), (HOUR, "1h"), (-90 * SECOND, "-90s"), (1_500, "1500ns"), (2_000, "2us"), (MILLISECOND, "1ms")]
        {
            assert_eq!(in_one_unit(nanoseconds), printed);
        }
    }
}
