//! Lengths of time as Go writes them: `"1h30m"`, `"-1.5s"`.
//!
//! Source of the rules: <https://pkg.go.dev/time#ParseDuration>.

use std::fmt::Write;

/// The greatest magnitude that is counted: that of the smallest signed number.
const LIMIT: u64 = 1 << 63;

/// Reads a length of time, in nanoseconds.
///
/// # Errors
///
/// The reference's text if it is none: no number, no unit, a unit that does not exist (days for example), or too long.
///
/// ```
/// use hieratic_nomad::duration;
///
/// assert_eq!(duration::parse("1h30m"), Ok(5_400_000_000_000));
/// assert_eq!(duration::parse("1d").unwrap_err(), r#"time: unknown unit "d" in duration "1d""#);
/// ```
pub fn parse(text: &str) -> Result<i64, String> {
    let invalid = || format!("time: invalid duration {}", quoted(text));
    let (negative, mut rest) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Ok(0);
    }
    if rest.is_empty() {
        return Err(invalid());
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let (whole, behind) = whole(rest).ok_or_else(invalid)?;
        let mut digits = behind.len() < rest.len();
        rest = behind;
        let mut fraction = None;
        if let Some(behind) = rest.strip_prefix('.') {
            let (value, scale, behind_digits) = self::fraction(behind);
            digits |= behind_digits.len() < behind.len();
            fraction = Some((value, scale));
            rest = behind_digits;
        }
        if !digits {
            return Err(invalid());
        }
        let end = rest.find(|c: char| c == '.' || c.is_ascii_digit()).unwrap_or(rest.len());
        if end == 0 {
            return Err(format!("time: missing unit in duration {}", quoted(text)));
        }
        let (unit, behind) = rest.split_at(end);
        rest = behind;
        let Some(factor) = nanoseconds(unit) else {
            return Err(format!("time: unknown unit {} in duration {}", quoted(unit), quoted(text)));
        };
        let mut part = whole.checked_mul(factor).filter(|part| *part <= LIMIT).ok_or_else(invalid)?;
        if let Some((value @ 1.., scale)) = fraction {
            // As the reference counts: in floating point, cut off.
            part = part.saturating_add((value as f64 * (factor as f64 / scale)) as u64);
        }
        total = total.checked_add(part).filter(|total| *total <= LIMIT && part <= LIMIT).ok_or_else(invalid)?;
    }
    if negative {
        // The smallest number has no positive counterpart, and is its own negation.
        return Ok((total as i64).wrapping_neg());
    }
    i64::try_from(total).map_err(|_| invalid())
}

/// The digits in front as a number, and what follows; none if they are too many.
fn whole(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if end == 0 && !text.starts_with('.') {
        return None;
    }
    let mut number: u64 = 0;
    for digit in text[..end].bytes() {
        number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0')).filter(|number| *number <= LIMIT)?;
    }
    Some((number, &text[end..]))
}

/// The digits in front as a number over a power of ten, and what follows; digits beyond what can be counted are ignored.
fn fraction(text: &str) -> (u64, f64, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (mut number, mut scale) = (0_u64, 1.0);
    for digit in text[..end].bytes() {
        if number > (LIMIT - 1) / 10 {
            break;
        }
        let next = number * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        number = next;
        scale *= 10.0;
    }
    (number, scale, &text[end..])
}

fn nanoseconds(unit: &str) -> Option<u64> {
    Some(match unit {
        "ns" => 1,
        // The micro sign and the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        "m" => 60_000_000_000,
        "h" => 3_600_000_000_000,
        _ => return None,
    })
}

/// The text in quotes, as the messages of Go's `time` show it: bytes beyond ASCII as `\x..`.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=0x7f => out.push(char::from(byte)),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\x{byte:02x}");
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
    fn reads_what_go_reads() {
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
            ("-9223372036854775808ns", i64::MIN),
            ("1.00000000000000000000000001s", 1_000_000_000),
        ] {
            assert_eq!(parse(text), Ok(nanoseconds), "{text}");
        }
    }

    #[test]
    fn refuses_what_go_refuses() {
        for (text, message) in [
            ("", r#"time: invalid duration """#),
            ("-", r#"time: invalid duration "-""#),
            ("30", r#"time: missing unit in duration "30""#),
            ("1m30", r#"time: missing unit in duration "1m30""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            ("1h 2m", r#"time: unknown unit "h " in duration "1h 2m""#),
            (".s", r#"time: invalid duration ".s""#),
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
