//! [`Datetime`]: a point in time, `datetime.datetime` or `datetime.date`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use jiff::civil::{Date, DateTime};
use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use super::{DAY, Daytime, SECOND, Timedelta, Zone, arguments, clock};
use crate::error::{Result, error};

/// A point in time: a day, or a time of a day with or without a zone.
#[derive(Clone, Copy, Debug)]
pub struct Datetime {
    /// The local date and time; midnight for a day.
    pub time: DateTime,
    /// The time zone, if there is one.
    pub zone: Option<Zone>,
    /// Whether it is the second of two equal times, before which clocks were put back.
    pub fold: bool,
    /// True for a date without a time.
    pub is_day: bool,
}

impl From<DateTime> for Datetime {
    fn from(time: DateTime) -> Datetime {
        Datetime { time, zone: None, fold: false, is_day: false }
    }
}

impl Datetime {
    /// Creates a date.
    pub fn day(date: Date) -> Datetime {
        Datetime { is_day: true, ..date.at(0, 0, 0, 0).into() }
    }

    /// Returns the ISO form with a separator between date and time.
    pub fn to_text(self, between: char) -> String {
        self.to_iso(between, "auto").unwrap_or_default()
    }

    /// Returns the ISO form with a separator between date and time, up to a part of the time. Returns `None` for an
    /// unknown part.
    pub fn to_iso(self, between: char, parts: &str) -> Option<String> {
        let time = self.time;
        let date = format!("{:04}-{:02}-{:02}", time.year(), time.month(), time.day());
        if self.is_day {
            return Some(date);
        }
        let zone = self.zone.map_or(String::new(), |zone| zone.offset(":"));
        Some(format!("{date}{between}{}{zone}", clock(time.time(), parts)?))
    }

    /// Returns Python's `repr`.
    pub fn to_repr(self) -> String {
        let time = self.time;
        let date = format!("{}, {}, {}", time.year(), time.month(), time.day());
        if self.is_day {
            return format!("datetime.date({date})");
        }
        format!("datetime.datetime({date}, {})", arguments(time.time(), self.zone, self.fold))
    }

    /// Formats the time with `strftime`. Without a time zone, its name and offset are empty.
    pub fn format(self, format: &str) -> Result<String> {
        let (name, offset) = self.zone.map_or_else(Default::default, |zone| (zone.name(), zone.offset("")));
        // Python's `%f` always has six digits.
        self.format_in(format, &name, &offset, "%6f")
    }

    /// Formats the time with `strftime`, with the name and offset of a time zone, and the value of `%f`.
    ///
    /// Names are those of the locale C, and directives that the C library does not know are copied.
    pub fn format_in(self, format: &str, zone: &str, offset: &str, fraction: &str) -> Result<String> {
        let mut ours = String::with_capacity(format.len());
        let mut letters = format.chars().peekable();
        while let Some(letter) = letters.next() {
            if letter != '%' {
                ours.push(letter);
                continue;
            }
            let mut next = letters.next();
            // Other calendars and digits, which the locale C does not have.
            if let Some('E' | 'O') = next
                && let Some(after) = letters.next_if(|letter| letter.is_ascii_alphabetic() || *letter == '%')
            {
                next = Some(after);
            }
            match next {
                Some('f') => ours.push_str(fraction),
                Some('Z') => ours.push_str(zone),
                Some('z') => ours.push_str(offset),
                Some('c') => ours.push_str("%a %b %e %H:%M:%S %Y"),
                Some('x') => ours.push_str("%m/%d/%y"),
                Some('r') => ours.push_str("%I:%M:%S %p"),
                // Whatever zone it is of.
                Some('s') => {
                    let timestamp = self.local_timestamp();
                    ours.push_str(&timestamp.map_or(-1, jiff::Timestamp::as_second).to_string());
                }
                Some(known) if "aAbBCdDeFgGhHIjklmMnpPRStTuUVwWXyY%_-0^#123456789".contains(known) => {
                    ours.extend(['%', known]);
                }
                unknown => ours.extend(['%', '%'].into_iter().chain(unknown)),
            }
        }
        jiff::fmt::strtime::format(&ours, self.time)
            .map_err(|problem| error(format!("Invalid format string: {problem}")))
    }

