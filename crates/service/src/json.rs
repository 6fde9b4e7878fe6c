//! Converts values to JSON and back. Sensitive values are redacted unless secrets are revealed.

use base64::Engine;
use hieratic::lookup::{Object, PathStep, visit_leaves};
use hieratic::value::Rich;
use hieratic::value::text::REDACTED;
use hieratic::{Hash, Value};
use serde_json::{Map, Number, Value as Json};

/// Converts a value to JSON. Keys become strings, values that JSON does not have become their text, and binary data
/// becomes Base64.
pub(crate) fn of_value(value: &Value, reveal: bool) -> Json {
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

pub(crate) fn key_text(key: &Value, reveal: bool) -> String {
    match of_value(key, reveal) {
        Json::String(text) => text,
        _ => key.to_text(),
    }
}

/// Converts JSON to a value.
pub(crate) fn to_value(json: &Json) -> Result<Value, String> {
    hieratic::json::parse(json.to_string().as_bytes()).map_err(|error| error.message().to_string())
}

/// Converts a JSON object to a hash.
pub(crate) fn to_hash(json: &Map<String, Json>) -> Result<Hash, String> {
    let text = serde_json::to_vec(json).map_err(|error| error.to_string())?;
    let value = hieratic::json::parse(&text).map_err(|error| error.message().to_string())?;
    value.as_hash().cloned().ok_or_else(|| "expected an object".into())
}

/// A scalar or empty part of a value: its path, and its origin.
pub(crate) struct Leaf {
    pub(crate) path: Vec<Json>,
    pub(crate) origin: Option<hieratic::lookup::Origin>,
}

/// The parts of a value: scalars, and arrays and hashes that are empty, or secret and not to be shown.
pub(crate) fn leaves(object: &Object, reveal: bool) -> Vec<Leaf> {
    let step = |step: PathStep<'_>| match step {
        PathStep::Index(index) => Json::from(index),
        PathStep::Key(key) => Json::String(key_text(key, reveal)),
    };
    let mut all = Vec::new();
    visit_leaves(object, reveal, step, |path, leaf| {
        all.push(Leaf { path: path.to_vec(), origin: leaf.origin().cloned() });
    });
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sensitive_values_are_redacted_at_every_depth() {
        let hash: Hash = [("a", Value::from(vec![Value::sensitive("word".into())])), ("b", Value::Float(f64::NAN))]
            .into_iter()
            .collect();
        let value = Value::from(hash);
        assert_eq!(of_value(&value, false).to_string(), r#"{"a":["Sensitive [value redacted]"],"b":"NaN"}"#);
        assert_eq!(of_value(&value, true)["a"][0], "word");
    }

    #[test]
    fn numbers_keep_their_digits() {
        let big = to_value(&serde_json::from_str("123456789012345678901234567890").unwrap()).unwrap();
        assert_eq!(of_value(&big, false).to_string(), "123456789012345678901234567890");
    }
}
