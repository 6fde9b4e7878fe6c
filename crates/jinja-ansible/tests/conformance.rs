//! Replays recorded answers of Ansible; see `conformance/jinja/README.md`.

use std::fmt::Write;
use std::path::Path;

use hieratic_jinja::{Engine, Files, Options, from_value, from_variables, read_variables, to_value};
use hieratic_jinja_ansible::engine;
use hieratic_value::{Hash, Value};
use serde_json::Value as Json;

use crate::support;
use support::decode;

#[test]
fn recorded_cases_have_the_recorded_results() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja");
    // More cases than those that are kept may be given by their path.
    let file = std::env::var_os("HIERATIC_CASES_FILE").map_or_else(|| folder.join("cases.jsonl"), Into::into);
    let cases = std::fs::read_to_string(file).expect("the cases are there");
    let options =
        Options { base: folder.join("tree"), files: Files::below([folder.join("tree")]), ..Options::default() };
    let engine = engine(&options);
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
    rendered.map_err(|error| error.message)
}

#[test]
fn queries_have_the_results_of_jmespath() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja/queries.jsonl");
    let cases = std::fs::read_to_string(file).expect("the cases are there");
    let mut wrong = String::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        // A text alone would be read as a literal.
        let expected = case.get("result").map(|result| [decode(result)].into_iter().collect::<Value>());
        let variables: Hash = [("data", decode(&case["data"])), ("query", decode(&case["expression"]))]
            .into_iter()
            .map(|(name, value)| (Value::from(name), value))
            .collect();
        let found = engine(&Options::default())
            .render("{{ [data | json_query(query)] }}", from_value(&Value::from(variables)))
            .and_then(|value| to_value(&value))
            .map_err(|error| error.message);
        if found.as_ref().ok().map(print) != expected.as_ref().map(print) {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{line}\n  expected {expected:?}\n  got      {found:?}");
        }
    }
    assert!(cases.lines().count() > 1_000 && wrong.is_empty(), "{wrong}");
}

#[test]
fn yaml_blocks_have_the_recorded_results() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja/styles.jsonl");
    let cases = std::fs::read_to_string(file).expect("the cases are there");
    let mut wrong = String::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        let expected = case["result"].as_str().map(str::to_string);
        let text = format!("#jinja2: trim_blocks: False\n{}", case["template"].as_str().expect("a template"));
        let variables = from_value(&decode(&case["vars"]));
        let rendered = engine(&Options::default()).render_text("template.j2", &text, variables);
        let rendered = rendered.map_err(|error| error.message);
        if rendered.as_ref().ok() != expected.as_ref() {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{line}\n  expected {expected:?}\n  got      {rendered:?}");
        }
    }
    assert!(cases.lines().count() >= 130 && wrong.is_empty(), "{wrong}");
}

#[test]
fn variables_are_rendered_when_they_are_used() {
    templates_with_variables("variables.jsonl", 1_800);
}

#[test]
fn lookups_have_the_recorded_results() {
    templates_with_variables("lookups.jsonl", 200);
}

#[test]
fn values_have_the_attributes_of_python() {
    templates_with_variables("attributes.jsonl", 3_000);
}

#[test]
fn filters_and_tests_of_collections_have_the_recorded_results() {
    templates_with_variables("plugins.jsonl", 3_000);
}

#[test]
fn filters_tests_and_lookups_take_arguments_of_every_shape() {
    templates_with_variables("shapes.jsonl", 5_000);
}

#[test]
fn random_templates_change_their_inputs() {
    templates_with_variables("mutations.jsonl", 1_400);
}

#[test]
fn random_templates_have_all_constructs() {
    templates_with_variables("constructs.jsonl", 600);
}

#[test]
fn random_templates_have_native_types() {
    templates_with_variables("natives.jsonl", 350);
}

#[test]
fn times_have_the_attributes_of_python() {
    templates_with_variables("times.jsonl", 1_000);
}

/// Replays templates whose variables are templates; there are at least so many.
fn templates_with_variables(name: &str, least: usize) {
    // More cases than those that are kept may be given by their path.
    let kept = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/jinja").join(name);
    let file = std::env::var_os("HIERATIC_VARIABLES_FILE").map_or_else(kept, Into::into);
    let cases = std::fs::read_to_string(file).expect("the cases are there");
    let folder = tempfile::tempdir().expect("a folder");
    let files = Files::below([folder.path()]);
    // Each has a budget of its own.
    let options =
        || Options { base: folder.path().into(), files: files.clone(), templates: true, ..Options::default() };
    let mut variables = from_variables(&Hash::default().into());
    let mut wrong = String::new();
    for line in cases.lines() {
        let case: Json = serde_json::from_str(line).expect("a case is JSON");
        // A line with variables and files is for those behind it.
        if let Some(text) = case["vars"].as_str() {
            variables = from_variables(&read_variables("variables", text).expect("variables"));
            for (name, text) in case["files"].as_object().expect("files") {
                std::fs::write(folder.path().join(name), text.as_str().expect("a text")).expect("a file");
            }
            continue;
        }
        let template = case["template"].as_str().expect("a case has a template");
        let is_native = case["native"] == true;
        let engine = engine(&Options { templates: !is_native, ..options() });
        let rendered = if is_native {
            engine.render(template, variables.clone()).and_then(|value| to_value(&value))
        } else {
            engine.render_text("template.j2", template, variables.clone()).map(Value::from)
        };
        let rendered = rendered.map_err(|error| error.message);
        if rendered.as_ref().ok() != case.get("result").map(decode).as_ref() {
            // Writing to a string does not fail.
            let _ = writeln!(wrong, "{template:?}\n  expected {}\n  got      {rendered:?}", case["result"]);
        }
    }
    assert!(cases.lines().count() > least && wrong.is_empty(), "{wrong}");
}

/// A value with its type, so that what is not a number equals itself.
fn print(value: &Value) -> String {
    format!("{value:?}")
}
