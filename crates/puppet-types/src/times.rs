//! Timestamps and timespans from parameters of types and arguments of `new`.

use crate::quantities::{NANOSECONDS, Timespan, Timestamp, seconds};
use hieratic_value::{Hash, Value};

use crate::range::Int;

/// The units of a timespan.
pub(crate) const UNITS: [&str; 7] =
    ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];

/// Converts seconds to nanoseconds.
pub(crate) fn nanoseconds_of(value: &Value) -> Option<i128> {
    match value {
        Value::Integer(number) => i128::from(*number).checked_mul(NANOSECONDS),
        Value::Float(number) => seconds(*number),
        other => {
            let number: i128 = Int::from_value(other)?.to_string().parse().ok()?;
            number.checked_mul(NANOSECONDS)
        }
    }
}

/// Returns the given formats, one or several; `None` if no format is given.
fn listed(format: Option<&Value>) -> Option<Vec<&str>> {
    match format? {
        Value::String(format) => Some(vec![format]),
        Value::Array(formats) => Some(formats.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

/// Parses a timestamp.
pub(crate) fn read_timestamp(text: &Value, format: Option<&Value>, zone: Option<&Value>) -> Result<Timestamp, String> {
    let (text, zone) = (text.as_str().unwrap_or_default(), zone.and_then(Value::as_str));
    match format {
        Some(Value::String(format)) => Timestamp::parse_format(text, format, zone),
        format => Timestamp::parse_with(text, listed(format).as_deref(), zone),
    }
}

/// Parses a timespan.
pub(crate) fn read_timespan(text: &Value, format: Option<&Value>) -> Result<Timespan, String> {
    let text = text.as_str().unwrap_or_default();
    match format {
        Some(Value::String(format)) => Timespan::parse_format(text, format),
        format => match listed(format) {
            Some(formats) => Timespan::parse_with(text, &formats),
            None => Timespan::parse(text),
        },
    }
}

/// Reads a timestamp from the parts of a hash.
pub(crate) fn timestamp_of_hash(hash: &Hash) -> Result<Timestamp, String> {
    read_timestamp(hash.get("string").unwrap_or(&Value::Undef), hash.get("format"), hash.get("timezone"))
}

/// Reads a timespan from the parts of a hash: a string, or numbers of units.
pub(crate) fn timespan_of_hash(hash: &Hash) -> Result<Timespan, String> {
    if let Some(text) = hash.get("string") {
        return read_timespan(text, hash.get("format"));
    }
    let negative = hash.get("negative") == Some(&Value::Boolean(true));
    from_fields(negative, |index| hash.get(UNITS[index]))
}

/// Builds a timespan from numbers of units.
pub(crate) fn from_fields<'a>(negative: bool, field: impl Fn(usize) -> Option<&'a Value>) -> Result<Timespan, String> {
    let mut fields = [0i64; 7];
    for (index, slot) in fields.iter_mut().enumerate() {
        match field(index) {
            Some(Value::Integer(number)) => *slot = *number,
            Some(Value::Rich(_)) => return Err(too_large()),
            _ => {}
        }
    }
    Timespan::from_fields(negative, fields).ok_or_else(too_large)
}

/// Returns the error for a time that is out of range.
pub(crate) fn too_large() -> String {
    "the time is too large".into()
}
