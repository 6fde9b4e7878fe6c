//! Explains why a string is not a timestamp, with the messages of the reference.

use std::fmt::Write;

use hieratic_cty::quoted as with_escapes;

use super::civil::days_in_month;

/// The parts of a timestamp, in order, with their names in messages.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Offset,
    Mark(char),
}

const PARTS: [Part; 12] = [
    Part::Year,
    Part::Mark('-'),
    Part::Month,
    Part::Mark('-'),
    Part::Day,
    Part::Mark('T'),
    Part::Hour,
    Part::Mark(':'),
    Part::Minute,
    Part::Mark(':'),
    Part::Second,
    Part::Offset,
];

/// The message for a string that is not a timestamp.
pub(super) fn describe(text: &str) -> String {
    format!("not a valid RFC3339 timestamp: {}", fault(text))
}

fn fault(text: &str) -> String {
    let mut rest = text;
    let (mut year, mut month, mut day) = (0, 1, 1);
    for part in PARTS {
        let read = match part {
            Part::Mark(mark) => match rest.strip_prefix(mark) {
                Some(after) => Some((0, after)),
                None => return missing_mark(mark, rest),
            },
            Part::Year => {
                rest.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())).map(|digits| {
                    // Four digits are a number.
                    (digits.parse().unwrap_or(0), rest.get(4..).unwrap_or_default())
                })
            }
            Part::Hour => digits(rest, 1),
            Part::Offset => offset(rest),
            _ => digits(rest, 2),
        };
        let Some((number, after)) = read else { return unusable(part, rest) };
        let bounds = match part {
            Part::Month => 1..=12,
            Part::Hour => 0..=23,
            Part::Minute | Part::Second => 0..=59,
            // `offset` returns a number other than zero if the offset is out of range.
            Part::Offset => 0..=0,
            _ => i64::MIN..=i64::MAX,
        };
        if !bounds.contains(&number) {
            // The message about a number out of range quotes the string after it.
            return unusable(part, after);
        }
        match part {
            Part::Year => year = number,
            Part::Month => month = number,
            Part::Day => day = number,
            _ => {}
        }
        rest = if part == Part::Second { without_fraction(after) } else { after };
    }
    if !rest.is_empty() {
        return told("timestamp segment", rest);
    }
    if day < 1 || day > days_in_month(year, month) {
        return "day out of range".into();
    }
    by_hand(text)
}

/// Strings that Go's lenient parser accepts, but RFC 3339 does not.
fn by_hand(text: &str) -> String {
    let bytes = text.as_bytes();
    if bytes.get(12) == Some(&b':') {
        return told("hour", text.get(11..12).unwrap_or_default());
    }
    if bytes.get(19) == Some(&b',') {
        return told("timestamp segment", ",");
    }
    told("UTC offset", text.get(text.len().saturating_sub(6)..).unwrap_or(text))
}

/// One digit or two, at least so many.
fn digits(text: &str, least: usize) -> Option<(i64, &str)> {
    let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length).filter(|_| length >= least)?;
    Some((digits.parse().ok()?, rest))
}

fn without_fraction(text: &str) -> &str {
    let Some(fraction) = text.strip_prefix(['.', ',']) else { return text };
    let rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < fraction.len() { rest } else { text }
}

/// `Z` or `+hh:mm`; the number is one if it passes a bound.
fn offset(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix('Z') {
        return Some((0, rest));
    }
    let (sign, after) = (text.as_bytes().first()?, text.get(6..)?);
    let number = |at: usize| {
        let digits = text.get(at..at + 2)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse::<i64>().ok()).flatten()
    };
    if text.as_bytes().get(3) != Some(&b':') {
        return None;
    }
    let hours = number(1);
    let minutes = hours.and_then(|_| number(4));
    // Bounds are looked at before what cannot be read.
    let passed = minutes.is_some_and(|minutes| minutes > 60) || hours.is_some_and(|hours| hours > 24);
    if !passed && (minutes.is_none() || !matches!(sign, b'+' | b'-')) {
        return None;
    }
    Some((i64::from(passed), after))
}

fn missing_mark(mark: char, found: &str) -> String {
    if mark == 'T' {
        return "missing required time introducer 'T'".into();
    }
    if found.is_empty() {
        return format!("end of string where {} is expected", with_escapes(&mark.to_string()));
    }
    format!("found {} where {} is expected", with_escapes(found), with_escapes(&mark.to_string()))
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Year => "year",
        Part::Month => "month",
        Part::Day => "day of month",
        Part::Hour => "hour",
        Part::Minute => "minute",
        Part::Second => "second",
        Part::Offset => "UTC offset",
        Part::Mark(_) => "timestamp segment",
    }
}

fn unusable(part: Part, found: &str) -> String {
    told(name(part), found)
}

fn told(what: &str, found: &str) -> String {
    match what {
        _ if found.is_empty() => format!("end of string before {what}"),
        "hour" if found.contains(':') => "hour must be between 0 and 23 inclusive".into(),
        "hour" if found.len() != 2 => "hour must have exactly two digits".into(),
        "minute" if found.len() != 2 => "minute must have exactly two digits".into(),
        _ => format!("cannot use {} as {what}", with_escapes(found)),
    }
}

/// Quotes a string as in messages about times and durations: characters beyond ASCII as escaped bytes.
pub(super) fn quoted(text: &str) -> String {
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
