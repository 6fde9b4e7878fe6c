//! How messages of Jinja2 name what a method is looked for in.

use minijinja::{Error, Value};

use super::super::{Kind, kind, type_name};
use crate::error::undefined;

/// How messages of Jinja2 name the kind of a value.
pub fn owner(value: &Value) -> String {
    match kind(value) {
        Ok(Kind::None) => "None".into(),
        Ok(Kind::Datetime(datetime)) => format!("datetime.{} object", datetime.type_name()),
        Ok(Kind::Timedelta(_)) => "datetime.timedelta object".into(),
        _ => format!("{} object", type_name(value)),
    }
}

/// The error about a method that does not exist.
pub fn no_method(value: &Value, name: &str) -> Error {
    undefined(format!("'{}' has no attribute '{name}'", owner(value)))
}
