//! [`of_value`]: a value as JSON. Sensitive values are redacted unless secrets are revealed.

use base64::Engine;
use hieratic::Value;
use hieratic::value::Rich;
use hieratic::value::text::REDACTED;
use serde_json::{Number, Value as Json};

/// Converts a value to JSON. Keys become strings, values that JSON does not have become their text, and binary data
/// becomes Base64.
pub fn of_value(value: &Value, reveal: bool) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Boolean(boolean) => Json::Bool(*boolean),
        Value::Integer(integer) => Json::from(*integer),
        Value::Float(float) => Number::from_f64(*float).map_or_else(|| Json::String(value.to_text()), Json::Number),
        Value::String(text) => Json::String(text.to_string()),
        Value::Array(elements) => elements.iter().map(|element| of_value(element, reveal)).collect(),
        Value::Hash(hash) => {
            let pairs = hash.iter().map(|(key, value)| (key_text(key, reveal), of_value(value, reveal)));
            Json::Object(pairs.collect())
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) if reveal => of_value(inner, reveal),
            Rich::Sensitive(_) => Json::String(REDACTED.into()),
            Rich::BigInteger(integer) => {
                let text = integer.to_string();
                text.parse::<Number>().map_or(Json::String(text), Json::Number)
            }
            Rich::Binary(bytes) => Json::String(base64::engine::general_purpose::STANDARD.encode(bytes)),
            Rich::Symbol(_) | Rich::Default | Rich::Extended(_) => Json::String(value.to_text()),
        },
    }
}

/// The text of a key of a JSON object.
pub fn key_text(key: &Value, reveal: bool) -> String {
    match of_value(key, reveal) {
        Json::String(text) => text,
        _ => key.to_text(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hieratic::Hash;

    #[test]
    fn sensitive_values_are_redacted_at_every_depth() {
        let hash: Hash = [("a", Value::from(vec![Value::sensitive("word".into())])), ("b", Value::Float(f64::NAN))]
            .into_iter()
            .collect();
        let value = Value::from(hash);
        assert_eq!(of_value(&value, false).to_string(), r#"{"a":["Sensitive [value redacted]"],"b":"NaN"}"#);
        assert_eq!(of_value(&value, true)["a"][0], "word");
    }
}
