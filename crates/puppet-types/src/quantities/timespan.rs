//! [`Timespan`]: a length of time, to the nanosecond.
//!
//! See [Timespan](https://www.puppet.com/docs/puppet/8/function.html#new-timespan) for its formats.

use std::fmt::{self, Write as _};

use crate::quantities::{LONGEST, NANOSECONDS};

const PER_MINUTE: i128 = 60 * NANOSECONDS;
const PER_HOUR: i128 = 60 * PER_MINUTE;
const PER_DAY: i128 = 24 * PER_HOUR;

/// A length of time, to the nanosecond; it may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timespan(i128);

/// The formats that are tried if none is given.
pub(crate) const DEFAULT_FORMATS: [&str; 8] =
    ["%D-%H:%M:%S.%-N", "%H:%M:%S.%-N", "%M:%S.%-N", "%S.%-N", "%D-%H:%M:%S", "%H:%M:%S", "%D-%H:%M", "%S"];

impl Timespan {
    /// Creates a time span of some nanoseconds. Returns `None` if they are out of range.
    pub fn new(nanoseconds: i128) -> Option<Timespan> {
        (nanoseconds.abs() < LONGEST).then_some(Timespan(nanoseconds))
    }

    /// Returns the nanoseconds.
    pub fn nanoseconds(self) -> i128 {
        self.0
    }

    /// Returns the seconds as a float.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Returns the whole seconds, rounded down.
    pub fn to_seconds(self) -> i128 {
        self.0.div_euclid(NANOSECONDS)
    }

    /// Creates a time span from its fields: days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds.
    /// Returns `None` if it is out of range.
    pub fn from_fields(negative: bool, fields: [i64; 7]) -> Option<Timespan> {
        let units = [PER_DAY, PER_HOUR, PER_MINUTE, NANOSECONDS, 1_000_000, 1_000, 1];
        let sum: i128 = fields.iter().zip(units).map(|(count, unit)| i128::from(*count) * unit).sum();
        Timespan::new(if negative { -sum } else { sum })
    }

    /// Returns the parts of the length without its sign: days, hours, minutes, seconds, milliseconds, microseconds,
    /// nanoseconds.
    pub fn fields(self) -> [i128; 7] {
        let all = self.0.abs();
        [
            all / PER_DAY,
            all / PER_HOUR % 24,
            all / PER_MINUTE % 60,
            all / NANOSECONDS % 60,
            all / 1_000_000 % 1000,
            all / 1_000 % 1000,
            all % 1000,
        ]
    }

    /// Returns whether the time span is negative.
    pub fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// Parses a string in one of the usual formats.
    ///
    /// # Errors
    /// The string has none of the formats.
    pub fn parse(text: &str) -> Result<Timespan, String> {
        Timespan::parse_with(text, &DEFAULT_FORMATS)
    }

    /// Parses a string in one of several formats.
    ///
    /// # Errors
    /// The string has none of the formats, or a format is malformed.
    pub fn parse_with(text: &str, formats: &[&str]) -> Result<Timespan, String> {
        for format in formats {
            if let Ok(found) = Format::parse(format)?.read(text, format) {
                return Ok(found);
            }
        }
        Err(format!("Unable to parse '{text}' using any of the formats {}", formats.join(", ")))
    }

    /// Parses a string in a format.
    ///
    /// # Errors
    /// The string does not have the format, or the format is malformed.
    pub fn parse_format(text: &str, format: &str) -> Result<Timespan, String> {
        Format::parse(format)?.read(text, format)
    }

    /// Writes the time span in a format.
    ///
    /// # Errors
    /// The format is malformed.
    pub fn format(self, format: &str) -> Result<String, String> {
        Ok(Format::parse(format)?.write(self))
    }
}

impl fmt::Display for Timespan {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The first of the usual formats is one.
        out.write_str(&self.format(DEFAULT_FORMATS[0]).unwrap_or_default())
    }
}

/// The padding of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pad {
    None,
    Zero,
    Blank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unit {
    Nanosecond,
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
}

#[derive(Debug)]
enum Segment {
    Literal(String),
    Value { unit: Unit, pad: Pad, width: Option<usize>, total: bool },
}

struct Format(Vec<Segment>);

/// The largest width of a padded number.
const MAX_WIDTH: usize = 10_000;

