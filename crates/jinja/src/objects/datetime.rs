//! Points in time and lengths of time, as Python's `datetime` has them.

use std::fmt;
use std::sync::Arc;

use jiff::civil::DateTime;
use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use crate::python::{Result, error};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// A point in time without a time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Datetime(pub DateTime);

impl Datetime {
    /// The text with a letter between date and time.
    pub fn to_text(self, between: char) -> String {
        let time = self.0;
        let micros = time.subsec_nanosecond() / 1000;
        let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
        format!(
            "{:04}-{:02}-{:02}{between}{:02}:{:02}:{:02}{fraction}",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute(),
            time.second()
        )
    }

    /// What Python writes for it inside a list.
    pub fn to_repr(self) -> String {
        let time = self.0;
        let mut text = format!(
            "datetime.datetime({}, {}, {}, {}, {}",
            time.year(),
            time.month(),
            time.day(),
            time.hour(),
            time.minute()
        );
        let micros = time.subsec_nanosecond() / 1000;
        if time.second() != 0 || micros != 0 {
            text.push_str(&format!(", {}", time.second()));
        }
        if micros != 0 {
            text.push_str(&format!(", {micros}"));
        }
        text.push(')');
        text
    }

    /// Writes it in a format of `strftime`. It has no time zone, whose name and offset are empty then.
    pub fn format(self, format: &str) -> Result<String> {
        self.format_in(format, "", "")
    }

    /// Writes it in a format of `strftime`, with the name and offset of a time zone.
    pub fn format_in(self, format: &str, zone: &str, offset: &str) -> Result<String> {
        // Python's `%f` always has six digits.
        let format = format.replace("%f", "%6f").replace("%Z", zone).replace("%z", offset);
        jiff::fmt::strtime::format(&format, self.0).map_err(|fault| error(format!("Invalid format string: {fault}")))
    }

    /// Reads it in a format of `strptime`.
    pub fn parse(text: &str, format: &str) -> Result<Datetime> {
        let mismatch = || error(format!("time data '{text}' does not match format '{format}'"));
        let parsed = jiff::fmt::strtime::parse(format, text).map_err(|_| mismatch())?;
        let date = match parsed.to_date() {
            Ok(date) => date,
            // What a format does not tell is the first of January 1900.
            Err(_) => {
                let (year, month, day) = (parsed.year().unwrap_or(1900), parsed.month().unwrap_or(1), parsed.day());
                jiff::civil::Date::new(year, month, day.unwrap_or(1)).map_err(|_| mismatch())?
            }
        };
        let time = parsed.to_time().unwrap_or(jiff::civil::Time::midnight());
        Ok(Datetime(date.to_datetime(time)))
    }

    /// Microseconds since the start of 1970.
    pub fn microseconds(self) -> i64 {
        let span = self.0.duration_since(jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0));
        i64::try_from(span.as_micros()).unwrap_or(0)
    }

    /// The time between two points.
    pub fn since(self, other: &Datetime) -> Value {
        Timedelta::value(self.microseconds() - other.microseconds())
    }

    /// A point in time so much later.
    pub fn plus(self, microseconds: i64) -> Result<Value> {
        let later = self.0.checked_add(jiff::SignedDuration::from_micros(microseconds));
        later.map(|time| Value::from_object(Datetime(time))).map_err(|_| error("date value out of range"))
    }

    /// Now, in the machine's time zone or in UTC.
    pub fn now(utc: bool) -> Datetime {
        let now = jiff::Timestamp::now();
        let zone = if utc { jiff::tz::TimeZone::UTC } else { jiff::tz::TimeZone::system() };
        Datetime(zone.to_datetime(now))
    }

    /// The name and offset of the machine's time zone at this point in time, or of UTC.
    pub fn zone(self, utc: bool) -> (String, String) {
        if utc {
            return ("GMT".into(), "+0000".into());
        }
        let zoned = jiff::tz::TimeZone::system().to_zoned(self.0);
        let part = |format| zoned.as_ref().map(|zoned| zoned.strftime(format).to_string()).unwrap_or_default();
        (part("%Z"), part("%z"))
    }

    /// A point in time so many seconds after the start of 1970.
    pub fn from_seconds(seconds: f64, utc: bool) -> Result<Datetime> {
        let out_of_range = |_| error("timestamp out of range for platform time_t");
        let duration = jiff::SignedDuration::try_from_secs_f64(seconds).map_err(out_of_range)?;
        let timestamp = jiff::Timestamp::from_duration(duration).map_err(out_of_range)?;
        let zone = if utc { jiff::tz::TimeZone::UTC } else { jiff::tz::TimeZone::system() };
        Ok(Datetime(zone.to_datetime(timestamp)))
    }
}

impl Object for Datetime {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let time = self.0;
        Some(match key.as_str()? {
            "year" => Value::from(time.year()),
            "month" => Value::from(time.month()),
            "day" => Value::from(time.day()),
            "hour" => Value::from(time.hour()),
            "minute" => Value::from(time.minute()),
            "second" => Value::from(time.second()),
            "microsecond" => Value::from(time.subsec_nanosecond() / 1000),
            "tzinfo" => Value::from(()),
            _ => return None,
        })
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text(' '))
    }
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timedelta {
    /// How long, which may be negative.
    pub microseconds: i64,
}

impl Timedelta {
    /// A length of time as a value.
    pub fn value(microseconds: i64) -> Value {
        Value::from_object(Timedelta { microseconds })
    }

    /// A longer length of time.
    pub fn plus(self, microseconds: i64) -> Value {
        Timedelta::value(self.microseconds.saturating_add(microseconds))
    }

    /// Days, seconds and microseconds, of which only the days may be negative.
    pub fn parts(self) -> (i64, i64, i64) {
        let within = self.microseconds.rem_euclid(DAY);
        (self.microseconds.div_euclid(DAY), within / SECOND, within % SECOND)
    }

    /// What Python prints for it.
    pub fn to_text(self) -> String {
        let (days, seconds, micros) = self.parts();
        let days = match days {
            0 => String::new(),
            1 | -1 => format!("{days} day, "),
            _ => format!("{days} days, "),
        };
        let fraction = if micros == 0 { String::new() } else { format!(".{micros:06}") };
        format!("{days}{}:{:02}:{:02}{fraction}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    /// What Python writes for it inside a list.
    pub fn to_repr(self) -> String {
        let (days, seconds, micros) = self.parts();
        let parts = [("days", days), ("seconds", seconds), ("microseconds", micros)];
        let parts: Vec<String> =
            parts.iter().filter(|(_, part)| *part != 0).map(|(name, part)| format!("{name}={part}")).collect();
        format!("datetime.timedelta({})", if parts.is_empty() { "0".into() } else { parts.join(", ") })
    }
}

impl Object for Timedelta {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let (days, seconds, micros) = self.parts();
        Some(match key.as_str()? {
            "days" => Value::from(days),
            "seconds" => Value::from(seconds),
            "microseconds" => Value::from(micros),
            _ => return None,
        })
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text())
    }
}