    /// Parses a time with a format of `strptime`.
    pub fn parse(text: &str, format: &str) -> Result<Datetime> {
        let mismatch = || error(format!("time data '{text}' does not match format '{format}'"));
        // Python takes an offset with and without a colon, and `Z`.
        let formats = [format.to_owned(), format.replace("%z", "%:z"), format.replace("%z", "Z")];
        let formats = if format.contains("%z") { &formats[..] } else { &formats[..1] };
        let parsed = formats.iter().find_map(|format| jiff::fmt::strtime::parse(format, text).ok());
        let parsed = parsed.ok_or_else(mismatch)?;
        let date = match parsed.to_date() {
            Ok(date) => date,
            // The default date is January 1, 1900.
            Err(_) => {
                let (year, month, day) = (parsed.year().unwrap_or(1900), parsed.month().unwrap_or(1), parsed.day());
                Date::new(year, month, day.unwrap_or(1)).map_err(|_| mismatch())?
            }
        };
        let time = parsed.to_time().unwrap_or(jiff::civil::Time::midnight());
        let zone = format.contains("%z").then(|| Zone::new(parsed.offset().map_or(0, jiff::tz::Offset::seconds)));
        Ok(Datetime { zone, ..date.to_datetime(time).into() })
    }

    /// Returns the local time in microseconds since the start of 1970.
    fn shown(self) -> i64 {
        let span = self.time.duration_since(jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0));
        i64::try_from(span.as_micros()).unwrap_or(0)
    }

    /// Returns the microseconds since 1970, in UTC if there is a zone.
    pub fn microseconds(self) -> i64 {
        self.shown() - self.zone.map_or(0, |zone| i64::from(zone.seconds)) * SECOND
    }

    /// Compares two points in time. Dates, and times with and without a time zone, are never equal to each other.
    pub fn is_same(self, other: Datetime) -> bool {
        let comparable = self.is_day == other.is_day && self.zone.is_some() == other.zone.is_some();
        comparable && self.microseconds() == other.microseconds()
    }

    /// Returns the order of two points in time.
    pub fn order(self, other: Datetime) -> Result<Ordering> {
        if self.is_day != other.is_day {
            return Err(error("can't compare datetime.datetime to datetime.date"));
        }
        if self.zone.is_some() != other.zone.is_some() {
            return Err(error("can't compare offset-naive and offset-aware datetimes"));
        }
        Ok(self.microseconds().cmp(&other.microseconds()))
    }

    /// Returns the time between two points.
    pub fn since(self, other: Datetime) -> Result<Value> {
        if self.is_day != other.is_day {
            let (one, other) = (self.type_name(), other.type_name());
            return Err(error(format!("unsupported operand type(s) for -: 'datetime.{one}' and 'datetime.{other}'")));
        }
        if self.zone.is_some() != other.zone.is_some() {
            return Err(error("can't subtract offset-naive and offset-aware datetimes"));
        }
        Ok(Timedelta::value(self.microseconds() - other.microseconds()))
    }

    /// Adds a duration. To a date, adds only its whole days.
    pub fn plus(self, microseconds: i128) -> Result<Datetime> {
        let day = i128::from(DAY);
        let microseconds = if self.is_day { microseconds.div_euclid(day) * day } else { microseconds };
        let out_of_range = || error("date value out of range");
        let microseconds = i64::try_from(microseconds).map_err(|_| out_of_range())?;
        let later = self.time.checked_add(jiff::SignedDuration::from_micros(microseconds));
        let time = later.ok().filter(|time| time.year() > 0).ok_or_else(out_of_range)?;
        Ok(Datetime { time, fold: false, ..self })
    }

    /// Converts to a time zone. The default is the zone of the system, which is also that of a time without a zone.
    pub fn in_zone(self, zone: Option<Zone>) -> Result<Datetime> {
        let out_of_range = |_| error("date value out of range");
        let at = match self.zone {
            Some(_) => jiff::Timestamp::from_microsecond(self.microseconds()).map_err(out_of_range)?,
            None => self.local_timestamp().map_err(out_of_range)?,
        };
        let zone = zone.unwrap_or_else(|| Zone::of_system(at));
        let utc = Datetime::from(jiff::tz::TimeZone::UTC.to_datetime(at));
        Ok(Datetime { zone: Some(zone), ..utc.plus(zone.distance().microseconds)? })
    }

    /// Returns its time of the day, without the zone.
    pub fn daytime(self) -> Daytime {
        Daytime { time: self.time.time(), zone: None, fold: self.fold }
    }

    /// Returns the name of its Python type.
    pub fn type_name(self) -> &'static str {
        if self.is_day { "date" } else { "datetime" }
    }

    /// Returns the current time, in the local time zone or in UTC.
    pub fn now(utc: bool) -> Datetime {
        let now = jiff::Timestamp::now();
        let zone = if utc { jiff::tz::TimeZone::UTC } else { jiff::tz::TimeZone::system() };
        zone.to_datetime(now).into()
    }

    /// Returns a time of the system's clock in the local time zone.
    pub fn local(time: std::time::SystemTime) -> Option<Datetime> {
        // A time outside of the calendar has no date.
        let time = jiff::Timestamp::try_from(time).ok()?;
        Some(jiff::tz::TimeZone::system().to_datetime(time).into())
    }

    /// Returns the name and offset of the local time zone at this time, or of UTC.
    pub fn zone(self, utc: bool) -> (String, String) {
        if utc {
            return ("GMT".into(), "+0000".into());
        }
        let zoned = jiff::tz::TimeZone::system().to_zoned_datetime(self.time);
        let part = |format| zoned.as_ref().map(|zoned| zoned.strftime(format).to_string()).unwrap_or_default();
        (part("%Z"), part("%z"))
    }

    /// Interprets the time in the local time zone.
    pub fn local_timestamp(self) -> std::result::Result<jiff::Timestamp, jiff::Error> {
        jiff::tz::TimeZone::system().to_timestamp(self.time)
    }

    /// Creates a time from the seconds since 1970.
    pub fn from_seconds(seconds: f64, utc: bool) -> Result<Datetime> {
        let out_of_range = |_| error("timestamp out of range for platform time_t");
        let duration = jiff::SignedDuration::try_from_secs_f64(seconds).map_err(out_of_range)?;
        let timestamp = jiff::Timestamp::from_duration(duration).map_err(out_of_range)?;
        let zone = if utc { jiff::tz::TimeZone::UTC } else { jiff::tz::TimeZone::system() };
        Ok(zone.to_datetime(timestamp).into())
    }
}

impl Object for Datetime {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let time = self.time;
        Some(match key.as_str()? {
            "year" => Value::from(time.year()),
            "month" => Value::from(time.month()),
            "day" => Value::from(time.day()),
            "min" => {
                let first = jiff::civil::date(1, 1, 1).at(0, 0, 0, 0);
                Value::from_object(Datetime { zone: None, fold: false, time: first, ..**self })
            }
            "max" => {
                let last = jiff::civil::date(9999, 12, 31);
                let last = if self.is_day { last.at(0, 0, 0, 0) } else { last.at(23, 59, 59, 999_999_000) };
                Value::from_object(Datetime { zone: None, fold: false, time: last, ..**self })
            }
            "resolution" => Timedelta::value(if self.is_day { DAY } else { 1 }),
            _ if self.is_day => return None,
            "hour" => Value::from(time.hour()),
            "minute" => Value::from(time.minute()),
            "second" => Value::from(time.second()),
            "microsecond" => Value::from(time.subsec_nanosecond() / 1000),
            "fold" => Value::from(i64::from(self.fold)),
            "tzinfo" => self.zone.map_or(Value::from(()), Value::from_object),
            _ => return None,
        })
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text(' '))
    }
}
