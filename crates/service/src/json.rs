//! Converts values to JSON and back. Sensitive values are redacted unless secrets are revealed.

use hieratic::lookup::{Object, PathStep, visit_leaves};
use hieratic::{Hash, Value};
pub(crate) use hieratic_report::json::{key_text, of_value};
use serde_json::{Map, Value as Json};

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
    fn numbers_keep_their_digits() {
        let big = to_value(&serde_json::from_str("123456789012345678901234567890").unwrap()).unwrap();
        assert_eq!(of_value(&big, false).to_string(), "123456789012345678901234567890");
    }
}
