//! The tables of go-cty's own tests, replayed: `conformance/hcl/recorded/cty-suite.jsonl`.
use crate::support;

use hieratic_hcl_functions::{Files, functions};
use hieratic_hcl_types::{CallError, Value, convert, unify, unify_safe};
use serde_json::{Value as Json, json};

/// A value as the cases write it, with its type.
fn written(value: &Value) -> Json {
    if !value.is_wholly_known() {
        return json!("unknown");
    }
    match value.as_number() {
        Some(number) if number.is_infinite() => {
            let ty = if *number == hieratic_hcl_types::Number::INFINITY { "inf" } else { "-inf" };
            json!({"type": ty, "value": 0})
        }
        _ => json!({"type": value.ty().constraint(), "value": value.to_json().unwrap_or(json!("no JSON"))}),
    }
}

/// The outcome of a case as it is recorded.
fn outcome(case: &Json) -> Json {
    let values: Vec<Value> =
        case["args"].as_array().map(|args| args.iter().map(support::value).collect()).unwrap_or_default();
    match case["kind"].as_str().unwrap() {
        "call" => {
            let table = functions(Some(Files::new("files")));
            match table.get(case["name"].as_str().unwrap()).unwrap().call(&values) {
                Ok(value) => json!({"result": written(&value)}),
                Err(error) => {
                    let index = match &error {
                        CallError::Argument { index, .. } => json!(index),
                        CallError::Call(_) | CallError::Limit { .. } => Json::Null,
                    };
                    json!({"error": error.message(), "index": index})
                }
            }
        }
        "convert" => match convert(&values[0], &support::ty(case["to"].as_str().unwrap())) {
            Ok(value) => json!({"result": written(&value)}),
            Err(error) => json!({"error": error.message}),
        },
        _ => {
            let types = case["types"].as_array().unwrap();
            let types: Vec<_> = types.iter().map(|ty| support::ty(ty.as_str().unwrap())).collect();
            let unified = if case["unsafe"] == true { unify(&types) } else { unify_safe(&types) };
            json!({"to": unified.map(|unified| unified.ty.constraint())})
        }
    }
}

#[test]
fn the_tables_of_go_ctys_own_tests_have_the_same_outcomes() {
    let file = format!("{}/../../conformance/hcl/recorded/cty-suite.jsonl", env!("CARGO_MANIFEST_DIR"));
    let cases = std::fs::read_to_string(file).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in cases.lines().filter(|line| !line.contains("\"kind\":\"type\"")) {
        count += 1;
        let case: Json = serde_json::from_str(line).unwrap();
        let outcome = outcome(&case);
        let fields = outcome.as_object().unwrap();
        if fields.iter().any(|(name, value)| case.get(name).unwrap_or(&Json::Null) != value) {
            wrong.push(format!("{line}\n  is {outcome}"));
        }
    }
    assert!(count > 600);
    assert!(wrong.is_empty(), "{} of {count} cases differ:\n{}", wrong.len(), wrong.join("\n"));
}
