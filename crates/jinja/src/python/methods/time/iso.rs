//! Parses dates and times in ISO form, as Python 3.11 does: `fromisoformat`.

use jiff::civil::{Date, ISOWeekDate, Time, Weekday};

use crate::objects::{Datetime, Daytime, Zone};

/// Reads a date: `2024-05-06`, `20240506`, `2024-W19-1`, `2024W191`, or a week without a day.
pub(super) fn date(text: &str) -> Option<Date> {
    let year: i16 = digits(text.get(..4)?)?;
    let rest = text.get(4..)?;
    let (rest, has_dashes) = rest.strip_prefix('-').map_or((rest, false), |rest| (rest, true));
    if let Some(week) = rest.strip_prefix('W') {
        let number: i8 = digits(week.get(..2)?)?;
        let day = match (week.get(2..)?, has_dashes) {
            ("", _) => 1,
            (day, true) => digits(day.strip_prefix('-').filter(|day| day.len() == 1)?)?,
            (day, false) => digits(Some(day).filter(|day| day.len() == 1)?)?,
        };
        let weekday = Weekday::from_monday_one_offset(day).ok()?;
        return ISOWeekDate::new(year, number, weekday).ok().map(ISOWeekDate::date).filter(|date| date.year() > 0);
    }
    let month: i8 = digits(rest.get(..2)?)?;
    let day = rest.get(2..)?;
    let day = if has_dashes { day.strip_prefix('-')? } else { day };
    let day: i8 = digits(Some(day).filter(|day| day.len() == 2)?)?;
    Date::new(year, month, day).ok().filter(|date| date.year() > 0)
}

/// Reads a date and perhaps a time, with any character between them.
pub(super) fn datetime(text: &str) -> Option<Datetime> {
    let end = date_length(text)?;
    let date = date(text.get(..end)?)?;
    let rest = text.get(end..)?;
    let written = rest.chars().next().and_then(|between| rest.get(between.len_utf8()..)).unwrap_or_default();
    if written.is_empty() {
        return Some(date.at(0, 0, 0, 0).into());
    }
    let Daytime { time, zone, fold } = daytime(written)?;
    Some(Datetime { zone, fold, ..date.to_datetime(time).into() })
}

/// The length of the date that a point in time begins with: `_find_isoformat_datetime_separator` of CPython.
fn date_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if bytes.len() == 7 {
        return Some(7);
    }
    let at = |place: usize| bytes.get(place).copied();
    Some(match (at(4), at(5)) {
        (Some(b'-'), Some(b'W')) if bytes.len() < 8 => return None,
        // `YYYY-Www-D` or `YYYY-Www`, after which a time may begin with a dash.
        (Some(b'-'), Some(b'W')) if bytes.len() > 8 && at(8) == Some(b'-') => {
            if bytes.len() == 9 {
                return None;
            }
            if bytes.len() > 10 && is_digit(10) { 8 } else { 10 }
        }
        (Some(b'-'), Some(b'W')) => 8,
        (Some(b'-'), _) => 10,
        // `YYYYWwwD` or `YYYYWww`: a time has an even number of digits before its end.
        (Some(b'W'), _) => {
            let end = (7..bytes.len()).find(|place| !is_digit(*place)).unwrap_or(bytes.len());
            match end {
                ..9 => end,
                end if end % 2 == 0 => 7,
                _ => 8,
            }
        }
        _ => 8,
    })
}

/// Reads a time and perhaps a zone: `03:04:05.678+02:00`, `0304Z`.
pub(super) fn daytime(text: &str) -> Option<Daytime> {
    let end = text.find(['+', '-', 'Z']).unwrap_or(text.len());
    let ([hour, minute, second, micros], is_whole) = clock(text.get(..end)?, text.get(end..)?.bytes().next())?;
    let zone = match text.get(end..)? {
        "" if !is_whole => return None,
        "" => None,
        "Z" => Some(Zone::UTC),
        zone => {
            let ([hours, minutes, seconds, micros], is_whole) = clock(zone.strip_prefix(['+', '-'])?, None)?;
            let distance = 3600 * hours + 60 * minutes + seconds;
            // Zones with fractions of seconds are not represented.
            if !is_whole || micros != 0 || distance >= 86_400 {
                return None;
            }
            Some(Zone::new(if zone.starts_with('-') { -distance } else { distance }))
        }
    };
    let small = |number: i32| i8::try_from(number).ok();
    let time = Time::new(small(hour)?, small(minute)?, small(second)?, micros * 1000).ok()?;
    Some(Daytime { time, zone, fold: false })
}

/// The hours, minutes, seconds and microseconds of a time, of which only the hours must be there, and whether nothing
/// is after them: `parse_hh_mm_ss_ff` of CPython, which stops at the zone that begins with `after`.
fn clock(text: &str, after: Option<u8>) -> Option<([i32; 4], bool)> {
    let mut numbers = [0; 4];
    let mut at = 0;
    let mut has_colons = true;
    for (part, slot) in numbers.iter_mut().take(3).enumerate() {
        *slot = digits(text.get(at..at + 2)?)?;
        at += 2;
        let next = text.as_bytes().get(at).copied();
        if part == 0 {
            has_colons = next == Some(b':');
        }
        if at + 1 >= text.len() {
            return Some((numbers, next.or(after).is_none()));
        }
        match next {
            Some(b':') if has_colons => at += 1,
            Some(b'.' | b',') => {
                at += 1;
                break;
            }
            _ if has_colons => return None,
            _ => {}
        }
    }
    let rest = text.get(at..)?;
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    if length < rest.len().min(6) {
        return None;
    }
    let [.., micros] = &mut numbers;
    // Further digits are dropped.
    *micros = digits(format!("{:0<6}", rest.get(..length)?).get(..6)?)?;
    Some((numbers, length == rest.len() && after.is_none()))
}

/// A number that consists of digits alone.
fn digits<T: std::str::FromStr>(text: &str) -> Option<T> {
    text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
