//! Strings that Ruby would parse as times or dates.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::scalar::regex;
use crate::Error;

/// `ScalarScanner::TIME`. Whether such a string is a time is for [`is_time`] to say.
pub(super) static LIKE_TIME: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"\A-?[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t\r\n\x0b\x0c]+)[0-9]{1,2}:[0-9][0-9]:[0-9][0-9](?:\.[0-9]*)?",
        r"(?:[ \t\r\n\x0b\x0c]*(?:Z|[-+][0-9]{1,2}:?(?:[0-9][0-9])?))?\z"
    ))
});

/// The form of a date. [`is_date`] checks the calendar.
pub(super) static LIKE_DATE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"\A([0-9]{4})-(1[012]|0[0-9]|[0-9])-([12][0-9]|3[01]|0[0-9]|[0-9])\z"));

/// Returns whether Ruby converts a string of this form to a time: hours to zones must be in their ranges. Fails where
/// Ruby fails, which looks for the time of day after the first space or T.
pub(super) fn is_time(text: &str) -> Result<bool, Error> {
    static DATE: LazyLock<Regex> = LazyLock::new(|| regex(r"\A-?[0-9]{4}-([0-9]{1,2})-([0-9]{1,2})"));
    static TIME: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"([0-9]+):([0-9]+):([0-9]+)(?:\.[0-9]*)?",
            r"[ \t\r\n\x0b\x0c]*(?:Z|([-+][0-9]{1,2}):?([0-9]{1,2})?)?"
        ))
    });
    let Some((date, time)) = text.split_once([' ', 't', 'T']) else { return Err(Error::NoTime("match")) };
    let Some(date) = DATE.captures(date) else { return Ok(false) };
    let Some(time) = TIME.captures(time) else { return Err(Error::NoTime("[]")) };
    let (month, day) = (number(&date, 1), number(&date, 2));
    let (hour, minute, second) = (number(&time, 1), number(&time, 2), number(&time, 3));
    let day_exists = (1..=12).contains(&month) && (1..=31).contains(&day);
    // A leap second is allowed at any time, and midnight may be called 24 o'clock.
    let time_exists = hour <= 23 && minute <= 59 && second <= 60 || hour == 24 && minute == 0 && second == 0;
    let zone_exists = number(&time, 4).abs() * 3600 + number(&time, 5) * 60 < 86400;
    Ok(day_exists && time_exists && zone_exists)
}

/// Returns whether the date exists in the calendar of Ruby's dates: Julian up to 4 October 1582, followed by 15 October
/// of the Gregorian.
pub(super) fn is_date(date: &Captures<'_>) -> bool {
    let (year, month, day) = (number(date, 1), number(date, 2), number(date, 3));
    let gregorian = (year, month, day) >= (1582, 10, 15);
    if !gregorian && (year, month, day) > (1582, 10, 4) {
        return false;
    }
    let leap = if gregorian { year % 4 == 0 && year % 100 != 0 || year % 400 == 0 } else { year % 4 == 0 };
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// A group of digits with or without a sign; nothing counts as zero.
fn number(captures: &Captures<'_>, group: usize) -> i64 {
    captures.get(group).and_then(|digits| digits.as_str().parse().ok()).unwrap_or(0)
}
