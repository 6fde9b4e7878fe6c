//! Class methods of a point in time and of a day, which return a new one.

use minijinja::Value;

use super::super::super::number::{index, number};
use super::super::super::{Kind, kind, type_name};
use super::{iso, parts, text, zone_of};
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Datetime, Zone};

/// Calls a class method, which returns a new date or time.
pub(super) fn call(is_day: bool, name: &str, args: Args) -> Result<Value> {
    let as_day = |time: Datetime| Value::from_object(if is_day { Datetime::day(time.time.date()) } else { time });
    let out_of_range = || error("year, month, day or week is out of range");
    let range = |_| out_of_range();
    match name {
        "utcnow" => args.bind([], 0).map(|[]| Value::from_object(Datetime::now(true))),
        "today" => args.bind([], 0).map(|[]| as_day(Datetime::now(false))),
        "now" => {
            let [zone] = args.bind(["tz"], 0)?;
            match zone.map_or(Ok(None), |zone| zone_of(&zone))? {
                Some(zone) => Datetime::now(false).in_zone(Some(zone)).map(Value::from_object),
                None => Ok(Value::from_object(Datetime::now(false))),
            }
        }
        "fromtimestamp" | "utcfromtimestamp" => {
            let is_utc = name == "utcfromtimestamp";
            let [seconds, zone] = if is_day || is_utc {
                args.bind(["timestamp"], 1).map(|[seconds]| [seconds, None])?
            } else {
                args.bind(["timestamp", "tz"], 1)?
            };
            let seconds = number(&seconds.unwrap_or_default())?.ok_or_else(|| error("a timestamp must be a number"))?;
            match zone.map_or(Ok(None), |zone| zone_of(&zone))? {
                Some(zone) => {
                    let utc = Datetime::from_seconds(seconds.to_f64(), true)?;
                    Datetime { zone: Some(Zone::UTC), ..utc }.in_zone(Some(zone)).map(Value::from_object)
                }
                None => Datetime::from_seconds(seconds.to_f64(), is_utc).map(as_day),
            }
        }
        "fromordinal" => {
            let [days] = args.bind(["ordinal"], 1)?;
            let days = index(&days.unwrap_or_default())?.checked_sub(1).filter(|days| (0..3_652_059).contains(days));
            let days = days.ok_or_else(|| error("ordinal must be >= 1, and of a year until 9999"))?;
            let day = jiff::civil::date(1, 1, 1).checked_add(jiff::SignedDuration::from_hours(24 * days));
            day.map(|day| as_day(day.at(0, 0, 0, 0).into())).map_err(range)
        }
        "fromisocalendar" => {
            let [year, week, day] = args.bind(["year", "week", "day"], 3)?;
            let part = |value: Option<Value>| index(&value.unwrap_or_default());
            let (year, week, day) = (part(year)?, part(week)?, part(day)?);
            let small = |number: i64| i8::try_from(number).unwrap_or(i8::MAX);
            let weekday = jiff::civil::Weekday::from_monday_one_offset(small(day)).map_err(range)?;
            let year = i16::try_from(year).unwrap_or(i16::MAX);
            let date = jiff::civil::ISOWeekDate::new(year, small(week), weekday).map_err(range)?.date();
            let date = Some(date).filter(|date| date.year() > 0).ok_or_else(out_of_range)?;
            Ok(as_day(date.at(0, 0, 0, 0).into()))
        }
        "strptime" => {
            let [text, format] = args.bind(["date_string", "format"], 2)?;
            let text_of = |value: Option<Value>| match value.as_ref().and_then(|value| value.as_str()) {
                Some(text) => Ok(text.to_owned()),
                None => Err(error("strptime() arguments must be str")),
            };
            Datetime::parse(&text_of(text)?, &text_of(format)?).map(as_day)
        }
        "combine" => combined(args),
        _ => {
            let [written] = args.bind(["date_string"], 1)?;
            let written = written.unwrap_or_default();
            let written = text(&written, name)?;
            let read = if is_day { iso::date(written).map(Datetime::day) } else { iso::datetime(written) };
            read.map(Value::from_object).ok_or_else(|| error(format!("Invalid isoformat string: '{written}'")))
        }
    }
}

/// A date and a time of a day as a point in time, in the zone of the time or in another.
fn combined(args: Args) -> Result<Value> {
    let [date, time, zone] = args.bind(["date", "time", "tzinfo"], 2)?;
    let (date, time) = (date.unwrap_or_default(), time.unwrap_or_default());
    let Kind::Datetime(date) = kind(&date)? else {
        return Err(error(format!("combine() argument 1 must be datetime.date, not {}", type_name(&date))));
    };
    let Kind::Daytime(time) = kind(&time)? else {
        return Err(error(format!("combine() argument 2 must be datetime.time, not {}", type_name(&time))));
    };
    let (zone, fold) = (parts::zone(zone, time.zone)?, time.fold);
    let result = Datetime { zone, fold, ..date.time.date().to_datetime(time.time).into() };
    Ok(Value::from_object(result))
}
