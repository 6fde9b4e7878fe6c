//! The syntax of values beyond data inside of types and objects.

use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;

use crate::infer::{Shape, shape};
use crate::types::Type;
use crate::values::{UriValue, uri_part};

/// The syntactic form of a value.
pub(crate) enum ValueSyntax<'a> {
    Type(&'a Type),
    Regexp(&'a Regexp),
    /// A string between quotes, without escapes.
    Quoted(String),
    /// A constructor call: a name, and a string in parentheses.
    Call(&'static str, String),
    /// A value without syntax; its type is written instead.
    Opaque,
}

/// Returns the syntactic form of a value that is neither data nor an object.
pub(crate) fn value_syntax(value: &Value) -> ValueSyntax<'_> {
    match shape(value) {
        Shape::Kind(kind) => ValueSyntax::Type(kind),
        Shape::Regexp(regexp) => ValueSyntax::Regexp(regexp),
        Shape::Timestamp(_) | Shape::Timespan(_) | Shape::Version(_) | Shape::VersionRange => {
            ValueSyntax::Quoted(value.to_text())
        }
        Shape::Uri(uri) => ValueSyntax::Call("URI", uri.to_string()),
        _ => ValueSyntax::Opaque,
    }
}

/// The value of a part of an address.
pub(crate) fn special_attribute(value: &Value, name: &str) -> Option<Value> {
    uri_part(UriValue::downcast(value)?, name)
}
