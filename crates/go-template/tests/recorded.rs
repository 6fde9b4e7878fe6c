//! Templates beside what Go's parser makes of them. `HIERATIC_TEMPLATES` names a file with more cases.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_go_template::{Fault, Functions, Rendering, Syntax, Value as TemplateValue, parse, render, sprig};
use serde_json::Value;

fn cases(name: &str, more: &str) -> Vec<Value> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/go-template").join(name);
    let files = std::iter::once(own).chain(std::env::var_os(more).map(PathBuf::from));
    files
        .flat_map(|file| {
            let text = std::fs::read_to_string(&file).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn templates_are_accepted_and_refused_as_by_the_reference() {
    let cases = cases("parse.jsonl", "HIERATIC_TEMPLATES");
    let mut different = Vec::new();
    for case in &cases {
        let functions: Vec<&str> = case["functions"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        let known = |name: &str| functions.contains(&name);
        let syntax = Syntax {
            left: case["left"].as_str().unwrap_or("{{"),
            right: case["right"].as_str().unwrap_or("}}"),
            functions: Some(&known),
        };
        let text = case["text"].as_str().unwrap();
        let error = parse("t", text, &syntax, &Budget::default()).err().map(|error| error.to_string());
        let expected = case["error"].as_str().map(str::to_owned);
        if error != expected {
            different.push(format!("{text:?}\n  expected {expected:?}\n  got      {error:?}"));
        }
    }
    assert!(!cases.is_empty());
    assert!(
        different.is_empty(),
        "{} of {} differ:\n{}",
        different.len(),
        cases.len(),
        different[..different.len().min(20)].join("\n")
    );
}

/// Sprig's functions alone.
struct Sprig;

impl Functions for Sprig {
    fn call(&self, name: &str, arguments: &[TemplateValue], _: &Rendering<'_>) -> Option<Result<TemplateValue, Fault>> {
        sprig::call(name, arguments)
    }
}

fn value(json: &Value) -> TemplateValue {
    match json {
        Value::Null => TemplateValue::Nil,
        Value::Bool(truth) => TemplateValue::Bool(*truth),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => TemplateValue::Int(whole),
            None => TemplateValue::Float(number.as_f64().unwrap()),
        },
        Value::String(text) => TemplateValue::from(text.as_str()),
        Value::Array(values) => TemplateValue::list(values.iter().map(value).collect()),
        Value::Object(entries) => TemplateValue::map(entries.iter().map(|(key, inner)| (key.clone(), value(inner)))),
    }
}

/// The result of a template with sprig's functions. Nothing if that is not evaluated here.
fn rendered(text: &str, dot: &Value) -> Option<Result<String, String>> {
    let budget = Budget::default();
    let known = |name: &str| sprig::is_function(name);
    let syntax = Syntax { functions: Some(&known), ..Syntax::default() };
    let templates = match parse("t", text, &syntax, &budget) {
        Ok(templates) => templates,
        Err(error) => return Some(Err(error.to_string())),
    };
    let rendering = Rendering {
        templates: &templates,
        functions: &Sprig,
        is_strict: false,
        no_value: "<no value>",
        budget: &budget,
    };
    match render("t", &value(dot), &rendering) {
        Ok(rendered) => Some(Ok(rendered.text)),
        Err(error) if matches!(error.fault, Fault::NotHere(_)) => None,
        Err(error) => Some(Err(error.to_string())),
    }
}

#[test]
fn functions_return_the_results_of_the_reference() {
    let cases = cases("calls.jsonl", "HIERATIC_TEMPLATE_CALLS");
    let mut different = Vec::new();
    let mut skipped = 0;
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let expected = case["rendered"].as_str();
        match (rendered(text, &case["dot"]), expected) {
            (None, _) => skipped += 1,
            (Some(Ok(own)), Some(expected)) if own == expected => {}
            (Some(Err(_)), None) => {}
            (Some(own), expected) => {
                different.push(format!("{text}\n  expected {expected:?} {}\n  got      {own:?}", case["error"]));
            }
        }
    }
    assert!(!cases.is_empty());
    assert!(skipped * 20 < cases.len(), "{skipped} of {} are not evaluated", cases.len());
    let shown = different.iter().take(60).cloned().collect::<Vec<_>>().join("\n");
    assert!(different.is_empty(), "{} of {} differ, {skipped} left out:\n{shown}", different.len(), cases.len());
}
