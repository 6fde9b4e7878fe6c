//! The validator in Rust beside those whose answers are recorded in `conformance/schema`, on the schemas that `hieratic schema` writes.

use hieratic_json_schema::{Form, Schemas};
use serde_json::{Value as Json, json};

const CASES: &str = include_str!("../../../conformance/schema/cases.jsonl");

#[test]
fn three_validators_agree() {
    let mut lines = CASES.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let head = lines.next().unwrap();
    let mut count = 0;
    for case in lines {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "allOf": [case["schema"]],
            "definitions": head["definitions"],
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        let bits = |name: &str| case[name].as_str().unwrap().bytes().map(|bit| bit == b'1').collect::<Vec<_>>();
        let (reference, jsonschema, ajv) = (bits("reference"), bits("jsonschema"), bits("ajv"));
        let is_exact = is_exact(case["type"].as_str().unwrap());
        for (at, value) in case["values"].as_array().unwrap().iter().enumerate() {
            let used = validator.is_valid(value);
            assert_eq!(used, ajv[at], "{} {value}", case["type"]);
            // `$` in Python takes a line break at the end.
            assert!(used == jsonschema[at] || value.to_string().contains(r#"\n""#), "{} {value}", case["type"]);
            match is_exact {
                Some(true) if !has_whole_float(value) => assert_eq!(used, reference[at], "{} {value}", case["type"]),
                _ => assert!(used || !reference[at], "{} {value}", case["type"]),
            }
            count += 1;
        }
    }
    assert!(count >= 10_000, "{count}");
}

/// Whether a number such as 1.0 is in a value, which JSON Schema takes for an integer.
fn has_whole_float(value: &Json) -> bool {
    match value {
        Json::Number(number) => number.is_f64() && number.as_f64().is_some_and(|number| number.fract() == 0.0),
        Json::Array(elements) => elements.iter().any(has_whole_float),
        Json::Object(pairs) => pairs.values().any(has_whole_float),
        _ => false,
    }
}

/// Whether a schema takes nothing but what a type takes; unknown for types with aliases, which nothing here resolves.
fn is_exact(kind: &str) -> Option<bool> {
    if kind.contains("::") {
        return None;
    }
    let mut schemas = Schemas::new(Form::InData);
    schemas.schema(&hieratic_puppet_types::parse(kind).ok()?);
    Some(schemas.is_exact())
}
