//! Methods of points and lengths of time: <https://docs.python.org/3/library/datetime.html>.

use minijinja::Value;

use super::super::{Result, error, str};
use super::no_method;
use crate::call::Args;
use crate::objects::{Datetime, Timedelta};

/// The methods of a point in time.
pub const DATETIME: [&str; 6] = ["date", "isoformat", "isoweekday", "strftime", "timestamp", "weekday"];

/// Calls a method of a point in time.
pub fn datetime(time: &Datetime, name: &str, args: Args) -> Result<Value> {
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
            let zoned = jiff::tz::TimeZone::system().to_timestamp(time.0);
            let timestamp = zoned.map_err(|_| error("year is out of range"))?;
            // Microseconds of the years that there are fit into the digits of a float.
            Ok(Value::from(timestamp.as_microsecond() as f64 / 1e6))
        }
        "weekday" => args.bind([], 0).map(|[]| Value::from(time.0.weekday().to_monday_zero_offset())),
        "isoweekday" => args.bind([], 0).map(|[]| Value::from(time.0.weekday().to_monday_one_offset())),
        "date" => args.bind([], 0).map(|[]| Value::from_object(Datetime(time.0.date().at(0, 0, 0, 0)))),
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
