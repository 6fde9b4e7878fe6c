//! The recorded answers of `conformance/hcl/recorded/parse.jsonl`: every message with its places, and whole trees.

use std::path::PathBuf;

use hieratic_hcl_syntax::{
    Problems, Range, Source, json, parse_config, parse_expression, parse_template, parse_traversal_abs,
};
use serde_json::{Value as Json, json};

use crate::dump;

#[test]
fn messages_and_trees_are_those_of_the_reference() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hcl/recorded/parse.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let mut expected: Json = serde_json::from_str(line).unwrap();
        let answer = answer(&expected);
        for input in ["expr", "template", "body", "json_expr", "json", "traversal"] {
            expected.as_object_mut().unwrap().remove(input);
        }
        let id = expected.as_object_mut().unwrap().remove("id").unwrap();
        if answer != expected {
            wrong.push(format!("{id}: {answer}\n    instead of {expected}"));
        }
    }
    assert!(text.lines().count() >= 300);
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
}

fn answer(case: &Json) -> Json {
    let text = |name: &str| case[name].as_str().map(|text| Source::new("case.hcl", text));
    let (tree, problems) = if let Some(source) = text("expr") {
        let parsed = parse_expression(source);
        (Some(dump::expression(&parsed.tree)), parsed.problems)
    } else if let Some(source) = text("template") {
        let parsed = parse_template(source);
        (Some(dump::expression(&parsed.tree)), parsed.problems)
    } else if let Some(source) = text("body") {
        let parsed = parse_config(source);
        (Some(dump::body(&parsed.tree)), parsed.problems)
    } else if let Some(source) = text("traversal") {
        let parsed = parse_traversal_abs(source);
        (parsed.tree.as_ref().map(dump::traversal), parsed.problems)
    } else if let Some(source) = text("json_expr") {
        let parsed = json::parse_expression(source);
        (Some(dump::json(&parsed.tree)), parsed.problems)
    } else {
        (None, json::parse(text("json").unwrap()).problems)
    };
    let mut answer = json!({"diagnostics": messages(&problems)});
    if !problems.is_empty() {
        answer["text"] = problems.to_string().into();
    } else if let Some(tree) = tree {
        answer["tree"] = tree.into();
    }
    answer
}

fn messages(problems: &Problems) -> Vec<Json> {
    let message = |problem: &hieratic_hcl_syntax::Problem| {
        let mut message = json!({"summary": problem.summary, "detail": problem.detail});
        let places = [("subject", &problem.subject), ("context", &problem.context)];
        for (name, range) in places {
            if let Some(range) = range {
                message[name] = place(range);
            }
        }
        message
    };
    problems.iter().map(message).collect()
}

fn place(range: &Range) -> Json {
    let (start, end, bytes) = (range.start(), range.end(), range.bytes());
    json!({
        "line": start.line, "col": start.column, "byte": bytes.start,
        "end_line": end.line, "end_col": end.column, "end_byte": bytes.end,
    })
}
