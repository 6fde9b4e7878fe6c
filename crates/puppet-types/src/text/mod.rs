//! Values as strings: `String.new(value, format)` of the language.
//!
//! The formats and their letters are described under
//! [`String.new`](https://www.puppet.com/docs/puppet/8/function.html#new-string).

mod binary;
mod container;
mod directive;
mod format;
mod formats;
mod number;
mod scalar;

use hieratic_value::Value;

use crate::Error;
use crate::infer::infer_set;
use crate::types::Type;

use container::Indentation;
use formats::FormatMap;
pub use formats::{ContainerFormat, FormatSpec, StringFormats};
pub(crate) use number::truncate;

/// Converts the value to a string in the default format: strings unchanged, strings inside of arrays and hashes quoted,
/// `undef` as the empty string.
///
/// ```
/// use hieratic_puppet_types::convert_to_string;
/// use hieratic_value::Value;
/// let list = Value::from(vec![Value::from(1), Value::from("it's"), Value::Undef]);
/// assert_eq!(convert_to_string(&list), r"[1, 'it\'s', undef]");
/// ```
pub fn convert_to_string(value: &Value) -> String {
    // The default formats fit every kind of value.
    convert_to_string_with(value, &StringFormats::default()).unwrap_or_default()
}

/// Converts a value to a string with the given formats.
///
/// ```
/// use hieratic_puppet_types::{StringFormats, convert_to_string_with};
/// use hieratic_value::Value;
/// assert_eq!(convert_to_string_with(&Value::from(255), &StringFormats::single("%#x")).unwrap(), "0xff");
/// ```
///
/// # Errors
/// An invalid format, or a letter that does not apply to the type of the value.
pub fn convert_to_string_with(value: &Value, formats: &StringFormats) -> Result<String, Error> {
    if let Some(elements) = iterated(value) {
        return convert_to_string_with(&Value::from(elements), formats);
    }
    let kind = infer_set(value);
    let map = FormatMap::new(formats, &kind)?;
    convert(&kind, value, &map, Indentation::TOP)
}

/// Formats a type and its further arguments as explanations show a conversion: `[Integer, 16]`.
///
/// ```
/// use hieratic_puppet_types::{convert_call_to_string, parse};
/// use hieratic_value::Value;
/// let kind = parse("Integer[0,10]").unwrap();
/// assert_eq!(convert_call_to_string(&kind, &[Value::from(16)]), "[Integer[0, 10], 16]");
/// ```
pub fn convert_call_to_string(kind: &Type, arguments: &[Value]) -> String {
    let mut text = format!("[{kind}");
    let arguments = convert_to_string(&Value::from(arguments.to_vec()));
    let inner = &arguments[1..];
    if inner != "]" {
        text.push_str(", ");
    }
    text.push_str(inner);
    text
}

/// Writes a value of a known type by the rules of its kind.
fn convert(kind: &Type, value: &Value, map: &FormatMap, indentation: Indentation) -> Result<String, Error> {
    match value {
        Value::Array(elements) => container::array(kind, elements, map, indentation),
        Value::Hash(hash) => container::hash(kind, hash, map, indentation),
        _ => match iterated(value) {
            // An iterator is written as its elements.
            Some(elements) => {
                let list = Value::from(elements);
                convert(&infer_set(&list), &list, map, indentation)
            }
            None => scalar::convert(kind, value, map, indentation.level()),
        },
    }
}

/// Returns the elements of an iterator, or `None` for every other value.
fn iterated(value: &Value) -> Option<Vec<Value>> {
    value.extended::<crate::values::Opaque>()?.content.elements()
}

#[cfg(test)]
mod tests;
