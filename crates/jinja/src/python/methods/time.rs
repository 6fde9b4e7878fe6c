//! Methods of points and lengths of time: <https://docs.python.org/3/library/datetime.html>.

use minijinja::Value;

use super::super::number::index;
use super::super::type_name;
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Datetime, Timedelta};

/// The methods of a point in time.
pub const DATETIME: [&str; 12] = [
    "ctime",
    "date",
    "dst",
    "isoformat",
    "isoweekday",
    "replace",
    "strftime",
    "timestamp",
    "toordinal",
    "tzname",
    "utcoffset",
    "weekday",
];

/// Those of a day.
pub const DAY: [&str; 7] = ["ctime", "isoformat", "isoweekday", "replace", "strftime", "toordinal", "weekday"];

/// Calls a method of a point in time.
pub fn datetime(time: &Datetime, name: &str, args: Args) -> Result<Value> {
    if time.is_day && !DAY.contains(&name) {
        return Err(no_method(&Value::from_object(*time), name));
    }
    match name {
        "strftime" => {
            let [format] = args.bind(["format"], 1)?;
            let format = format.unwrap_or_default();
            let Some(format) = format.as_str() else {
                return Err(error(format!("strftime() argument 1 must be str, not {}", type_name(&format))));
            };
            time.format(format).map(Value::from)
        }
        "isoformat" => {
            if time.is_day {
                args.bind([], 0)?;
                return Ok(Value::from(time.to_text('T')));
            }
            let [separator] = args.bind(["sep"], 0)?;
            if let Some(other) =
                separator.as_ref().filter(|text| text.as_str().is_none_or(|text| text.chars().count() != 1))
            {
                return Err(error(format!(
                    "isoformat() argument 1 must be a unicode character, not {}",
                    type_name(other)
                )));
            }
            let separator = separator.as_ref().and_then(|text| text.as_str()).and_then(|text| text.chars().next());
            Ok(Value::from(time.to_text(separator.unwrap_or('T'))))
        }
        "ctime" => args.bind([], 0).and_then(|[]| time.format("%a %b %e %H:%M:%S %Y")).map(Value::from),
        "dst" => args.bind([], 0).map(|[]| Value::from(())),
        "toordinal" => {
            args.bind([], 0)?;
            // Days are counted from the first of January of the year 1.
            let days = time.time.date().duration_since(jiff::civil::date(1, 1, 1)).as_hours() / 24;
            Ok(Value::from(days + 1))
        }
        "replace" => replaced(time, args),
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

/// The point in time with other parts.
fn replaced(time: &Datetime, args: Args) -> Result<Value> {
    let names = ["year", "month", "day", "hour", "minute", "second", "microsecond"];
    let parts: [Option<Value>; 7] = args.bind(names, 0)?;
    if time.is_day && parts.iter().skip(3).any(Option::is_some) {
        return Err(error("a date has no hours, minutes and seconds to be replaced"));
    }
    let now = time.time;
    let [year, month, day, hour, minute, second, micros] = parts.map(|part| part.map(|part| index(&part)));
    let or = |part: Option<Result<i64>>, now: i64, name: &str, most: i64| match part.unwrap_or(Ok(now))? {
        part if (0..=most).contains(&part) => Ok(part),
        _ => Err(error(format!("{name} must be in 0..{most}"))),
    };
    let small = |number: i64| i8::try_from(number).unwrap_or(i8::MAX);
    let year = i16::try_from(or(year, now.year().into(), "year", 9999)?).unwrap_or(i16::MAX);
    let (month, day) = (or(month, now.month().into(), "month", 12)?, or(day, now.day().into(), "day", 31)?);
    let (hour, minute) = (or(hour, now.hour().into(), "hour", 23)?, or(minute, now.minute().into(), "minute", 59)?);
    let second = or(second, now.second().into(), "second", 59)?;
    let micros = or(micros, i64::from(now.subsec_nanosecond() / 1000), "microsecond", 999_999)?;
    let nanos = i32::try_from(micros * 1000).unwrap_or(0);
    let made =
        jiff::civil::DateTime::new(year, small(month), small(day), small(hour), small(minute), small(second), nanos);
    let made = made.map_err(|_| error("day is out of range for month"))?;
    Ok(Value::from_object(Datetime { time: made, ..*time }))
}

/// Calls a method of a length of time.
pub fn timedelta(time: &Timedelta, name: &str, args: Args) -> Result<Value> {
    match name {
        "total_seconds" => args.bind([], 0).map(|[]| Value::from(time.microseconds as f64 / 1e6)),
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}
