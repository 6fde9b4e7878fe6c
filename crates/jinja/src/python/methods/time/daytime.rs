//! Methods of a time of a day: `datetime.time`.

use minijinja::Value;

use super::super::no_method;
use super::{iso, parts, text, timespec};
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::Daytime;

/// The methods of a time of a day.
pub const DAYTIME: [&str; 7] = ["dst", "fromisoformat", "isoformat", "replace", "strftime", "tzname", "utcoffset"];

/// Calls a method of a time of a day.
pub fn daytime(time: &Daytime, name: &str, args: Args) -> Result<Value> {
    match name {
        "dst" => args.bind([], 0).map(|[]| Value::from(())),
        "tzname" => args.bind([], 0).map(|[]| time.zone.map_or(Value::from(()), |zone| Value::from(zone.name()))),
        "utcoffset" => {
            args.bind([], 0).map(|[]| time.zone.map_or(Value::from(()), |zone| Value::from_object(zone.distance())))
        }
        "isoformat" => {
            let [parts] = args.bind(["timespec"], 0)?;
            time.to_text(&timespec(parts)?).map(Value::from).ok_or_else(|| error("Unknown timespec value"))
        }
        "strftime" => {
            let [format] = args.bind(["format"], 1)?;
            time.format(text(&format.unwrap_or_default(), name)?).map(Value::from)
        }
        "fromisoformat" => {
            let [written] = args.bind(["time_string"], 1)?;
            let written = written.unwrap_or_default();
            let written = text(&written, name)?;
            // A time alone may begin with the letter that is between a date and a time.
            let read = iso::daytime(written.strip_prefix('T').unwrap_or(written));
            read.map(Value::from_object).ok_or_else(|| error(format!("Invalid isoformat string: '{written}'")))
        }
        "replace" => {
            let names = ["hour", "minute", "second", "microsecond", "tzinfo", "fold"];
            let [hour, minute, second, micros, zone, fold] = args.bind(names, 0)?;
            let result = parts::daytime(time.time, [hour, minute, second, micros])?;
            let (zone, fold) = (parts::zone(zone, time.zone)?, parts::fold(fold, time.fold)?);
            Ok(Value::from_object(Daytime { time: result, zone, fold }))
        }
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}
