//! Points in time in the form of RFC 3339 (<https://www.rfc-editor.org/rfc/rfc3339#section-5.6>).

use super::civil::{Civil, days_in_month};
use super::timestamp_error;

/// Reads a point in time: `2018-01-02T23:12:01.5Z`, `2018-01-02T23:12:01+09:30`.
pub(super) fn parse(text: &str) -> Result<Civil, String> {
    read(text).ok_or_else(|| timestamp_error::describe(text))
}

fn read(text: &str) -> Option<Civil> {
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok()).flatten()
    };
    let bytes = text.as_bytes();
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if !marks.iter().all(|(at, mark)| bytes.get(*at) == Some(mark)) {
        return None;
    }
    let mut civil = Civil {
        year: number(0, 4)?,
        month: number(5, 7)?,
        day: number(8, 10)?,
        hour: number(11, 13)?,
        minute: number(14, 16)?,
        second: number(17, 19)?,
        nanosecond: 0,
        offset: 0,
    };
    let within = (1..=12).contains(&civil.month)
        && (1..=days_in_month(civil.year, civil.month)).contains(&civil.day)
        && civil.hour <= 23
        && civil.minute <= 59
        && civil.second <= 59;
    if !within {
        return None;
    }
    let mut rest = text.get(19..)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let length = fraction.bytes().take_while(u8::is_ascii_digit).count();
        if length > 0 {
            let (digits, after) = fraction.split_at(length);
            // Nine digits, more are cut off.
            civil.nanosecond = format!("{digits:0<9}").get(..9)?.parse().ok()?;
            rest = after;
        }
    }
    if rest != "Z" {
        let at = text.len() - rest.len();
        let sign = match rest.as_bytes().first()? {
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let (hours, minutes) = (number(at + 1, at + 3)?, number(at + 4, at + 6)?);
        if rest.len() != 6 || rest.as_bytes().get(3) != Some(&b':') || hours > 23 || minutes > 59 {
            return None;
        }
        civil.offset = sign * (hours * 60 + minutes) * 60;
    }
    Some(civil)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_part() {
        for (text, error) in [
            ("", "end of string before year"),
            ("2018-13-02T23:12:01Z", "cannot use \"-02T23:12:01Z\" as month"),
            ("2018-02-30T23:12:01Z", "day out of range"),
            ("2018-01-02 23:12:01Z", "missing required time introducer 'T'"),
            ("2018-01-02T1:12:01Z", "hour must have exactly two digits"),
            ("2018-01-02T23:12:01", "end of string before UTC offset"),
            ("2018-01-02T23:12:01Zx", "cannot use \"x\" as timestamp segment"),
        ] {
            assert_eq!(parse(text), Err(format!("not a valid RFC3339 timestamp: {error}")), "{text}");
        }
    }
}
