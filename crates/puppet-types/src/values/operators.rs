//! The operators of the language for values that plain data cannot hold.

use crate::quantities::Uri;
use hieratic_value::Value;

use super::{UriValue, bytes_of, bytes_value};

/// Evaluates `left + right` if the left side is bytes or a URI; `None` for other values.
///
/// # Errors
/// The right side cannot be added. The message is the reference's.
pub fn concatenate(left: &Value, right: &Value) -> Option<Result<Value, String>> {
    if let Some(base) = UriValue::downcast(left) {
        let reference = match right {
            Value::String(text) => Uri::parse(text),
            other => UriValue::downcast(other)
                .cloned()
                .ok_or_else(|| "An URI can only be merged with an URI or String".to_owned()),
        };
        return Some(reference.and_then(|reference| base.join(&reference)).map(UriValue::value));
    }
    let bytes = bytes_of(left)?;
    Some(match bytes_of(right) {
        Some(more) => Ok(bytes_value([bytes, more].concat())),
        None => Err("Can only append Binary to a Binary".into()),
    })
}

/// Evaluates `value[keys]` for an object whose type defines the function `[]`. Returns `None` for other values.
pub fn index_object(value: &Value, keys: &[Value]) -> Option<Result<Value, String>> {
    crate::object::index(value, keys)
}
