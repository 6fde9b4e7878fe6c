//! The parts of a point in time that `replace` sets, within their ranges.

use minijinja::Value;

use super::super::super::kind::truth;
use super::super::super::number::index;
use super::zone_of;
use crate::error::{Result, error};
use crate::objects::Zone;

/// A part of a time that may be given, and its current value.
pub(super) struct Part<'n> {
    pub(super) name: &'n str,
    pub(super) given: Option<Value>,
    pub(super) now: i64,
    pub(super) range: (i64, i64),
}

/// Returns the given part, or the current one.
pub(super) fn part<T: TryFrom<i64>>(part: Part<'_>) -> Result<T> {
    let value = part.given.map_or(Ok(part.now), |given| index(&given))?;
    let (least, most) = part.range;
    let within = (least..=most).contains(&value).then(|| T::try_from(value).ok()).flatten();
    within.ok_or_else(|| error(format!("{} must be in {least}..{most}", part.name)))
}

/// The hour, minute, second and microsecond of a time of a day with other parts.
pub(super) fn daytime(time: jiff::civil::Time, given: [Option<Value>; 4]) -> Result<jiff::civil::Time> {
    let [hour, minute, second, micros] = given;
    let hour: i8 = part(Part { name: "hour", given: hour, now: time.hour().into(), range: (0, 23) })?;
    let minute: i8 = part(Part { name: "minute", given: minute, now: time.minute().into(), range: (0, 59) })?;
    let second: i8 = part(Part { name: "second", given: second, now: time.second().into(), range: (0, 59) })?;
    let now = i64::from(time.subsec_nanosecond() / 1000);
    let micros: i32 = part(Part { name: "microsecond", given: micros, now, range: (0, 999_999) })?;
    jiff::civil::Time::new(hour, minute, second, micros * 1000).map_err(|problem| error(problem.to_string()))
}

/// The zone that may be given; `None` is a zone that is taken away.
pub(super) fn zone(given: Option<Value>, now: Option<Zone>) -> Result<Option<Zone>> {
    given.map_or(Ok(now), |given| zone_of(&given))
}

/// Whether the time is the second of two equal ones, which may be given.
pub(super) fn fold(given: Option<Value>, now: bool) -> Result<bool> {
    let Some(given) = given else { return Ok(now) };
    match index(&given)? {
        0 | 1 => truth(&given),
        _ => Err(error("fold must be either 0 or 1")),
    }
}