impl Format {
    fn parse(text: &str) -> Result<Format, String> {
        let bad = |from: usize, to: usize| {
            let shown: String = text.chars().skip(from).take(to - from).collect();
            format!("Bad format specifier '{shown}' in '{text}', at position {to}")
        };
        let mut segments: Vec<Segment> = Vec::new();
        let literal = |segments: &mut Vec<Segment>, c: char| match segments.last_mut() {
            Some(Segment::Literal(text)) => text.push(c),
            _ => segments.push(Segment::Literal(c.into())),
        };
        let mut characters = text.chars().enumerate();
        let mut count;
        while let Some((start, c)) = characters.next() {
            count = start + 1;
            if c != '%' {
                literal(&mut segments, c);
                continue;
            }
            let (mut pad, mut width, mut first) = (Pad::Zero, None::<usize>, true);
            loop {
                let Some((at, c)) = characters.next() else { return Err(bad(start, count)) };
                count = at + 1;
                let unit = match c {
                    '%' => {
                        literal(&mut segments, '%');
                        break;
                    }
                    '-' | '_' if first => {
                        pad = if c == '-' { Pad::None } else { Pad::Blank };
                        first = false;
                        continue;
                    }
                    '0' if first => {
                        first = false;
                        continue;
                    }
                    '0'..='9' => {
                        let digit = c as usize - '0' as usize;
                        let wider = width.map_or(digit, |width| width * 10 + digit);
                        if wider > MAX_WIDTH {
                            return Err(bad(start, at));
                        }
                        width = Some(wider);
                        first = false;
                        continue;
                    }
                    'D' => Unit::Day,
                    'H' => Unit::Hour,
                    'M' => Unit::Minute,
                    'S' => Unit::Second,
                    'L' => Unit::Millisecond,
                    'N' => Unit::Nanosecond,
                    _ => return Err(bad(start, at)),
                };
                segments.push(Segment::Value { unit, pad, width, total: false });
                break;
            }
        }
        // The first value of the highest unit takes everything above it.
        let highest = segments.iter().filter_map(|one| match one {
            Segment::Value { unit, .. } => Some(*unit),
            Segment::Literal(_) => None,
        });
        if let Some(highest) = highest.max() {
            let first = segments.iter_mut().find_map(|one| match one {
                Segment::Value { unit, total, .. } if *unit == highest => Some(total),
                _ => None,
            });
            if let Some(total) = first {
                *total = true;
            }
        }
        Ok(Format(segments))
    }

    fn write(&self, span: Timespan) -> String {
        let mut out = String::new();
        if span.is_negative() {
            out.push('-');
        }
        let all = span.0.abs();
        for segment in &self.0 {
            match segment {
                Segment::Literal(text) => out.push_str(text),
                Segment::Value { unit, pad, width, total } => write_value(&mut out, all, *unit, *pad, *width, *total),
            }
        }
        out
    }

    fn read(&self, text: &str, format: &str) -> Result<Timespan, String> {
        let refused = || format!("Unable to parse '{text}' using format '{format}'");
        let negative = text.starts_with('-');
        let rest = text.strip_prefix('-').unwrap_or(text);
        let mut sum: i128 = 0;
        let groups = match_segments(&self.0, rest).ok_or_else(refused)?;
        for (segment, group) in self.0.iter().zip(groups) {
            let Segment::Value { unit, total, .. } = segment else { continue };
            let digits = group.trim_start();
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(refused());
            }
            sum = sum.checked_add(value_of(digits, *unit, *total)?).ok_or_else(refused)?;
        }
        Timespan::new(if negative { -sum } else { sum }).ok_or_else(refused)
    }
}

fn default_width(unit: Unit) -> usize {
    match unit {
        Unit::Day => 1,
        Unit::Hour | Unit::Minute | Unit::Second => 2,
        Unit::Millisecond => 3,
        Unit::Nanosecond => 9,
    }
}

fn write_value(out: &mut String, all: i128, unit: Unit, pad: Pad, width: Option<usize>, total: bool) {
    let wide = width.unwrap_or(default_width(unit));
    let fraction = matches!(unit, Unit::Millisecond | Unit::Nanosecond);
    let mut number = match unit {
        Unit::Day => all / PER_DAY,
        Unit::Hour if total => all / PER_HOUR,
        Unit::Hour => all / PER_HOUR % 24,
        Unit::Minute if total => all / PER_MINUTE,
        Unit::Minute => all / PER_MINUTE % 60,
        Unit::Second if total => all / NANOSECONDS,
        Unit::Second => all / NANOSECONDS % 60,
        Unit::Millisecond if total => all / 1_000_000,
        Unit::Millisecond => all / 1_000_000 % 1000,
        Unit::Nanosecond if wide < 9 => {
            let cut = all / 10i128.pow(9 - wide as u32);
            if total { cut } else { cut % 10i128.pow(wide as u32) }
        }
        Unit::Nanosecond if total => all,
        Unit::Nanosecond => all % NANOSECONDS,
    };
    // Writing to a string cannot fail.
    if fraction {
        if !total && pad != Pad::Zero {
            while number != 0 && number % 10 == 0 {
                number /= 10;
            }
        }
        let _ = match pad {
            Pad::None => write!(out, "{number}"),
            // The reference aligns fractions to the left, with blanks after.
            Pad::Zero | Pad::Blank => write!(out, "{number:<wide$}"),
        };
        return;
    }
    let _ = match pad {
        Pad::None => write!(out, "{number}"),
        Pad::Blank => write!(out, "{number:>wide$}"),
        Pad::Zero => write!(out, "{number:0>wide$}"),
    };
}

