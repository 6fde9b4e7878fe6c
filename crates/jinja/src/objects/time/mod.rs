//! The types of Python's `datetime`: points in time, times of a day, durations and time zones.

mod datetime;
mod daytime;
mod timedelta;
mod zone;

pub use datetime::Datetime;
pub use daytime::Daytime;
pub use timedelta::Timedelta;
pub use zone::Zone;

/// The number of microseconds in a second.
pub const SECOND: i64 = 1_000_000;

/// The number of microseconds in a day.
pub const DAY: i64 = 86_400 * SECOND;

/// The time of a day in ISO form, up to this part: `hours`, `minutes`, `seconds`, `milliseconds`, `microseconds`, or
/// `auto` for as many as it needs. `None` for another name.
fn clock(time: jiff::civil::Time, parts: &str) -> Option<String> {
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    let micros = time.subsec_nanosecond() / 1000;
    Some(match parts {
        "auto" if micros == 0 => format!("{hour:02}:{minute:02}:{second:02}"),
        "hours" => format!("{hour:02}"),
        "minutes" => format!("{hour:02}:{minute:02}"),
        "seconds" => format!("{hour:02}:{minute:02}:{second:02}"),
        "milliseconds" => format!("{hour:02}:{minute:02}:{second:02}.{:03}", micros / 1000),
        "auto" | "microseconds" => format!("{hour:02}:{minute:02}:{second:02}.{micros:06}"),
        _ => return None,
    })
}

/// The last arguments of Python's `repr`: the time of a day without zeros at its end, the zone, and `fold`.
fn arguments(time: jiff::civil::Time, zone: Option<Zone>, fold: bool) -> String {
    let mut text = format!("{}, {}", time.hour(), time.minute());
    let micros = time.subsec_nanosecond() / 1000;
    if time.second() != 0 || micros != 0 {
        text.push_str(&format!(", {}", time.second()));
    }
    if micros != 0 {
        text.push_str(&format!(", {micros}"));
    }
    if fold {
        text.push_str(", fold=1");
    }
    if let Some(zone) = zone {
        text.push_str(&format!(", tzinfo={}", zone.to_repr()));
    }
    text
}
