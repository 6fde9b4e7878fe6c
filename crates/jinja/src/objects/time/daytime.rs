//! [`Daytime`]: a time of a day, `datetime.time`.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use jiff::civil::Time;
use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use super::{Datetime, SECOND, Timedelta, Zone, arguments, clock};
use crate::error::{Result, error};

/// A time of a day, with or without a zone.
#[derive(Clone, Copy, Debug)]
pub struct Daytime {
    /// The local time.
    pub time: Time,
    /// The time zone, if there is one.
    pub zone: Option<Zone>,
    /// Whether it is the second of two equal times, before which clocks were put back.
    pub fold: bool,
}

impl Daytime {
    /// Returns the ISO form up to a part of the time. Returns `None` for an unknown part.
    pub fn to_text(self, parts: &str) -> Option<String> {
        Some(clock(self.time, parts)? + &self.zone.map_or(String::new(), |zone| zone.offset(":")))
    }

    /// Returns Python's `str`.
    pub fn to_str(self) -> String {
        self.to_text("auto").unwrap_or_default()
    }

    /// Returns Python's `repr`.
    pub fn to_repr(self) -> String {
        format!("datetime.time({})", arguments(self.time, self.zone, self.fold))
    }

    /// Formats the time with `strftime`. The date is the first day of 1900.
    pub fn format(self, format: &str) -> Result<String> {
        let Daytime { time, zone, fold } = self;
        Datetime { zone, fold, ..jiff::civil::date(1900, 1, 1).to_datetime(time).into() }.format(format)
    }

    /// Microseconds since midnight, in UTC if there is a zone.
    fn microseconds(self) -> i64 {
        let since = self.time.duration_since(Time::midnight()).as_micros();
        // A day has fewer microseconds.
        i64::try_from(since).unwrap_or(0) - self.zone.map_or(0, |zone| i64::from(zone.seconds)) * SECOND
    }

    /// Compares two times. Times with and without a zone are never equal to each other.
    pub fn is_same(self, other: Daytime) -> bool {
        self.zone.is_some() == other.zone.is_some() && self.microseconds() == other.microseconds()
    }

    /// Returns the order of two times.
    pub fn order(self, other: Daytime) -> Result<Ordering> {
        if self.zone.is_some() != other.zone.is_some() {
            return Err(error("can't compare offset-naive and offset-aware times"));
        }
        Ok(self.microseconds().cmp(&other.microseconds()))
    }
}

impl Object for Daytime {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let time = self.time;
        let bound = |time| Value::from_object(Daytime { time, zone: None, fold: false });
        Some(match key.as_str()? {
            "hour" => Value::from(time.hour()),
            "minute" => Value::from(time.minute()),
            "second" => Value::from(time.second()),
            "microsecond" => Value::from(time.subsec_nanosecond() / 1000),
            "fold" => Value::from(i64::from(self.fold)),
            "tzinfo" => self.zone.map_or(Value::from(()), Value::from_object),
            "min" => bound(Time::midnight()),
            "max" => bound(jiff::civil::time(23, 59, 59, 999_999_000)),
            "resolution" => Timedelta::value(1),
            _ => return None,
        })
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_str())
    }
}
