//! Methods of points in time, times of a day, durations and zones: <https://docs.python.org/3/library/datetime.html>.

mod class_methods;
mod datetime;
mod daytime;
mod iso;
mod parts;

pub use datetime::{DATETIME, DAY, datetime};
pub use daytime::{DAYTIME, daytime};

use minijinja::Value;

use super::super::{Kind, duration, kind, type_name};
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Timedelta, Zone};

/// The methods of a time zone.
pub const ZONE: [&str; 4] = ["dst", "fromutc", "tzname", "utcoffset"];

/// Calls a method of a time zone, whose argument is a point in time.
pub fn zone(zone: &Zone, name: &str, args: Args) -> Result<Value> {
    let [at] = args.bind(["dt"], 1)?;
    let at = at.unwrap_or_default();
    let time = match kind(&at)? {
        Kind::Datetime(time) if !time.is_day => Some(time),
        Kind::None if name != "fromutc" => None,
        _ => {
            return Err(error(format!(
                "{name}(dt) argument must be a datetime instance or None, not {}",
                type_name(&at)
            )));
        }
    };
    match (name, time) {
        ("dst", _) => Ok(Value::from(())),
        ("tzname", _) => Ok(Value::from(zone.name())),
        ("utcoffset", _) => Ok(Value::from_object(zone.distance())),
        ("fromutc", Some(time)) if time.zone == Some(*zone) => {
            time.plus(zone.distance().microseconds).map(Value::from_object)
        }
        ("fromutc", Some(_)) => Err(error("fromutc: dt.tzinfo is not self")),
        _ => Err(no_method(&Value::from_object(*zone), name)),
    }
}

/// Calls a method of a duration.
pub fn timedelta(time: &Timedelta, name: &str, args: Args) -> Result<Value> {
    match name {
        "total_seconds" => args.bind([], 0).and_then(|[]| duration::total_seconds(*time)),
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}

/// The time zone that an argument is.
fn zone_of(value: &Value) -> Result<Option<Zone>> {
    match kind(value)? {
        Kind::None => Ok(None),
        Kind::Zone(zone) => Ok(Some(*zone)),
        _ => {
            Err(error(format!("tzinfo argument must be None or of a tzinfo subclass, not type '{}'", type_name(value))))
        }
    }
}

/// The string that an argument is.
fn text<'v>(value: &'v Value, subject: &str) -> Result<&'v str> {
    value.as_str().ok_or_else(|| error(format!("{subject}: argument must be str, not {}", type_name(value))))
}

/// The parts of a time that its ISO form has: the argument `timespec`.
fn timespec(value: Option<Value>) -> Result<String> {
    let Some(value) = value else { return Ok("auto".into()) };
    text(&value, "isoformat").map(str::to_owned)
}
