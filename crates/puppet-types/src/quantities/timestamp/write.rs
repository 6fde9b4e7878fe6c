//! Formats a timestamp, as Ruby's `Time#strftime` does.

use std::fmt::Write as _;

use super::Timestamp;
use super::civil::{MONTHS, WEEKDAYS, date, days, is_leap};
use crate::quantities::NANOSECONDS;

/// The largest width of a field.
const MAX_WIDTH: usize = 10_000;

/// Writes a moment, in UTC or at an offset from it in seconds.
pub(super) fn write(moment: Timestamp, format: &str, offset: Option<i64>) -> String {
    let local = moment.nanoseconds() + i128::from(offset.unwrap_or(0)) * NANOSECONDS;
    let day = (local.div_euclid(NANOSECONDS * 86_400)) as i64;
    let of_day = local.rem_euclid(NANOSECONDS * 86_400);
    let (year, month, month_day) = date(day);
    let writer = TimestampWriter {
        moment,
        offset,
        year,
        month,
        day: month_day,
        of_year: day - days(year, 1, 1) + 1,
        weekday: (day + 4).rem_euclid(7),
        hour: (of_day / NANOSECONDS / 3600) as i64,
        minute: (of_day / NANOSECONDS / 60 % 60) as i64,
        second: (of_day / NANOSECONDS % 60) as i64,
        fraction: of_day % NANOSECONDS,
    };
    let mut out = String::new();
    writer.format(format, &mut out);
    out
}

struct TimestampWriter {
    moment: Timestamp,
    offset: Option<i64>,
    year: i64,
    month: i64,
    day: i64,
    of_year: i64,
    weekday: i64,
    hour: i64,
    minute: i64,
    second: i64,
    fraction: i128,
}

/// The flags between `%` and the letter.
#[derive(Clone, Copy, Default)]
struct DirectiveFlags {
    pad: Option<char>,
    no_pad: bool,
    upper: bool,
    swap: bool,
    colons: usize,
    width: Option<usize>,
}

impl DirectiveFlags {
    fn number(self, out: &mut String, number: i64, width: usize, pad: char) {
        if self.no_pad {
            let _ = write!(out, "{number}");
            return;
        }
        let width = self.width.unwrap_or(width);
        match self.pad.unwrap_or(pad) {
            // The sign is before the zeros, but after the blanks.
            '0' if number < 0 => {
                let (size, wide) = (number.unsigned_abs(), width.saturating_sub(1));
                let _ = write!(out, "-{size:0>wide$}");
            }
            '0' => {
                let _ = write!(out, "{number:0>width$}");
            }
            _ => {
                let _ = write!(out, "{number:>width$}");
            }
        }
    }

    fn text(self, out: &mut String, text: &str) {
        let text = if self.upper {
            text.to_uppercase()
        } else if self.swap {
            // Ruby's `#` turns names to upper case.
            text.to_uppercase()
        } else {
            text.to_owned()
        };
        let fill = self.width.unwrap_or(0).saturating_sub(text.chars().count());
        let pad = if self.no_pad {
            ""
        } else if self.pad == Some('0') {
            "0"
        } else {
            " "
        };
        out.push_str(&pad.repeat(fill));
        out.push_str(&text);
    }
}

impl TimestampWriter {
    fn format(&self, format: &str, out: &mut String) {
        let mut rest = format;
        while let Some(at) = rest.find('%') {
            out.push_str(&rest[..at]);
            let (flags, directive, length) = flags(&rest[at + 1..]);
            let whole = &rest[at..(at + 1 + length).min(rest.len())];
            match directive.filter(|_| flags.width.unwrap_or(0) <= MAX_WIDTH) {
                Some(directive) if self.directive(directive, flags, out) => {}
                // An unknown directive stays unchanged.
                _ => out.push_str(whole),
            }
            rest = &rest[whole.len() + at..];
        }
        out.push_str(rest);
    }

    fn nested(&self, format: &str, flags: DirectiveFlags, out: &mut String) {
        let mut inner = String::new();
        self.format(format, &mut inner);
        flags.text(out, &inner);
    }

