//! Timestamps of YAML (<https://yaml.org/type/timestamp.html>), as far as the reference supports them.

use crate::dates::{Civil, days_in_month};

/// Rewrites a date, or a date and time, in the form of RFC 3339; `None` if it is neither.
pub(super) fn rewritten(text: &str) -> Option<String> {
    let length = text.find(|letter: char| !letter.is_ascii_digit())?;
    let (year, rest) = text.split_at(length);
    let rest = rest.strip_prefix('-').filter(|_| length == 4)?;
    let (month, rest) = short(rest)?;
    let (day, rest) = short(rest.strip_prefix('-')?)?;
    let year: i64 = year.parse().ok()?;
    if !(1..=12).contains(&month) || day < 1 || day > days_in_month(year, month) {
        return None;
    }
    let mut civil = Civil { year, month, day, ..Civil::default() };
    if rest.is_empty() {
        return Some(civil.rfc3339());
    }
    let (zoned, rest) = match rest.as_bytes().first()? {
        b'T' | b't' => (true, rest.get(1..)?),
        b' ' => (false, rest.trim_start_matches(' ')),
        _ => return None,
    };
    let (hour, rest) = short(rest)?;
    let (minute, rest) = short(rest.strip_prefix(':')?)?;
    let (second, rest) = short(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    (civil.hour, civil.minute, civil.second) = (hour, minute, second);
    let rest = without_fraction(rest);
    match (zoned, rest) {
        (false, "") | (true, "Z") => {}
        (true, rest) => civil.offset = offset(rest)?,
        _ => return None,
    }
    Some(civil.rfc3339())
}

/// One digit or two.
fn short(text: &str) -> Option<(i64, &str)> {
    let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    Some((digits.parse().ok()?, rest))
}

fn without_fraction(text: &str) -> &str {
    let Some(fraction) = text.strip_prefix(['.', ',']) else { return text };
    let rest = fraction.trim_start_matches(|letter: char| letter.is_ascii_digit());
    if rest.len() < fraction.len() { rest } else { text }
}

/// `+hh:mm`, in seconds.
fn offset(text: &str) -> Option<i64> {
    let digits = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = text.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let sign = match text.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = (digits(1..3)?, digits(4..6)?);
    // These generous bounds are the reference's.
    let fits = text.len() == 6 && text.as_bytes().get(3) == Some(&b':') && hours <= 24 && minutes <= 60;
    fits.then_some(sign * (hours * 60 + minutes) * 60)
}
