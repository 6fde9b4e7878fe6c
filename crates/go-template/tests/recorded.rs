//! Templates beside what Go's parser makes of them. `HIERATIC_TEMPLATES` names a file with more cases.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use hieratic_budget::Budget;
use hieratic_go_template::{Syntax, parse};
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
