//! Functions on timestamps, which are strings in the form of RFC 3339: `formatdate`, `timeadd`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#date-and-time-functions>.

mod civil;
mod format;
mod rfc3339;
mod timestamp_error;

pub(crate) use civil::{Civil, days_in_month};

use hieratic_hcl_types::go::duration;
use hieratic_hcl_types::{CallError, Type, Value};

use crate::FunctionTable;
use crate::arguments::{string, text};

pub(crate) fn add(table: &mut FunctionTable) {
    table.fixed(
        "formatdate",
        "Formats a timestamp by a pattern such as `DD MMM YYYY hh:mm`.",
        [string("format"), string("time")],
        Type::String,
        |arguments| {
            let time = rfc3339::parse(text(arguments, 1)).map_err(|message| CallError::argument(1, message))?;
            let text = format::format(text(arguments, 0), &time).map_err(|message| CallError::argument(0, message))?;
            Ok(Value::string(text))
        },
    );
    table.fixed(
        "timeadd",
        "Adds a duration such as `1h30m` to a timestamp.",
        [string("timestamp"), string("duration")],
        Type::String,
        |arguments| {
            let time = rfc3339::parse(text(arguments, 0)).map_err(CallError::call)?;
            let nanoseconds = duration::parse(text(arguments, 1)).map_err(CallError::call)?;
            Ok(Value::string(time.plus(nanoseconds).rfc3339()))
        },
    );
}
