//! Methods of points and lengths of time: <https://docs.python.org/3/library/datetime.html>.

use minijinja::Value;

use super::super::str;
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Datetime, Timedelta};

/// The methods of a point in time.
pub const DATETIME: [&str; 8] =
    ["date", "isoformat", "isoweekday", "strftime", "timestamp", "tzname", "utcoffset", "weekday"];

/// Those of a day.
pub const DAY: [&str; 4] = ["isoformat", "isoweekday", "strftime", "weekday"];

/// Calls a method of a point in time.
pub fn datetime(time: &Datetime, name: &str, args: Args) -> Result<Value> {
    if time.is_day && !DAY.contains(&name) {
        return Err(no_method(&Value::from_object(*time), name));
    }
    match name {
        "strftime" => {
            let [format] = args.bind(["format"], 1)?;
            time.format(&str(&format.unwrap_or_default())?).map(Value::from)
        }
        "isoformat" => {
            let [separator] = args.bind(["sep"], 0)?;
            let separator = separator.as_ref().and_then(|text| text.as_str()).and_then(|text| text.chars().next());
            Ok(Value::from(time.to_text(separator.unwrap_or('T'))))
        }
        "timestamp" => {
            args.bind([], 0)?;
            let microseconds = match time.zone {
                Some(_) => time.microseconds(),
                None => time.local_timestamp().map_err(|_| error("year is out of range"))?.as_microsecond(),
            };
            // Microseconds of the years that there are fit into the digits of a float.
            Ok(Value::from(microseconds as f64 / 1e6))
        }
        "weekday" => args.bind([], 0).map(|[]| Value::from(time.time.weekday().to_monday_zero_offset())),
        "isoweekday" => args.bind([], 0).map(|[]| Value::from(time.time.weekday().to_monday_one_offset())),
        "date" => args.bind([], 0).map(|[]| Value::from_object(Datetime::day(time.time.date()))),
        "tzname" => args.bind([], 0).map(|[]| time.zone_name().map_or(Value::from(()), Value::from)),
        "utcoffset" => args.bind([], 0).map(|[]| match time.zone {
            Some(zone) => Timedelta::value(i64::from(zone) * 1_000_000),
            None => Value::from(()),
        }),
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}

/// Calls a method of a length of time.
pub fn timedelta(time: &Timedelta, name: &str, args: Args) -> Result<Value> {
    match name {
        "total_seconds" => args.bind([], 0).map(|[]| Value::from(time.microseconds as f64 / 1e6)),
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}
