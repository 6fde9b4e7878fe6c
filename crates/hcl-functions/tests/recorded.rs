//! Calls whose answers the reference gave, replayed: `conformance/hcl/recorded/functions.jsonl`.
//!
//! Each line holds the name, the arguments with their types (`any`: what the JSON implies), and the value with its type
//! or the error with the number of the argument that it names. `crash` marks what the reference panicked at: only that it
//! fails counts. More calls can be given by a file that the variable `FUNCTION_CALLS` names.
use crate::support;

use hieratic_hcl_functions::{Files, FunctionTable, functions};
use hieratic_hcl_types::{CallError, Value, convert};
use serde_json::Value as Json;

fn folder(name: &str) -> String {
    format!("{}/../../conformance/hcl/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// What a call gives, in the form that is recorded.
#[derive(Debug, PartialEq)]
struct Answer {
    value: Json,
    ty: Json,
    error: Json,
    index: Json,
    special: Json,
}

fn call(table: &FunctionTable, name: &str, arguments: &[Json]) -> Answer {
    let function = table.get(name).unwrap_or_else(|| panic!("no function {name}"));
    let mut converted = Vec::new();
    for (index, argument) in arguments.iter().enumerate() {
        let value = support::value(argument);
        match function.parameter(index) {
            Some(parameter) => match convert(&value, &parameter.ty) {
                Ok(value) => converted.push(value),
                Err(error) => return failed(&CallError::argument(index, error.message)),
            },
            None => converted.push(value),
        }
    }
    let value = match function.call(&converted) {
        Ok(value) => value,
        Err(error) => return failed(&error),
    };
    let answer =
        |value, ty: String, special| Answer { value, ty: ty.into(), error: Json::Null, index: Json::Null, special };
    if !value.is_wholly_known() {
        return answer(Json::Null, "any".into(), "unknown".into());
    }
    let ty = value.ty().constraint();
    match value.as_number() {
        Some(number) if number.is_infinite() => answer(Json::Null, ty, "infinite".into()),
        _ => answer(json(&value), ty, Json::Null),
    }
}

fn json(value: &Value) -> Json {
    match value {
        Value::Number(number) if number.is_infinite() => "Inf".into(),
        Value::List(_) | Value::Set(_) | Value::Tuple(_) => value.elements().map(json).collect(),
        Value::Map(_) | Value::Object(_) => {
            let entries = value.as_entries().unwrap().iter();
            Json::Object(entries.map(|(name, value)| (name.to_string(), json(value))).collect())
        }
        plain => plain.to_json().unwrap(),
    }
}

fn failed(error: &CallError) -> Answer {
    let index = match error {
        CallError::Argument { index, .. } => (*index).into(),
        CallError::Call(_) | CallError::Limit { .. } => Json::Null,
    };
    Answer { value: Json::Null, ty: Json::Null, error: error.message().into(), index, special: Json::Null }
}

fn replay(path: &str) {
    // The folder that relative paths were completed with when the answers were recorded.
    let table = functions(Some(Files::new("files").outside(true).home(Some("/root".into())).current("/recorded")));
    let text = std::fs::read_to_string(path).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for line in text.lines() {
        let recorded: Json = serde_json::from_str(line).unwrap();
        let arguments = recorded["args"].as_array().unwrap();
        let name = recorded["name"].as_str().unwrap();
        let answer = call(&table, name, arguments);
        count += 1;
        let expected = Answer {
            value: recorded["value"].clone(),
            ty: recorded["type"].clone(),
            error: recorded["error"].clone(),
            index: recorded["index"].clone(),
            special: recorded["special"].clone(),
        };
        let same = if recorded["crash"] == true { !answer.error.is_null() } else { answer == expected };
        if !same {
            wrong.push(format!("{name} {}\n  is        {answer:?}\n  should be {expected:?}", recorded["args"]));
        }
    }
    assert!(count > 0);
    assert!(wrong.is_empty(), "{} of {count} calls differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn recorded_calls_give_the_recorded_answers() {
    std::env::set_current_dir(folder("")).unwrap();
    match std::env::var("FUNCTION_CALLS") {
        Ok(path) => replay(&path),
        Err(_) => replay(&folder("recorded/functions.jsonl")),
    }
}
