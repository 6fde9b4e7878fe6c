//! How values beyond data are written inside of types and objects.

use hieratic_regexp::Regexp;
use hieratic_value::Value;

use crate::infer::{Shape, shape};
use crate::types::Type;

/// How a value is written.
pub(crate) enum Written<'a> {
    Type(&'a Type),
    Regexp(&'a Regexp),
    /// Text between quotes, with nothing in it escaped.
    #[allow(dead_code)]
    Quoted(String),
    /// What makes it: a name, and text in parentheses.
    #[allow(dead_code)]
    Call(&'static str, String),
    /// It cannot be written; its type has to do.
    Opaque,
}

/// How a value that is no data and no object is written.
pub(crate) fn written(value: &Value) -> Written<'_> {
    match shape(value) {
        Shape::Kind(kind) => Written::Type(kind),
        Shape::Regexp(regexp) => Written::Regexp(regexp),
        _ => Written::Opaque,
    }
}

/// The value of a part of an address.
pub(crate) fn special_attribute(_value: &Value, _name: &str) -> Option<Value> {
    None
}
