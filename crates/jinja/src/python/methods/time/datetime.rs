//! Methods of a point in time and of a day: `datetime.datetime` and `datetime.date`.

use minijinja::Value;

use super::super::super::type_name;
use super::super::no_method;
use super::parts::{self, Part, part};
use super::{class_methods, timespec, zone_of};
use crate::call::Args;
use crate::error::{Result, error};
use crate::objects::{Datetime, Daytime, Names, Tuple, Zone};

/// The methods of a point in time.
pub const DATETIME: [&str; 28] = [
    "astimezone",
    "combine",
    "ctime",
    "date",
    "dst",
    "fromisocalendar",
    "fromisoformat",
    "fromordinal",
    "fromtimestamp",
    "isocalendar",
    "isoformat",
    "isoweekday",
    "now",
    "replace",
    "strftime",
    "strptime",
    "time",
    "timestamp",
    "timetuple",
    "timetz",
    "today",
    "toordinal",
    "tzname",
    "utcfromtimestamp",
    "utcnow",
    "utcoffset",
    "utctimetuple",
    "weekday",
];

/// The methods of a date.
pub const DAY: [&str; 14] = [
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
    "timetuple",
    "today",
    "toordinal",
    "weekday",
];

/// `datetime.IsoCalendarDate`
static CALENDAR: Names = Names {
    title: Some("datetime.IsoCalendarDate"),
    is_printed: true,
    items: &["year", "week", "weekday"],
    constants: &[],
};

/// `time.struct_time`
static STRUCT_TIME: Names = Names {
    title: Some("time.struct_time"),
    is_printed: true,
    items: &["tm_year", "tm_mon", "tm_mday", "tm_hour", "tm_min", "tm_sec", "tm_wday", "tm_yday", "tm_isdst"],
    constants: &[
        ("tm_zone", None),
        ("tm_gmtoff", None),
        ("n_fields", Some(11)),
        ("n_sequence_fields", Some(9)),
        ("n_unnamed_fields", Some(0)),
    ],
};

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
            let [separator, parts] = args.bind(["sep", "timespec"], 0)?;
            let separator = separator.map_or(Ok('T'), |separator| character(&separator))?;
            let written = time.to_iso(separator, &timespec(parts)?);
            written.map(Value::from).ok_or_else(|| error("Unknown timespec value"))
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
            Ok(Tuple::named(parts.map(Value::from).to_vec(), &CALENDAR))
        }
        "combine" | "fromisocalendar" | "fromisoformat" | "fromordinal" | "fromtimestamp" | "now" | "strptime"
        | "today" | "utcfromtimestamp" | "utcnow" => class_methods::call(time.is_day, name, args),
        "time" => args.bind([], 0).map(|[]| Value::from_object(time.daytime())),
        "timetz" => args.bind([], 0).map(|[]| Value::from_object(Daytime { zone: time.zone, ..time.daytime() })),
        "timetuple" => args.bind([], 0).map(|[]| struct_time(time, -1)),
        "utctimetuple" => {
            args.bind([], 0)?;
            let utc = match time.zone {
                Some(_) => time.in_zone(Some(Zone::UTC))?,
                None => *time,
            };
            Ok(struct_time(&utc, 0))
        }
        "astimezone" => {
            let [zone] = args.bind(["tz"], 0)?;
            let zone = zone.map_or(Ok(None), |zone| zone_of(&zone))?;
            time.in_zone(zone).map(Value::from_object)
        }
        "weekday" => args.bind([], 0).map(|[]| Value::from(time.time.weekday().to_monday_zero_offset())),
        "isoweekday" => args.bind([], 0).map(|[]| Value::from(time.time.weekday().to_monday_one_offset())),
        "date" => args.bind([], 0).map(|[]| Value::from_object(Datetime::day(time.time.date()))),
        "tzname" => args.bind([], 0).map(|[]| time.zone.map_or(Value::from(()), |zone| Value::from(zone.name()))),
        "utcoffset" => {
            args.bind([], 0).map(|[]| time.zone.map_or(Value::from(()), |zone| Value::from_object(zone.distance())))
        }
        _ => Err(no_method(&Value::from_object(*time), name)),
    }
}

/// The only character of a string.
fn character(value: &Value) -> Result<char> {
    let mut letters = value.as_str().unwrap_or_default().chars();
    match (letters.next(), letters.next()) {
        (Some(only), None) => Ok(only),
        _ => Err(error(format!("isoformat() argument 1 must be a unicode character, not {}", type_name(value)))),
    }
}

/// The parts of a time as the functions of C know them; `is_summer` is -1 if that is unknown.
fn struct_time(time: &Datetime, is_summer: i64) -> Value {
    let (date, clock) = (time.time.date(), time.time.time());
    let parts: [i64; 9] = [
        date.year().into(),
        date.month().into(),
        date.day().into(),
        clock.hour().into(),
        clock.minute().into(),
        clock.second().into(),
        date.weekday().to_monday_zero_offset().into(),
        date.day_of_year().into(),
        is_summer,
    ];
    Tuple::named(parts.map(Value::from).to_vec(), &STRUCT_TIME)
}

/// The point in time with other parts.
fn replaced(time: &Datetime, args: Args) -> Result<Value> {
    let now = time.time;
    let date = |year, month, day| {
        let year: i16 = part(Part { name: "year", given: year, now: now.year().into(), range: (1, 9999) })?;
        let month: i8 = part(Part { name: "month", given: month, now: now.month().into(), range: (1, 12) })?;
        let day: i8 = part(Part { name: "day", given: day, now: now.day().into(), range: (1, 31) })?;
        jiff::civil::Date::new(year, month, day).map_err(|_| error("day is out of range for month"))
    };
    if time.is_day {
        let [year, month, day] = args.bind(["year", "month", "day"], 0)?;
        return date(year, month, day).map(|date| Value::from_object(Datetime::day(date)));
    }
    let names = ["year", "month", "day", "hour", "minute", "second", "microsecond", "tzinfo", "fold"];
    let [year, month, day, hour, minute, second, micros, zone, fold] = args.bind(names, 0)?;
    let clock = parts::daytime(now.time(), [hour, minute, second, micros])?;
    let (zone, fold) = (parts::zone(zone, time.zone)?, parts::fold(fold, time.fold)?);
    Ok(Value::from_object(Datetime { time: date(year, month, day)?.to_datetime(clock), zone, fold, is_day: false }))
}
