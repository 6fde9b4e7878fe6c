//! Puppet's rich data: lossless JSON.

use base64::Engine as _;
use hieratic_value::{Hash, Rich, Value};

use crate::{Error, json};

/// Returns a value in Puppet's rich data format, as compact JSON.
///
/// A value that JSON cannot express is an object with the keys `__ptype` and `__pvalue`, as in Puppet's catalogs: see
/// the
/// [specification](https://github.com/puppetlabs/puppet-specifications/blob/master/language/data-types/pcore-data-representation.md).
/// A hash with keys that are not strings is a list of alternating keys and values.
///
/// ```
/// use hieratic_value::Value;
/// let secret = Value::sensitive(Value::from("x"));
/// assert_eq!(hieratic_output::rich_json(&secret)?, r#"{"__ptype":"Sensitive","__pvalue":"x"}"#);
/// # Ok::<(), hieratic_output::Error>(())
/// ```
pub fn rich_json(value: &Value) -> Result<String, Error> {
    json::json(&rich_data(value))
}

/// Returns the plain data that [`rich_json`] writes.
pub fn rich_data(value: &Value) -> Value {
    match value {
        Value::Array(elements) => elements.iter().map(rich_data).collect(),
        Value::Hash(hash) if hash.keys().all(is_plain_key) => {
            Value::from(hash.iter().map(|(key, value)| (key.clone(), rich_data(value))).collect::<Hash>())
        }
        Value::Hash(hash) => typed("Hash", Some(hash.iter().flat_map(|(k, v)| [rich_data(k), rich_data(v)]).collect())),
        Value::Rich(rich) => match &**rich {
            Rich::Default => typed("Default", None),
            Rich::Sensitive(inner) => typed("Sensitive", Some(rich_data(inner))),
            Rich::Symbol(name) => typed("Symbol", Some(name.into())),
            Rich::Binary(bytes) => {
                typed("Binary", Some(base64::engine::general_purpose::STANDARD.encode(bytes).into()))
            }
            Rich::BigInteger(_) => value.clone(),
            Rich::Extended(other) => other.to_text().into(),
        },
        _ => value.clone(),
    }
}

/// Ruby's strings of bytes are strings, so they are plain keys too.
fn is_plain_key(key: &Value) -> bool {
    key.as_str().is_some_and(|key| key != TYPE) || matches!(key.as_rich(), Some(Rich::Binary(_)))
}

const TYPE: &str = "__ptype";

fn typed(name: &str, value: Option<Value>) -> Value {
    let pairs = [(TYPE, Some(name.into())), ("__pvalue", value)];
    Value::from(pairs.into_iter().filter_map(|(key, value)| Some((key, value?))).collect::<Hash>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_json_are_typed_objects() {
        let keyed: Hash =
            [(Value::from(1), Value::Undef), (Rich::Default.into(), Value::from("x"))].into_iter().collect();
        let confusing: Hash = [("__ptype", "y")].into_iter().map(|(k, v)| (k, Value::from(v))).collect();
        let list = Value::from(vec![
            Value::sensitive(Value::from(keyed)),
            Value::from(confusing),
            Rich::Symbol("s".into()).into(),
            Rich::Binary(b"abc\xff".to_vec()).into(),
        ]);
        assert_eq!(
            rich_json(&list).expect("no error"),
            concat!(
                r#"[{"__ptype":"Sensitive","__pvalue":{"__ptype":"Hash","__pvalue":[1,null,{"__ptype":"Default"},"x"]}},"#,
                r#"{"__ptype":"Hash","__pvalue":["__ptype","y"]},"#,
                r#"{"__ptype":"Symbol","__pvalue":"s"},{"__ptype":"Binary","__pvalue":"YWJj/w=="}]"#
            )
        );
    }
}
