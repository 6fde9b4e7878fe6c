//! The syntax of values beyond data inside of types and objects.

use hieratic_regexp::Regexp;
use hieratic_value::Value;

use crate::infer::{Shape, shape};
use crate::types::Type;
use crate::values::{UriValue, uri_part};

/// The syntactic form of a value.
pub(crate) enum Written<'a> {
    Type(&'a Type),
    Regexp(&'a Regexp),
    /// Text between quotes, with nothing in it escaped.
    Quoted(String),
    /// A constructor call: a name, and a string in parentheses.
    Call(&'static str, String),
    /// It cannot be written; its type has to do.
    Opaque,
}

/// Returns the syntactic form of a value that is neither data nor an object.
pub(crate) fn written(value: &Value) -> Written<'_> {
    match shape(value) {
        Shape::Kind(kind) => Written::Type(kind),
        Shape::Regexp(regexp) => Written::Regexp(regexp),
        Shape::Timestamp(_) | Shape::Timespan(_) | Shape::Version(_) | Shape::VersionRange => {
            Written::Quoted(value.to_text())
        }
        Shape::Uri(uri) => Written::Call("URI", uri.to_string()),
        _ => Written::Opaque,
    }
}

/// The value of a part of an address.
pub(crate) fn special_attribute(value: &Value, name: &str) -> Option<Value> {
    uri_part(UriValue::of(value)?, name)
}
