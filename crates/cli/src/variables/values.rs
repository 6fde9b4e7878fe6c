//! Values in the forms of other programs.

use hieratic::Value;
use hieratic::value::Rich;

/// A value without types that only Puppet has: Sensitive values are their content, others their text.
pub(crate) fn plain(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Hash(hash) => Value::Hash(hash.iter().map(|(key, value)| (key.clone(), plain(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(hidden) => plain(hidden),
            Rich::BigInteger(_) => value.clone(),
            _ => Value::from(value.to_text()),
        },
        _ => value.clone(),
    }
}

/// A value as text: strings as they are, everything else as JSON.
pub(crate) fn text(value: &Value) -> Result<String, String> {
    match plain(value) {
        Value::String(text) => Ok(text.to_string()),
        value => hieratic_output::json(&value).map_err(|error| format!("has no form as JSON: {error}")),
    }
}