fn value_of(digits: &str, unit: Unit, total: bool) -> Result<i128, String> {
    // More digits than a number has would overflow; they are beyond all reason anyway.
    let number: i128 = digits.parse().map_err(|_| format!("the number {digits} is too large"))?;
    let too_large = || format!("the number {digits} is too large");
    let per = match unit {
        Unit::Day => PER_DAY,
        Unit::Hour => PER_HOUR,
        Unit::Minute => PER_MINUTE,
        Unit::Second => NANOSECONDS,
        Unit::Millisecond | Unit::Nanosecond => {
            if total {
                return Err(
                    "Format specifiers %L and %N denotes fractions and must be used together with a specifier of higher magnitude"
                        .into(),
                );
            }
            let missing = 9usize.saturating_sub(digits.len()) as u32;
            return number.checked_mul(10i128.pow(missing)).ok_or_else(too_large);
        }
    };
    number.checked_mul(per).ok_or_else(too_large)
}

/// The piece of text of each segment, as a regular expression with one group for each would find them.
fn match_segments<'t>(segments: &[Segment], text: &'t str) -> Option<Vec<&'t str>> {
    let Some((first, rest)) = segments.split_first() else { return text.is_empty().then(Vec::new) };
    let try_length = |length: usize, blanks: usize| -> Option<Vec<&'t str>> {
        let mut found = match_segments(rest, &text[length..])?;
        found.insert(0, &text[blanks..length]);
        Some(found)
    };
    match first {
        Segment::Literal(literal) => {
            if text.starts_with(literal.as_str()) {
                try_length(literal.len(), 0)
            } else {
                None
            }
        }
        Segment::Value { unit, pad, width, total } => {
            let wide = default_width(*unit);
            let bytes = text.as_bytes();
            let spaces = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            let in_class = |blanks: bool, from: usize| {
                bytes[from..]
                    .iter()
                    .take_while(|byte| byte.is_ascii_digit() || blanks && byte.is_ascii_whitespace())
                    .count()
            };
            let (from, available, least, most) = match (width, pad) {
                (None, Pad::None | Pad::Zero) => (0, in_class(false, 0), 1, if *total { usize::MAX } else { wide }),
                (None, Pad::Blank) if *total => (spaces, in_class(false, spaces), 1, usize::MAX),
                (None, Pad::Blank) => (0, in_class(true, 0), 1, wide),
                (Some(width), Pad::None) => (0, in_class(false, 0), 1, *width),
                (Some(width), Pad::Zero) => (0, in_class(false, 0), *width, *width),
                (Some(width), Pad::Blank) => (0, in_class(true, 0), *width, *width),
            };
            let longest = available.min(most);
            // The longest first, as a greedy expression does.
            (least..=longest).rev().find_map(|length| try_length(from + length, from))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_spans_are_parsed_and_written() {
        for text in ["0-00:00:01.0", "1-02:03:04.5", "-1-00:00:00.25", "10-00:00:00.123"] {
            let span = Timespan::parse(text).unwrap();
            assert_eq!(Timespan::parse(&span.to_string()).unwrap(), span);
        }
        assert_eq!(Timespan::parse("1-02:03:04.5").unwrap().to_string(), "1-02:03:04.5");
        assert_eq!(Timespan::parse("90").unwrap().format("%M:%S").unwrap(), "01:30");
        assert_eq!(
            Timespan::parse("1:30").unwrap_err(),
            "Unable to parse '1:30' using any of the formats %D-%H:%M:%S.%-N, %H:%M:%S.%-N, %M:%S.%-N, %S.%-N, %D-%H:%M:%S, %H:%M:%S, %D-%H:%M, %S"
        );
        assert!(Timespan::parse_format("x", "%Q").unwrap_err().starts_with("Bad format specifier '%'"));
    }
}
