//! `Timestamp.new` and `Timespan.new`.

use std::sync::LazyLock;

use hieratic_quantities::{NANOSECONDS, Timespan, Timestamp, seconds};
use hieratic_value::{Hash, Value};

use super::integer::alias;
use super::{ConversionError, Converted, choose};
use crate::mismatch::signature::Signature;
use crate::range::{Int, IntegerRange};
use crate::types::{Key, Type};
use crate::values::{TimespanValue, TimestampValue};

fn formats() -> Type {
    let format = || Type::string_of_at_least(2);
    let several = Type::array_of_size(format(), Some(IntegerRange::at_least(1i64)));
    alias("Formats", Type::variant([format(), several]))
}

fn text() -> Type {
    Type::string_of_at_least(1)
}

fn number() -> Type {
    Type::variant([Type::INTEGER, Type::FLOAT])
}

pub(super) static TIMESTAMP: LazyLock<[Signature; 4]> = LazyLock::new(|| {
    let named = Type::structure([
        (Key::required("string"), text()),
        (Key::optional("format"), formats()),
        (Key::optional("timezone"), text()),
    ]);
    [
        Signature::new(0, []),
        Signature::new(1, [("seconds", number())]),
        Signature::new(1, [("string", text()), ("format", formats()), ("timezone", text())]),
        Signature::new(1, [("hash_arg", named)]),
    ]
});

const UNITS: [&str; 7] = ["days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds"];

pub(super) static TIMESPAN: LazyLock<[Signature; 5]> = LazyLock::new(|| {
    let named = Type::structure([(Key::required("string"), text()), (Key::optional("format"), formats())]);
    let fields = std::iter::once((Key::optional("negative"), Type::BOOLEAN))
        .chain(UNITS.map(|unit| (Key::optional(unit), Type::INTEGER)));
    [
        Signature::new(1, [("seconds", number())]),
        Signature::new(1, [("string", text()), ("format", formats())]),
        Signature::new(4, UNITS.map(|unit| (unit, Type::INTEGER))),
        Signature::new(1, [("hash_arg", named)]),
        Signature::new(1, [("hash_arg", Type::structure(fields))]),
    ]
});

pub(super) fn new_timestamp(arguments: &[Value]) -> Converted {
    let made = match choose("new_timestamp", &*TIMESTAMP, arguments)? {
        0 => Ok(Timestamp::now()),
        1 => nanoseconds_of(&arguments[0]).and_then(Timestamp::new).ok_or_else(too_large),
        2 => read_timestamp(&arguments[0], arguments.get(1), arguments.get(2)),
        _ => {
            let hash = arguments[0].as_hash().cloned().unwrap_or_default();
            timestamp_of_hash(&hash)
        }
    };
    made.map(TimestampValue::value).map_err(ConversionError::new)
}

pub(super) fn new_timespan(arguments: &[Value]) -> Converted {
    let made = match choose("new_timespan", &*TIMESPAN, arguments)? {
        0 => nanoseconds_of(&arguments[0]).and_then(Timespan::new).ok_or_else(too_large),
        1 => read_timespan(&arguments[0], arguments.get(1)),
        2 => from_fields(false, |index| arguments.get(index)),
        _ => {
            let hash = arguments[0].as_hash().cloned().unwrap_or_default();
            timespan_of_hash(&hash)
        }
    };
    made.map(TimespanValue::value).map_err(ConversionError::new)
}

fn too_large() -> String {
    "the time is too large".into()
}

/// A number of seconds in nanoseconds.
pub(crate) fn nanoseconds_of(value: &Value) -> Option<i128> {
    match value {
        Value::Integer(number) => i128::from(*number).checked_mul(NANOSECONDS),
        Value::Float(number) => seconds(*number),
        other => {
            let number: i128 = Int::of(other)?.to_string().parse().ok()?;
            number.checked_mul(NANOSECONDS)
        }
    }
}

/// The formats that are given: one, or several; none if there is none.
fn listed(format: Option<&Value>) -> Option<Vec<&str>> {
    match format? {
        Value::String(format) => Some(vec![format]),
        Value::Array(formats) => Some(formats.iter().filter_map(Value::as_str).collect()),
        _ => None,
    }
}

fn read_timestamp(text: &Value, format: Option<&Value>, zone: Option<&Value>) -> Result<Timestamp, String> {
    let (text, zone) = (text.as_str().unwrap_or_default(), zone.and_then(Value::as_str));
    match format {
        Some(Value::String(format)) => Timestamp::parse_format(text, format, zone),
        format => Timestamp::parse_with(text, listed(format).as_deref(), zone),
    }
}

fn read_timespan(text: &Value, format: Option<&Value>) -> Result<Timespan, String> {
    let text = text.as_str().unwrap_or_default();
    match format {
        Some(Value::String(format)) => Timespan::parse_format(text, format),
        format => match listed(format) {
            Some(formats) => Timespan::parse_with(text, &formats),
            None => Timespan::parse(text),
        },
    }
}

/// A point in time of the parts of a hash.
pub(crate) fn timestamp_of_hash(hash: &Hash) -> Result<Timestamp, String> {
    read_timestamp(hash.get("string").unwrap_or(&Value::Undef), hash.get("format"), hash.get("timezone"))
}

/// A length of time of the parts of a hash: a text, or numbers of units.
pub(crate) fn timespan_of_hash(hash: &Hash) -> Result<Timespan, String> {
    if let Some(text) = hash.get("string") {
        return read_timespan(text, hash.get("format"));
    }
    let negative = hash.get("negative") == Some(&Value::Boolean(true));
    from_fields(negative, |index| hash.get(UNITS[index]))
}

fn from_fields<'a>(negative: bool, field: impl Fn(usize) -> Option<&'a Value>) -> Result<Timespan, String> {
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
