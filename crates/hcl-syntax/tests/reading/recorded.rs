//! The recorded answers of `conformance/hcl/recorded/parse.jsonl`: every message with its places, and whole trees.

use std::path::PathBuf;

use hieratic_hcl_syntax::{
    Diagnostics, Range, Source, json, parse_config, parse_expression, parse_template, parse_traversal_abs,
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
    let (tree, diagnostics) = if let Some(source) = text("expr") {
        let parsed = parse_expression(source);
        (Some(dump::expression(&parsed.tree)), parsed.diagnostics)
    } else if let Some(source) = text("template") {
        let parsed = parse_template(source);
        (Some(dump::expression(&parsed.tree)), parsed.diagnostics)
    } else if let Some(source) = text("body") {
        let parsed = parse_config(source);
        (Some(dump::body(&parsed.tree)), parsed.diagnostics)
    } else if let Some(source) = text("traversal") {
        let parsed = parse_traversal_abs(source);
        (parsed.tree.as_ref().map(dump::traversal), parsed.diagnostics)
    } else if let Some(source) = text("json_expr") {
        let parsed = json::parse_expression(source);
        (Some(dump::json(&parsed.tree)), parsed.diagnostics)
    } else {
        (None, json::parse(text("json").unwrap()).diagnostics)
    };
    let mut answer = json!({"diagnostics": messages(&diagnostics)});
    if !diagnostics.is_empty() {
        answer["text"] = diagnostics.to_string().into();
    } else if let Some(tree) = tree {
        answer["tree"] = tree.into();
    }
    answer
}

fn messages(diagnostics: &Diagnostics) -> Vec<Json> {
    let message = |diagnostic: &hieratic_hcl_syntax::Diagnostic| {
        let mut message = json!({"summary": diagnostic.summary, "detail": diagnostic.detail});
        let places = [("subject", &diagnostic.subject), ("context", &diagnostic.context)];
        for (name, range) in places {
            if let Some(range) = range {
                message[name] = place(range);
            }
        }
        message
    };
    diagnostics.iter().map(message).collect()
}

fn place(range: &Range) -> Json {
    let (start, end) = (range.start(), range.end());
    json!({
        "line": start.line, "col": start.column, "byte": start.byte,
        "end_line": end.line, "end_col": end.column, "end_byte": end.byte,
    })
}
