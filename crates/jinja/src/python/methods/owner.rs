//! The names of types in messages of Jinja2.

use minijinja::{Error, Value};

use super::super::{Kind, kind, type_name};
use crate::error::undefined;

/// Returns the name of the type of a value in messages of Jinja2.
pub fn owner(value: &Value) -> String {
    match kind(value) {
        Ok(Kind::None) => "None".into(),
        Ok(Kind::Datetime(datetime)) => format!("datetime.{} object", datetime.type_name()),
        Ok(Kind::Daytime(_)) => "datetime.time object".into(),
        Ok(Kind::Zone(_)) => "datetime.timezone object".into(),
        Ok(Kind::Timedelta(_)) => "datetime.timedelta object".into(),
        _ => format!("{} object", type_name(value)),
    }
}

/// Returns the error about a method that does not exist.
pub fn no_method(value: &Value, name: &str) -> Error {
    undefined(format!("'{}' has no attribute '{name}'", owner(value)))
}
