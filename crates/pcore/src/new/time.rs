//! `Timestamp.new` and `Timespan.new`.

use std::sync::LazyLock;

use hieratic_quantities::{Timespan, Timestamp};
use hieratic_value::Value;

use super::integer::alias;
use super::{Converted, choose};
use crate::Error;
use crate::mismatch::signature::Signature;
use crate::range::IntegerRange;
use crate::times::{
    UNITS, from_fields, nanoseconds_of, read_timespan, read_timestamp, timespan_of_hash, timestamp_of_hash, too_large,
};
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
    made.map(TimestampValue::value).map_err(Error::new)
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
    made.map(TimespanValue::value).map_err(Error::new)
}
