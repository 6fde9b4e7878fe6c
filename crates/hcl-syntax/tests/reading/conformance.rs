//! The recorded answers of `conformance/hcl`: what the reference cannot read fails in the same way, all else is read.

use std::path::PathBuf;

use hieratic_hcl_syntax::{Problems, Source, json, parse_config, parse_expression, parse_template};
use serde_json::Value as Json;

#[test]
fn cases_parse_as_in_the_reference() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../conformance/hcl");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            let case: Json = serde_json::from_str(line).unwrap();
            count += 1;
            if let Err(difference) = check(&case) {
                wrong.push(format!("{}: {difference}", case["id"]));
            }
        }
    }
    assert!(count > 1500, "{count} cases");
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

fn check(case: &Json) -> Result<(), String> {
    let text = |name: &str| case[name].as_str().map(|text| Source::new("case.hcl", text));
    let (in_json, problems) = if let Some(source) = text("expr") {
        (false, parse_expression(source).problems)
    } else if let Some(source) = text("template") {
        (false, parse_template(source).problems)
    } else if let Some(source) = text("body") {
        (false, parse_config(source).problems)
    } else {
        (true, json::parse_expression(text("json_expr").unwrap()).problems)
    };
    let error = &case["error"];
    // Templates in strings of JSON are read where they are evaluated.
    if in_json && problems.is_empty() {
        return Ok(());
    }
    if error["phase"] == "parse" { same(error, &problems) } else { none(&problems) }
}

fn none(problems: &Problems) -> Result<(), String> {
    if problems.is_empty() { Ok(()) } else { Err(problems.to_string()) }
}

fn same(error: &Json, problems: &Problems) -> Result<(), String> {
    let Some(first) = problems.first() else { return Err(format!("read without {error}")) };
    let (start, end) = first.subject.as_ref().map(|range| (range.start(), range.end())).unwrap();
    let also: Vec<&str> = problems.iter().skip(1).map(|problem| &*problem.summary).collect();
    let expected_also: Vec<&str> =
        error["also"].as_array().into_iter().flatten().map(|summary| summary.as_str().unwrap()).collect();
    let place = [start.line, start.column, end.line, end.column].map(Json::from);
    let expected_place = ["line", "col", "end_line", "end_col"].map(|name| error[name].clone());
    let alike = first.summary == error["summary"].as_str().unwrap()
        && first.detail == error["detail"].as_str().unwrap()
        && place == expected_place
        && also == expected_also;
    if alike { Ok(()) } else { Err(format!("{problems} {also:?}\n    instead of {error}")) }
}
