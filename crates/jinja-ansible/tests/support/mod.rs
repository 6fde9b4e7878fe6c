//! What tests of recorded cases share.

use hieratic_value::{Hash, Rich, Value};
use serde_json::Value as Json;

/// A value as the cases write it.
pub fn decode(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(whole) => Value::from(whole),
            None => Value::from(number.as_f64().expect("a number")),
        },
        Json::String(text) => Value::from(text.as_str()),
        Json::Array(items) => items.iter().map(decode).collect(),
        Json::Object(object) => match object.iter().next().map(|(key, value)| (key.as_str(), value)) {
            Some(("$int", Json::String(digits))) => Rich::BigInteger(digits.parse().expect("digits")).into(),
            Some(("$float", Json::String(number))) => Value::from(number.parse::<f64>().expect("a float")),
            Some(("$bytes", Json::String(digits))) => Rich::Binary(bytes(digits)).into(),
            Some(("$tuple", items)) => decode(items),
            Some(("$dict", Json::Array(pairs))) => {
                Value::from(pairs.iter().map(|pair| (decode(&pair[0]), decode(&pair[1]))).collect::<Hash>())
            }
            _ => Value::from(
                object.iter().map(|(key, item)| (Value::from(key.as_str()), decode(item))).collect::<Hash>(),
            ),
        },
    }
}

fn bytes(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("digits")).collect()
}
