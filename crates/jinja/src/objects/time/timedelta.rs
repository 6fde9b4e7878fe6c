//! [`Timedelta`]: a duration, `datetime.timedelta`.

use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};
use num_bigint::BigInt;

use super::{DAY, SECOND};
use crate::error::{Result, error};

/// A duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Timedelta {
    /// The duration in microseconds, which may be negative.
    pub microseconds: i128,
}

/// The most days of a length of time.
const MAX_DAYS: i128 = 999_999_999;

/// The longest time.
const LONGEST: Timedelta = Timedelta { microseconds: (MAX_DAYS + 1) * DAY as i128 - 1 };

/// The most negative time.
const SHORTEST: Timedelta = Timedelta { microseconds: -MAX_DAYS * DAY as i128 };

impl Timedelta {
    /// Creates the value of a duration.
    pub fn value(microseconds: i64) -> Value {
        Value::from_object(Timedelta { microseconds: microseconds.into() })
    }

    /// Creates the value of a duration. It is an error if it is out of Python's range.
    pub fn checked(microseconds: &BigInt) -> Result<Value> {
        let length = i128::try_from(microseconds).map(|microseconds| Timedelta { microseconds });
        match length {
            Ok(length) if (SHORTEST..=LONGEST).contains(&length) => Ok(Value::from_object(length)),
            _ => {
                let days = microseconds / DAY;
                Err(error(format!("days={days}; must have magnitude <= {MAX_DAYS}")))
            }
        }
    }

    /// Returns the days, seconds and microseconds. Only the days may be negative.
    pub fn parts(self) -> (i128, i128, i128) {
        let (day, second) = (i128::from(DAY), i128::from(SECOND));
        let within = self.microseconds.rem_euclid(day);
        (self.microseconds.div_euclid(day), within / second, within % second)
    }

    /// Returns Python's `str`.
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

    /// Returns Python's `repr`.
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
        // The parts of a length in Python's range are small.
        let part = |number: i128| i64::try_from(number).ok().map(Value::from);
        match key.as_str()? {
            "days" => part(days),
            "seconds" => part(seconds),
            "microseconds" => part(micros),
            "min" => Some(Value::from_object(SHORTEST)),
            "max" => Some(Value::from_object(LONGEST)),
            "resolution" => Some(Timedelta::value(1)),
            _ => None,
        }
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.to_text())
    }
}
