//! Values of variables of HCL: what HCL has no value for is an error, because another value in its place would be wrong.

use hieratic::Value;
use hieratic::value::{Rich, Value as AnyValue};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use std::collections::HashSet;

/// Checks that the value of a variable has a form in HCL.
///
/// # Errors
/// A number that is no number, bytes that are no text, or keys that are no names, or the same name.
pub(crate) fn check(name: &str, value: &Value) -> PyResult<()> {
    let wrong = |message: String| PyValueError::new_err(format!("the variable {name}: {message}"));
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Float(number) if number.is_nan() => return Err(wrong("NaN has no form in HCL".to_owned())),
            Value::Array(items) => rest.extend(items.iter()),
            Value::Hash(hash) => {
                let mut names = HashSet::new();
                for (key, value) in hash.iter() {
                    if !matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_)) {
                        let message = format!("the variable {name}: {} is no key of an object of HCL", key.inspect());
                        return Err(PyTypeError::new_err(message));
                    }
                    if !names.insert(AnyValue::to_text(key)) {
                        return Err(wrong(format!("two keys would have the same name, {}", key.inspect())));
                    }
                    rest.push(value);
                }
            }
            Value::Rich(rich) => match &**rich {
                Rich::Sensitive(hidden) => rest.push(hidden),
                Rich::Binary(bytes) if std::str::from_utf8(bytes).is_err() => {
                    return Err(wrong("bytes that are not UTF-8 have no form in HCL".to_owned()));
                }
                _ => {}
            },
            _ => {}
        }
    }
    Ok(())
}
