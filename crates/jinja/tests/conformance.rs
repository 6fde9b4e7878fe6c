//! Replays recorded answers of Ansible; see `conformance/jinja/README.md`.

use std::fmt::Write;
use std::path::Path;

use hieratic_jinja::{Engine, Files, Options, from_value, to_value};
use hieratic_value::{Hash, Rich, Value};
use serde_json::Value as Json;

#[test]
fn recorded_cases_have_the_same_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja");
    let cases = std::fs::read_to_string(folder.join("cases.jsonl")).expect("the cases are there");
    let options =
        Options { base: folder.join("tree"), files: Files::below([folder.join("tree")]), ..Options::default() };
    let engine = Engine::new(&options);
    let mut wrong = String::new();
    let mut count = 0;
    for line in cases.lines() {
        count += 1;
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        let template = case["template"].as_str().expect("a case has a template");
        let expected = case.get("result").map(decode);
        let rendered = render(&engine, template, &case);
        if rendered.as_ref().ok() != expected.as_ref() {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{template:?}\n  expected {expected:?}\n  got      {rendered:?}");
        }
    }
    assert!(count > 700, "there are only {count} cases");
    assert!(wrong.is_empty(), "{wrong}");
}

fn render(engine: &Engine, template: &str, case: &Json) -> Result<Value, String> {
    let variables = from_value(&case.get("vars").map_or(Value::from(Hash::default()), decode));
    let rendered = match case.get("mode") {
        Some(_) => engine.render_text("template.j2", template, variables).map(Value::from),
        None => engine.render(template, variables).and_then(|value| to_value(&value)),
    };
    rendered.map_err(|fault| fault.message)
}

/// A value as the cases write it.
fn decode(json: &Json) -> Value {
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
