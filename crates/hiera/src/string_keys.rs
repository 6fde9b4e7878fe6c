//! Converts symbols that are keys in YAML to strings, as the reference does.

use hieratic_value::{Hash, HashBuilder, Rich, Value};

/// Converts symbol keys to strings at every depth. `None` if there are no such keys.
pub(crate) fn with_string_keys(value: &Value) -> Option<Value> {
    match value {
        Value::Array(elements) => elements.iter().any(has_symbol_key).then(|| {
            elements.iter().map(|element| with_string_keys(element).unwrap_or_else(|| element.clone())).collect()
        }),
        Value::Hash(hash) => has_symbol_key(value).then(|| {
            let mut map = HashBuilder::default();
            for (key, value) in hash {
                let key = match key.as_rich() {
                    Some(Rich::Symbol(name)) => Value::String(name.clone()),
                    _ => key.clone(),
                };
                map.insert(key, with_string_keys(value).unwrap_or_else(|| value.clone()));
            }
            Hash::from(map).into()
        }),
        _ => None,
    }
}

fn has_symbol_key(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_symbol_key),
        Value::Hash(hash) => {
            hash.iter().any(|(key, value)| matches!(key.as_rich(), Some(Rich::Symbol(_))) || has_symbol_key(value))
        }
        _ => false,
    }
}
