//! The methods of Python's own types.

mod dict;
mod list;
mod owner;
mod special;
mod string;
mod time;

pub use dict::pairs;
pub use owner::{no_method, owner};
pub use special::Class;
pub use string::{is_space, lines, replace};

use minijinja::Value;

use super::number::{Number, number};
use super::{Kind, kind};
use crate::call::Args;
use crate::error::{Result, error, undefined};
use crate::objects::Big;

/// Returns whether a value has a method with this name. Dictionary entries with such a name must be accessed by
/// `dict['name']`.
pub fn exists(value: &Value, name: &str) -> bool {
    is_usual(value, name) || (special::is_any(name) && special::exists(value, name))
}

fn is_usual(value: &Value, name: &str) -> bool {
    match kind(value) {
        Ok(Kind::Str(_)) => string::NAMES.contains(&name),
        Ok(Kind::Dict) => dict::NAMES.contains(&name),
        Ok(Kind::List) => list::NAMES.contains(&name),
        Ok(Kind::Tuple(_)) => matches!(name, "count" | "index"),
        Ok(Kind::Bytes(_)) => matches!(name, "decode" | "hex"),
        Ok(Kind::Int(_) | Kind::Bool(_)) => matches!(name, "bit_length" | "conjugate"),
        Ok(Kind::Float(_)) => matches!(name, "is_integer" | "conjugate"),
        Ok(Kind::Datetime(datetime)) if datetime.is_day => time::DAY.contains(&name),
        Ok(Kind::Datetime(_)) => time::DATETIME.contains(&name),
        Ok(Kind::Daytime(_)) => time::DAYTIME.contains(&name),
        Ok(Kind::Zone(_)) => time::ZONE.contains(&name),
        Ok(Kind::Timedelta(_)) => name == "total_seconds",
        _ => false,
    }
}

/// Returns whether any type has a method with this name.
pub fn is_any(name: &str) -> bool {
    const OTHERS: [&str; 8] =
        ["count", "index", "decode", "hex", "bit_length", "conjugate", "is_integer", "total_seconds"];
    special::is_any(name)
        || [&string::NAMES[..], &dict::NAMES, &list::NAMES, &time::DATETIME, &time::ZONE, &OTHERS]
            .iter()
            .any(|names| names.contains(&name))
}

/// Calls a method.
pub fn call(value: &Value, name: &str, args: Args) -> Result<Value> {
    if !is_usual(value, name) && special::exists(value, name) {
        return special::call(value, name, args);
    }
    match kind(value)? {
        Kind::Str(text) => string::call(text, name, args),
        Kind::Dict => dict::call(value, name, args),
        Kind::List => list::call(value, name, args),
        Kind::Tuple(items) => list::find(items, name, args),
        Kind::Bytes(bytes) => match name {
            "decode" => {
                let [encoding, _] = args.bind(["encoding", "errors"], 0)?;
                let encoding = encoding.map_or(Ok("utf-8".into()), |name| super::str(&name))?;
                super::encoding::decode(bytes, &encoding).map(Value::from)
            }
            "hex" => {
                args.bind([], 0)?;
                Ok(Value::from(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
            }
            _ => Err(no_method(value, name)),
        },
        Kind::Datetime(datetime) => time::datetime(datetime, name, args),
        Kind::Daytime(time) => time::daytime(time, name, args),
        Kind::Zone(zone) => time::zone(zone, name, args),
        Kind::Timedelta(timedelta) => time::timedelta(timedelta, name, args),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ if matches!(name, "bit_length" | "conjugate" | "is_integer")
            && !(args.positional.is_empty() && args.named.is_empty()) =>
        {
            let count = args.positional.len() + args.named.len();
            Err(error(format!("{name}() takes no arguments ({count} given)")))
        }
        _ => match (number(value)?, name) {
            (Some(Number::Int(number)), "bit_length") => Ok(Value::from(number.bits())),
            (Some(Number::Int(number)), "conjugate") => Ok(Big::value(&number)),
            (Some(Number::Float(number)), "is_integer") => Ok(Value::from(number.is_finite() && number.fract() == 0.0)),
            (Some(Number::Float(number)), "conjugate") => Ok(Value::from(number)),
            _ => Err(no_method(value, name)),
        },
    }
}
