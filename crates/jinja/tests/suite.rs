//! Replays the templates of Jinja2's own tests; see `conformance/jinja/README.md`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use hieratic_jinja::{Engine, Extensions, Files, LinePrefixes, Options, from_value};
use serde_json::Value as Json;

use crate::support;
use support::decode;

#[test]
fn line_statements_and_translations_have_the_recorded_results() {
    all_are_as_recorded("lines.jsonl", 2000);
}

#[test]
fn escaped_strings_have_the_recorded_results() {
    all_are_as_recorded("escaping.jsonl", 900);
}

fn all_are_as_recorded(file: &str, count: usize) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja").join(file);
    let cases = std::fs::read_to_string(file).expect("the cases are there");
    let mut wrong = String::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        let expected = case["result"].as_str().map(str::to_string);
        let rendered = render(&case);
        if rendered.as_ref().ok() != expected.as_ref() {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{line}\n  expected {expected:?}\n  got      {rendered:?}");
        }
    }
    assert!(cases.lines().count() >= count && wrong.is_empty(), "{wrong}");
}

#[test]
fn jinja2s_own_tests_have_the_recorded_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja");
    let cases = std::fs::read_to_string(folder.join("suite.jsonl")).expect("the cases are there");
    let listed = std::fs::read_to_string(folder.join("suite-differences.json")).expect("the list is there");
    let listed: BTreeMap<String, Vec<(String, String)>> = serde_json::from_str(&listed).expect("the list is JSON");
    let mut reasons: BTreeMap<(String, String), usize> = listed.into_values().flatten().map(|case| (case, 0)).collect();
    let mut wrong = String::new();
    let mut count = 0;
    for line in cases.lines() {
        count += 1;
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        // With Ansible's settings, where those make a difference.
        let expected = case.get("ansible").unwrap_or(&case)["result"].as_str().map(str::to_string);
        let rendered = render(&case);
        if rendered.as_ref().ok() == expected.as_ref() {
            continue;
        }
        let [test, template] = ["test", "template"].map(|name| case[name].as_str().unwrap_or_default().to_string());
        match reasons.get_mut(&(test, template)) {
            Some(seen) => *seen += 1,
            // Writing to a string does not fail.
            None => {
                let _ = writeln!(wrong, "{line}\n  expected {expected:?}\n  got      {rendered:?}");
            }
        }
    }
    assert!(count > 500, "there are only {count} cases");
    assert!(wrong.is_empty(), "{wrong}");
    let idle: Vec<_> = reasons.iter().filter(|(_, seen)| **seen == 0).collect();
    assert!(idle.is_empty(), "these do not differ any more: {idle:?}");
}

/// The template as a file with a first line that has the options.
fn render(case: &Json) -> Result<String, String> {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in case.get("files").and_then(Json::as_object).into_iter().flatten() {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder around")).expect("a folder");
        std::fs::write(path, text.as_str().expect("a text")).expect("a file");
    }
    let mut extensions = Extensions::default();
    for name in case.get("extensions").and_then(Json::as_array).into_iter().flatten() {
        extensions.add(name.as_str().expect("a name")).expect("an extension");
    }
    let engine = Engine::new(&Options {
        base: folder.path().into(),
        files: Files::below([folder.path()]),
        extensions,
        lines: LinePrefixes::default(),
        ..Options::default()
    });
    let mut options = vec!["trim_blocks: False".to_string()];
    for (name, value) in case.get("options").and_then(Json::as_object).into_iter().flatten() {
        let value = match value {
            Json::Bool(true) => "True".into(),
            Json::Bool(false) => "False".into(),
            other => other.to_string(),
        };
        options.push(format!("{name}: {value}"));
    }
    let template = case["template"].as_str().expect("a template");
    // The newline of the first line counts among those at the end of a template that has no other lines.
    let text = match template {
        blank if blank.trim_matches('\n').is_empty() => blank.to_string(),
        template => format!("#jinja2: {}\n{template}", options.join(", ")),
    };
    let variables = from_value(&decode(&case["vars"]));
    engine.render_text("template.j2", &text, variables).map_err(|error| error.message)
}
