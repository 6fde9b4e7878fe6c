//! Methods of points and lengths of time: <https://docs.python.org/3/library/datetime.html>.

use minijinja::Value;

use super::super::number::{index, number};
use super::super::type_name;
use super::no_method;
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Datetime, Timedelta, Tuple};

/// The methods of a point in time.
pub const DATETIME: [&str; 21] = [
    "ctime",
    "date",
    "dst",
    "fromisocalendar",
    "fromisoformat",
    "fromordinal",
    "fromtimestamp",
    "isocalendar",
    "now",
    "strptime",
    "today",
    "utcfromtimestamp",
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

/// The methods of a date.
pub const DAY: [&str; 13] = [
    "ctime",
    "fromisocalendar",
    "fromisoformat",
    "fromordinal",
    "fromtimestamp",
    "isocalendar",
    "isoformat",
    "isoweekday",
    "replace",
    "strftime",
    "today",
    "toordinal",
    "weekday",
];

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
        "isocalendar" => {
            args.bind([], 0)?;
            let week = time.time.date().iso_week_date();
            let parts = [i64::from(week.year()), week.week().into(), week.weekday().to_monday_one_offset().into()];
            Ok(Tuple::named(parts.map(Value::from).to_vec(), &["year", "week", "weekday"]))
        }
        "fromisocalendar" | "fromisoformat" | "fromordinal" | "fromtimestamp" | "now" | "strptime" | "today"
        | "utcfromtimestamp" => made(time.is_day, name, args),
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

/// Calls a class method, which returns a new date or time.
fn made(is_day: bool, name: &str, args: Args) -> Result<Value> {
    let as_day = |time: Datetime| Value::from_object(if is_day { Datetime::day(time.time.date()) } else { time });
    let range = |_| error("year, month, day or week is out of range");
    match name {
        "now" | "today" => args.bind([], 0).map(|[]| as_day(Datetime::now(false))),
        "fromtimestamp" | "utcfromtimestamp" => {
            let [seconds] = args.bind(["timestamp"], 1)?;
            let seconds = number(&seconds.unwrap_or_default())?.ok_or_else(|| error("a timestamp must be a number"))?;
            Datetime::from_seconds(seconds.to_f64(), name == "utcfromtimestamp").map(as_day)
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
            let date = jiff::civil::ISOWeekDate::new(year, small(week), weekday).map_err(range)?;
            Ok(as_day(date.date().at(0, 0, 0, 0).into()))
        }
        "strptime" => {
            let [text, format] = args.bind(["date_string", "format"], 2)?;
            let text_of = |value: Option<Value>| match value.as_ref().and_then(|value| value.as_str()) {
                Some(text) => Ok(text.to_owned()),
                None => Err(error("strptime() arguments must be str")),
            };
            Datetime::parse(&text_of(text)?, &text_of(format)?).map(as_day)
        }
        _ => {
            let [text] = args.bind(["date_string"], 1)?;
            let text = text.unwrap_or_default();
            let text = text.as_str().ok_or_else(|| error("fromisoformat: argument must be str"))?;
            let bad = || error(format!("Invalid isoformat string: '{text}'"));
            let date: jiff::civil::Date = text.get(..10).and_then(|date| date.parse().ok()).ok_or_else(bad)?;
            match text.get(10..) {
                Some("") | None => Ok(as_day(date.at(0, 0, 0, 0).into())),
                Some(_) if is_day => Err(bad()),
                Some(behind) => {
                    let time = behind.get(1..).ok_or_else(bad)?;
                    let (time, zone) = match time.find(['+', '-', 'Z']) {
                        Some(at) => time.split_at(at),
                        None => (time, ""),
                    };
                    let is_time = [2, 5, 8, 12, 15].contains(&time.len());
                    let time = if time.len() == 2 { format!("{time}:00") } else { time.to_owned() };
                    let time: jiff::civil::Time = time.parse().ok().filter(|_| is_time).ok_or_else(bad)?;
                    let zone = match zone {
                        "" => None,
                        "Z" => Some(0),
                        zone => Some(zone_seconds(zone).ok_or_else(bad)?),
                    };
                    Ok(Value::from_object(Datetime { zone, ..date.to_datetime(time).into() }))
                }
            }
        }
    }
}

/// The seconds of `+01:30`.
fn zone_seconds(zone: &str) -> Option<i32> {
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let number = |text: &str| text.parse::<i32>().ok().filter(|_| text.len() == 2 && text.is_ascii());
    let seconds =
        3600 * number(hours).filter(|hours| *hours < 24)? + 60 * number(minutes).filter(|minutes| *minutes < 60)?;
    Some(if zone.starts_with('-') { -seconds } else { seconds })
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