    fn directive(&self, directive: char, flags: DirectiveFlags, out: &mut String) -> bool {
        let half = if self.hour % 12 == 0 { 12 } else { self.hour % 12 };
        match directive {
            'Y' => flags.number(out, self.year, if self.year < 0 { 5 } else { 4 }, '0'),
            'C' => flags.number(out, self.year.div_euclid(100), 2, '0'),
            'y' => flags.number(out, self.year.rem_euclid(100), 2, '0'),
            'm' => flags.number(out, self.month, 2, '0'),
            'd' => flags.number(out, self.day, 2, '0'),
            'e' => flags.number(out, self.day, 2, ' '),
            'j' => flags.number(out, self.of_year, 3, '0'),
            'H' => flags.number(out, self.hour, 2, '0'),
            'k' => flags.number(out, self.hour, 2, ' '),
            'I' => flags.number(out, half, 2, '0'),
            'l' => flags.number(out, half, 2, ' '),
            'M' => flags.number(out, self.minute, 2, '0'),
            'S' => flags.number(out, self.second, 2, '0'),
            's' => flags.number(out, self.moment.to_seconds() as i64, 1, '0'),
            'u' => flags.number(out, if self.weekday == 0 { 7 } else { self.weekday }, 1, '0'),
            'w' => flags.number(out, self.weekday, 1, '0'),
            'U' => flags.number(out, (self.of_year + 6 - self.weekday) / 7, 2, '0'),
            'W' => flags.number(out, (self.of_year + 6 - (self.weekday + 6) % 7) / 7, 2, '0'),
            'V' => flags.number(out, self.iso_week().1, 2, '0'),
            'G' => flags.number(out, self.iso_week().0, 4, '0'),
            'g' => flags.number(out, self.iso_week().0.rem_euclid(100), 2, '0'),
            'L' => self.fraction(flags.width.unwrap_or(3), out),
            'N' => self.fraction(flags.width.unwrap_or(9), out),
            'B' => flags.text(out, MONTHS[(self.month - 1) as usize % 12]),
            'b' | 'h' => flags.text(out, &MONTHS[(self.month - 1) as usize % 12][..3]),
            'A' => flags.text(out, WEEKDAYS[self.weekday as usize % 7]),
            'a' => flags.text(out, &WEEKDAYS[self.weekday as usize % 7][..3]),
            'p' if flags.swap => flags.lower(out, self.half_name()),
            'p' => flags.text(out, self.half_name()),
            'P' => flags.text(out, &self.half_name().to_lowercase()),
            'Z' if flags.swap => flags.lower(out, self.zone_name()),
            'Z' => flags.text(out, self.zone_name()),
            'z' => self.offset(flags, out),
            'n' => flags.text(out, "\n"),
            't' => flags.text(out, "\t"),
            '%' => flags.text(out, "%"),
            'c' => self.nested("%a %b %e %H:%M:%S %Y", flags, out),
            'D' | 'x' => self.nested("%m/%d/%y", flags, out),
            'F' => self.nested("%Y-%m-%d", flags, out),
            'v' => self.nested("%e-%^b-%4Y", flags, out),
            'X' | 'T' => self.nested("%H:%M:%S", flags, out),
            'R' => self.nested("%H:%M", flags, out),
            'r' => self.nested("%I:%M:%S %p", flags, out),
            '+' => self.nested("%a %b %e %H:%M:%S %Z %Y", flags, out),
            _ => return false,
        }
        true
    }

    fn half_name(&self) -> &'static str {
        if self.hour < 12 { "AM" } else { "PM" }
    }

    fn zone_name(&self) -> &'static str {
        // A time of a fixed offset has no name.
        if self.offset.is_none() { "UTC" } else { "" }
    }

    fn fraction(&self, width: usize, out: &mut String) {
        let digits = format!("{:09}", self.fraction);
        out.extend(digits.chars().chain(std::iter::repeat('0')).take(width));
    }

    fn offset(&self, flags: DirectiveFlags, out: &mut String) {
        let offset = self.offset.unwrap_or(0);
        let sign = if offset < 0 { '-' } else { '+' };
        let all = offset.abs();
        let (hours, minutes, seconds) = (all / 3600, all / 60 % 60, all % 60);
        let rest = match flags.colons {
            0 => format!("{minutes:02}"),
            1 => format!(":{minutes:02}"),
            2 => format!(":{minutes:02}:{seconds:02}"),
            _ => String::new(),
        };
        let width = flags.width.unwrap_or(0).saturating_sub(rest.len() + 1).max(if flags.no_pad { 1 } else { 2 });
        if flags.pad == Some(' ') {
            let number = format!("{sign}{hours}");
            let wide = width + 1;
            let _ = write!(out, "{number:>wide$}{rest}");
        } else {
            let _ = write!(out, "{sign}{hours:0>width$}{rest}");
        }
    }

    /// Year and week as ISO 8601 counts them.
    fn iso_week(&self) -> (i64, i64) {
        let weekday = if self.weekday == 0 { 7 } else { self.weekday };
        let week = (self.of_year - weekday + 10) / 7;
        if week < 1 {
            return (self.year - 1, weeks(self.year - 1));
        }
        if week > weeks(self.year) { (self.year + 1, 1) } else { (self.year, week) }
    }
}

impl DirectiveFlags {
    fn lower(self, out: &mut String, text: &str) {
        DirectiveFlags { swap: false, upper: false, ..self }.text(out, &text.to_lowercase());
    }
}

/// The number of weeks of a year.
fn weeks(year: i64) -> i64 {
    let first = (days(year, 1, 1) + 4).rem_euclid(7);
    if first == 4 || is_leap(year) && first == 3 { 53 } else { 52 }
}

/// Flags, letter, and the bytes of both.
fn flags(text: &str) -> (DirectiveFlags, Option<char>, usize) {
    let mut flags = DirectiveFlags::default();
    let mut length = 0;
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.peek().copied() {
        match c {
            '-' => flags.no_pad = true,
            '0' => flags.pad = Some('0'),
            '_' => flags.pad = Some(' '),
            '^' => flags.upper = true,
            '#' => flags.swap = true,
            ':' => flags.colons += 1,
            '1'..='9' => {
                let mut width = 0usize;
                while let Some(digit) = letters.peek().and_then(|c| c.to_digit(10)) {
                    width = width.saturating_mul(10).saturating_add(digit as usize);
                    letters.next();
                    length += 1;
                }
                flags.width = Some(width);
                continue;
            }
            'E' | 'O' => {}
            _ => return (flags, Some(c), length + c.len_utf8()),
        }
        letters.next();
        length += 1;
    }
    (flags, None, length)
}
