//! `Timestamp.new` and `Timespan.new`.

use crate::quantities::{Timespan, Timestamp};
use hieratic_value::Value;

use super::{ConversionResult, choose};
use crate::Error;
use crate::creation::{TIMESPAN, TIMESTAMP};
use crate::times::{
    from_fields, nanoseconds_of, read_timespan, read_timestamp, timespan_of_hash, timestamp_of_hash, too_large,
};
use crate::values::{TimespanValue, TimestampValue};

pub(super) fn new_timestamp(arguments: &[Value]) -> ConversionResult {
    let result = match choose("new_timestamp", &*TIMESTAMP, arguments)? {
        0 => Ok(Timestamp::now()),
        1 => nanoseconds_of(&arguments[0]).and_then(Timestamp::new).ok_or_else(too_large),
        2 => read_timestamp(&arguments[0], arguments.get(1), arguments.get(2)),
        _ => {
            let hash = arguments[0].as_hash().cloned().unwrap_or_default();
            timestamp_of_hash(&hash)
        }
    };
    result.map(TimestampValue::value).map_err(Error::new)
}

pub(super) fn new_timespan(arguments: &[Value]) -> ConversionResult {
    let result = match choose("new_timespan", &*TIMESPAN, arguments)? {
        0 => nanoseconds_of(&arguments[0]).and_then(Timespan::new).ok_or_else(too_large),
        1 => read_timespan(&arguments[0], arguments.get(1)),
        2 => from_fields(false, |index| arguments.get(index)),
        _ => {
            let hash = arguments[0].as_hash().cloned().unwrap_or_default();
            timespan_of_hash(&hash)
        }
    };
    result.map(TimespanValue::value).map_err(Error::new)
}
