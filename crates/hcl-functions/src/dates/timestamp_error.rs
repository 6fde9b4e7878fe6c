//! Explains why a string is not a timestamp, with the messages of the reference.

use hieratic_hcl_types::quoted as with_escapes;

use super::civil::days_in_month;

/// The parts of a timestamp, in order, with their names in messages.
#[derive(Clone, Copy, PartialEq)]
enum TimestampPart {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Offset,
    Mark(char),
}

const PARTS: [TimestampPart; 12] = [
    TimestampPart::Year,
    TimestampPart::Mark('-'),
    TimestampPart::Month,
    TimestampPart::Mark('-'),
    TimestampPart::Day,
    TimestampPart::Mark('T'),
    TimestampPart::Hour,
    TimestampPart::Mark(':'),
    TimestampPart::Minute,
    TimestampPart::Mark(':'),
    TimestampPart::Second,
    TimestampPart::Offset,
];

/// The message for a string that is not a timestamp.
pub(super) fn describe(text: &str) -> String {
    format!("not a valid RFC3339 timestamp: {}", first_error(text))
}

fn first_error(text: &str) -> String {
    let mut rest = text;
    let (mut year, mut month, mut day) = (0, 1, 1);
    for part in PARTS {
        let read = match part {
            TimestampPart::Mark(mark) => match rest.strip_prefix(mark) {
                Some(after) => Some((0, after)),
                None => return missing_mark(mark, rest),
            },
            TimestampPart::Year => {
                rest.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit())).map(|digits| {
                    // Four digits are a number.
                    (digits.parse().unwrap_or(0), rest.get(4..).unwrap_or_default())
                })
            }
            TimestampPart::Hour => digits(rest, 1),
            TimestampPart::Offset => offset(rest),
            _ => digits(rest, 2),
        };
        let Some((number, after)) = read else { return part_error(part, rest) };
        let bounds = match part {
            TimestampPart::Month => 1..=12,
            TimestampPart::Hour => 0..=23,
            TimestampPart::Minute | TimestampPart::Second => 0..=59,
            // `offset` returns a number other than zero if the offset is out of range.
            TimestampPart::Offset => 0..=0,
            _ => i64::MIN..=i64::MAX,
        };
        if !bounds.contains(&number) {
            // The message about a number out of range quotes the string after it.
            return part_error(part, after);
        }
        match part {
            TimestampPart::Year => year = number,
            TimestampPart::Month => month = number,
            TimestampPart::Day => day = number,
            _ => {}
        }
        rest = if part == TimestampPart::Second { without_fraction(after) } else { after };
    }
    if !rest.is_empty() {
        return describe_found("timestamp segment", rest);
    }
    if day < 1 || day > days_in_month(year, month) {
        return "day out of range".into();
    }
    leniency_error(text)
}

/// Strings that Go's lenient parser accepts, but RFC 3339 does not.
fn leniency_error(text: &str) -> String {
    let bytes = text.as_bytes();
    if bytes.get(12) == Some(&b':') {
        return describe_found("hour", text.get(11..12).unwrap_or_default());
    }
    if bytes.get(19) == Some(&b',') {
        return describe_found("timestamp segment", ",");
    }
    describe_found("UTC offset", text.get(text.len().saturating_sub(6)..).unwrap_or(text))
}

/// Parses at least `least` digits, and at most two.
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

fn name(part: TimestampPart) -> &'static str {
    match part {
        TimestampPart::Year => "year",
        TimestampPart::Month => "month",
        TimestampPart::Day => "day of month",
        TimestampPart::Hour => "hour",
        TimestampPart::Minute => "minute",
        TimestampPart::Second => "second",
        TimestampPart::Offset => "UTC offset",
        TimestampPart::Mark(_) => "timestamp segment",
    }
}

fn part_error(part: TimestampPart, found: &str) -> String {
    describe_found(name(part), found)
}

fn describe_found(problem: &str, found: &str) -> String {
    match problem {
        _ if found.is_empty() => format!("end of string before {problem}"),
        "hour" if found.contains(':') => "hour must be between 0 and 23 inclusive".into(),
        "hour" if found.len() != 2 => "hour must have exactly two digits".into(),
        "minute" if found.len() != 2 => "minute must have exactly two digits".into(),
        _ => format!("cannot use {} as {problem}", with_escapes(found)),
    }
}
