//! [`Zone`]: a time zone, `datetime.timezone`.

use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use super::{SECOND, Timedelta};

/// The longest name of a zone in bytes. The names of the system's zones have three to six.
const LONGEST_NAME: usize = 10;

/// A time zone: an offset from UTC, with or without a name.
#[derive(Clone, Copy, Debug)]
pub struct Zone {
    /// The offset from UTC in seconds.
    pub seconds: i32,
    name: Option<[u8; LONGEST_NAME]>,
}

/// Zones of equal offset are equal, regardless of their names.
impl PartialEq for Zone {
    fn eq(&self, other: &Zone) -> bool {
        self.seconds == other.seconds
    }
}

impl Zone {
    /// UTC.
    pub const UTC: Zone = Zone::new(0);

    /// Creates a zone without a name.
    pub const fn new(seconds: i32) -> Zone {
        Zone { seconds, name: None }
    }

    /// Returns the zone of the system at a time, with its name.
    pub fn of_system(at: jiff::Timestamp) -> Zone {
        let zone = jiff::tz::TimeZone::system();
        let offset = zone.to_offset_info(at);
        let abbreviation = offset.abbreviation().as_bytes();
        let mut name = [0; LONGEST_NAME];
        let known = name.get_mut(..abbreviation.len()).map(|slot| slot.copy_from_slice(abbreviation));
        Zone { seconds: offset.offset().seconds(), name: known.map(|()| name) }
    }

    /// Returns Python's name of the zone.
    pub fn name(self) -> String {
        match self.name {
            Some(name) => String::from_utf8_lossy(&name).trim_end_matches('\0').to_owned(),
            None if self.seconds == 0 => "UTC".into(),
            None => format!("UTC{}", self.offset(":")),
        }
    }

    /// Formats the offset from UTC as Python does, with a separator between its parts.
    pub fn offset(self, colon: &str) -> String {
        let (sign, seconds) = (if self.seconds < 0 { '-' } else { '+' }, self.seconds.unsigned_abs());
        let rest = if seconds % 60 == 0 { String::new() } else { format!("{colon}{:02}", seconds % 60) };
        format!("{sign}{:02}{colon}{:02}{rest}", seconds / 3600, seconds / 60 % 60)
    }

    /// Returns the offset from UTC.
    pub fn distance(self) -> Timedelta {
        Timedelta { microseconds: i128::from(self.seconds) * i128::from(SECOND) }
    }

    /// Returns Python's `repr`.
    pub fn to_repr(self) -> String {
        match self.name {
            Some(_) => format!("datetime.timezone({}, '{}')", self.distance().to_repr(), self.name()),
            None if self.seconds == 0 => "datetime.timezone.utc".into(),
            None => format!("datetime.timezone({})", self.distance().to_repr()),
        }
    }
}

impl Object for Zone {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        // The zones that are farthest from UTC are a minute less than a day away.
        const FARTHEST: i32 = 86_340;
        let seconds = match key.as_str()? {
            "utc" => 0,
            "min" => -FARTHEST,
            "max" => FARTHEST,
            _ => return None,
        };
        Some(Value::from_object(Zone::new(seconds)))
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.name())
    }
}
