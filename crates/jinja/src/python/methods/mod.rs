//! The methods of Python's own types.

mod dict;
mod list;
mod owner;
mod string;
mod time;

pub use dict::pairs;
pub use owner::{no_method, owner};
pub use string::{lines, replace};

use minijinja::Value;

use super::number::{Number, number};
use super::{Kind, kind};
use crate::call::Args;
use crate::error::{Result, undefined};
use crate::objects::Big;

/// Whether a value has a method of this name. A dictionary's entries with such a name are reached by `dict['name']`.
pub fn exists(value: &Value, name: &str) -> bool {
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
        Ok(Kind::Timedelta(_)) => name == "total_seconds",
        _ => false,
    }
}

/// Whether anything has a method of this name.
pub fn is_any(name: &str) -> bool {
    const OTHERS: [&str; 8] =
        ["count", "index", "decode", "hex", "bit_length", "conjugate", "is_integer", "total_seconds"];
    [&string::NAMES[..], &dict::NAMES, &list::NAMES, &time::DAY, &time::DATETIME, &OTHERS]
        .iter()
        .any(|names| names.contains(&name))
}

/// Calls a method.
pub fn call(value: &Value, name: &str, args: Args) -> Result<Value> {
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
        Kind::Timedelta(timedelta) => time::timedelta(timedelta, name, args),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        _ => match (number(value)?, name) {
            (Some(Number::Int(number)), "bit_length") => Ok(Value::from(number.bits())),
            (Some(Number::Int(number)), "conjugate") => Ok(Big::value(&number)),
            (Some(Number::Float(number)), "is_integer") => Ok(Value::from(number.is_finite() && number.fract() == 0.0)),
            (Some(Number::Float(number)), "conjugate") => Ok(Value::from(number)),
            _ => Err(no_method(value, name)),
        },
    }
}
