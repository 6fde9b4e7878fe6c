//! Parses a timestamp in a format, as Ruby's `DateTime.strptime` does.

use super::Timestamp;
use super::civil::{MONTHS, WEEKDAYS, days};
use super::zone::{offset_of, prefix, zone_offset};
use crate::quantities::NANOSECONDS;

/// The parsed fields.
#[derive(Debug, Default)]
pub(super) struct Fields {
    year: Option<i64>,
    century: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    of_year: Option<i64>,
    hour: Option<i64>,
    half: Option<i64>,
    minute: Option<i64>,
    second: Option<i64>,
    nanoseconds: i128,
    epoch: Option<i128>,
    /// The zone, as the string writes it.
    pub zone: Option<String>,
    /// Whether the whole string was parsed.
    pub complete: bool,
}

impl Fields {
    /// Returns the timestamp of the fields. `zone` applies if they contain none.
    pub fn moment(&self, text: &str, zone: Option<&str>) -> Result<Timestamp, String> {
        let zone = zone.or(self.zone.as_deref());
        let out_of_range = || "argument out of range".to_owned();
        let offset = match zone {
            Some(zone) => offset_of(zone).map_or_else(|| zone_offset(zone), Ok)?,
            None => 0,
        };
        let year = match (self.year, self.century) {
            (Some(year), _) => year,
            _ if self.epoch.is_some() => 1970,
            _ => return Err(format!("the string '{text}' has no year")),
        };
        let (month, day) = (self.month.unwrap_or(1), self.day.unwrap_or(1));
        let hour = match (self.hour, self.half) {
            (Some(hour), Some(half)) => hour % 12 + half,
            (hour, _) => hour.unwrap_or(0),
        };
        // Ruby accepts day 31 in every month, and continues in the next month.
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) || hour > 24 {
            return Err(out_of_range());
        }
        let date = match self.of_year {
            Some(of_year) if self.month.is_none() && self.day.is_none() => days(year, 1, 1) + of_year - 1,
            _ => days(year, month, 1) + day - 1,
        };
        let seconds = date * 86_400 + hour * 3600 + self.minute.unwrap_or(0) * 60 + self.second.unwrap_or(0);
        let nanoseconds = i128::from(seconds - offset) * NANOSECONDS + self.nanoseconds;
        Timestamp::new(nanoseconds).ok_or_else(out_of_range)
    }
}

/// Parses a prefix of a string by a format. Returns `None` if it does not match.
pub(super) fn read(text: &str, format: &str) -> Option<Fields> {
    let mut reader = TimestampReader { rest: text, fields: Fields::default() };
    reader.format(format)?;
    reader.fields.complete = reader.rest.is_empty();
    Some(reader.fields)
}

struct TimestampReader<'t> {
    rest: &'t str,
    fields: Fields,
}

