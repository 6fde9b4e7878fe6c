//! Formats against what Ruby 3.1 makes of them, recorded in `sprintf.jsonl`: format, values, result or message.
// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

use hieratic_puppet_functions::sprintf;
use hieratic_value::{Hash, Value};
use serde_json::Value as Json;

fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Undef,
        Json::Bool(truth) => Value::from(*truth),
        Json::Number(number) => match number.as_i64() {
            Some(number) => Value::from(number),
            None => Value::from(number.as_f64().unwrap()),
        },
        Json::String(text) => Value::from(&**text),
        Json::Array(elements) => elements.iter().map(value).collect(),
        Json::Object(pairs) => Value::from(pairs.iter().map(|(key, one)| (&**key, value(one))).collect::<Hash>()),
    }
}

#[test]
fn formats_are_those_of_ruby() {
    let mut count = 0;
    for line in include_str!("sprintf.jsonl").lines() {
        let case: (String, Vec<Json>, String) = serde_json::from_str(line).unwrap();
        let values: Vec<Value> = case.1.iter().map(value).collect();
        let result = sprintf(&case.0, &values).unwrap_or_else(|error| format!("ERR {}", error.message));
        assert_eq!(result, case.2, "{line}");
        count += 1;
    }
    assert!(count > 400);
}