impl TimestampReader<'_> {
    fn format(&mut self, format: &str) -> Option<()> {
        let mut letters = format.chars().peekable();
        while let Some(c) = letters.next() {
            if c.is_ascii_whitespace() {
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
                continue;
            }
            if c != '%' {
                self.rest = self.rest.strip_prefix(c)?;
                continue;
            }
            let mut directive = letters.next()?;
            while matches!(directive, '-' | '_' | '0' | '^' | '#' | ':' | 'E' | 'O') {
                directive = letters.next()?;
            }
            // A number that digits follow at once takes only its own.
            let packed = match letters.peek() {
                Some(next) if next.is_ascii_digit() => true,
                Some('%') => {
                    let mut ahead = letters.clone();
                    ahead.next();
                    ahead.next().is_some_and(|c| "CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy".contains(c))
                }
                _ => false,
            };
            self.directive(directive, packed)?;
        }
        Some(())
    }

    fn directive(&mut self, directive: char, packed: bool) -> Option<()> {
        match directive {
            'Y' => self.fields.year = Some(self.signed(if packed { 4 } else { usize::MAX })?),
            'C' => self.fields.century = Some(self.signed(if packed { 2 } else { usize::MAX })?),
            'y' => {
                let year = self.number(2)?;
                self.fields.year = Some(if year >= 69 { 1900 + year } else { 2000 + year });
            }
            'm' => self.fields.month = Some(self.within(2, 1, 12)?),
            'd' | 'e' => {
                self.rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
                self.fields.day = Some(self.within(2, 1, 31)?);
            }
            'j' => self.fields.of_year = Some(self.within(3, 1, 366)?),
            'H' | 'k' => {
                self.rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
                self.fields.hour = Some(self.within(2, 0, 24)?);
            }
            'I' | 'l' => {
                self.rest = self.rest.strip_prefix(' ').unwrap_or(self.rest);
                self.fields.hour = Some(self.within(2, 1, 12)?);
                self.fields.half = self.fields.half.or(Some(0));
            }
            'p' | 'P' => {
                let lower = self.rest.to_ascii_lowercase();
                let (half, length) = [("am", 0, 2), ("pm", 12, 2), ("a.m.", 0, 4), ("p.m.", 12, 4)]
                    .into_iter()
                    .find(|(word, ..)| lower.starts_with(word))
                    .map(|(_, half, length)| (half, length))?;
                self.fields.half = Some(half);
                self.rest = &self.rest[length..];
            }
            'M' => self.fields.minute = Some(self.within(2, 0, 59)?),
            'S' => self.fields.second = Some(self.within(2, 0, 60)?),
            'L' => self.fraction(if packed { 3 } else { usize::MAX })?,
            'N' => self.fraction(if packed { 9 } else { usize::MAX })?,
            's' => {
                let seconds = self.signed(usize::MAX)?;
                self.set_epoch(i128::from(seconds) * NANOSECONDS);
            }
            'Q' => {
                let milliseconds = self.signed(usize::MAX)?;
                self.set_epoch(i128::from(milliseconds) * 1_000_000);
            }
            'B' | 'b' | 'h' => self.fields.month = Some(self.one_of(&MONTHS)? + 1),
            'A' | 'a' => drop(self.one_of(&WEEKDAYS)?),
            'u' => drop(self.within(1, 1, 7)?),
            'w' => drop(self.within(1, 0, 6)?),
            'U' | 'W' => drop(self.within(2, 0, 53)?),
            'V' => drop(self.within(2, 1, 53)?),
            'G' => drop(self.signed(4)?),
            'g' => drop(self.number(2)?),
            'Z' | 'z' => {
                let zone = prefix(self.rest)?;
                self.rest = &self.rest[zone.len()..];
                self.fields.zone = Some(zone.to_owned());
            }
            'F' => self.format("%Y-%m-%d")?,
            'T' | 'X' => self.format("%H:%M:%S")?,
            'R' => self.format("%H:%M")?,
            'D' | 'x' => self.format("%m/%d/%y")?,
            'r' => self.format("%I:%M:%S %p")?,
            'c' => self.format("%a %b %e %H:%M:%S %Y")?,
            'v' => self.format("%e-%b-%Y")?,
            '+' => self.format("%a %b %e %H:%M:%S %Z %Y")?,
            'n' | 't' => self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace()),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            _ => return None,
        }
        Some(())
    }

    fn set_epoch(&mut self, nanoseconds: i128) {
        let (year, month, day) = super::civil::date((nanoseconds.div_euclid(NANOSECONDS * 86_400)) as i64);
        let of_day = nanoseconds.rem_euclid(NANOSECONDS * 86_400);
        self.fields.epoch = Some(nanoseconds);
        self.fields.year = Some(year);
        self.fields.month = Some(month);
        self.fields.day = Some(day);
        self.fields.hour = Some((of_day / NANOSECONDS / 3600) as i64);
        self.fields.minute = Some((of_day / NANOSECONDS / 60 % 60) as i64);
        self.fields.second = Some((of_day / NANOSECONDS % 60) as i64);
        self.fields.nanoseconds = of_day % NANOSECONDS;
    }

    fn digits(&mut self, most: usize) -> Option<&str> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).take(most).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(digits).filter(|digits| !digits.is_empty())
    }

    fn number(&mut self, most: usize) -> Option<i64> {
        // A number with more digits than any year is an error.
        self.digits(most)?.parse().ok().filter(|number: &i64| *number < 1_000_000_000_000)
    }

    fn signed(&mut self, most: usize) -> Option<i64> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let number = self.number(most)?;
        Some(if negative { -number } else { number })
    }

    fn within(&mut self, most: usize, low: i64, high: i64) -> Option<i64> {
        self.number(most).filter(|number| (low..=high).contains(number))
    }

    fn fraction(&mut self, most: usize) -> Option<()> {
        let negative = self.rest.starts_with('-');
        self.rest = self.rest.strip_prefix(['-', '+']).unwrap_or(self.rest);
        let digits = self.digits(most)?;
        let nine: String = digits.chars().chain(std::iter::repeat('0')).take(9).collect();
        let number: i128 = nine.parse().ok()?;
        self.fields.nanoseconds = if negative { -number } else { number };
        Some(())
    }

    /// The position of a name, in full or by its first three letters.
    fn one_of(&mut self, names: &[&str]) -> Option<i64> {
        let lower = self.rest.to_ascii_lowercase();
        let at = names.iter().position(|name| lower.starts_with(&name[..3].to_ascii_lowercase()))?;
        let full = names[at].to_ascii_lowercase();
        self.rest = &self.rest[if lower.starts_with(&full) { full.len() } else { 3 }..];
        Some(at as i64)
    }
}
