//! Replays documents that were made at random (`conformance/unfurl/expand.jsonl`), and restores them after random changes.

use crate::cases::{InMemory, lines, to_json};
use crate::restore::choices::Choices;
use crate::restore::{law, mutation};
use hieratic_directives::{Document, Options, RestoreOptions, expand};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use serde_json::Value as Json;

fn options(case: &Json) -> Options {
    let environment = case["env"].as_object().into_iter().flatten();
    let environment = environment.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect();
    Options { environment, ..Options::default() }
}

#[test]
fn every_document_expands_as_recorded() {
    let mut cases = lines("unfurl/expand.jsonl");
    assert!(cases.len() > 700, "{} cases", cases.len());
    // The documents of the reference's own tests.
    cases.extend(lines("unfurl/suite-documents.jsonl"));
    for case in &cases {
        let text = case["files"]["main.yaml"].as_str().unwrap();
        let expanded = Document::parse(text, "main.yaml", "/d".as_ref())
            .and_then(|document| expand(&document, &mut InMemory(&case["files"]), &options(case)));
        match expanded {
            Ok(expanded) => {
                // The order of keys is a part of the answer.
                let is = to_json(&expanded.to_value()).to_string();
                assert_eq!(is, case["expanded"].to_string(), "{}\n{text}", case["id"]);
            }
            Err(failure) => assert_eq!(case["error"], true, "{}: {failure}\n{text}", case["id"]),
        }
    }
}

/// Text that YAML 1.1 and 1.2 parse differently: colons, question marks, names of anchors, tabs, directives, block
/// scalars.
#[test]
fn every_yaml_text_parses_as_recorded() {
    // The variable is the path of further cases.
    let cases = match std::env::var("HIERATIC_TEXTS_FILE") {
        Ok(path) => {
            std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        }
        Err(_) => lines("unfurl/documents.jsonl"),
    };
    assert!(cases.len() >= 1_200, "{} cases", cases.len());
    let (mut faults, mut other_words) = (Vec::new(), 0);
    for case in &cases {
        let text = case["text"].as_str().unwrap();
        let read = Document::parse(text, "main.yaml", "/d".as_ref()).map(|document| document.root().to_value());
        match (read, case["error"].as_str()) {
            (Ok(data), None) if is_written_alike(&to_json(&data), &case["data"]) => {}
            (Err(failure), Some(problem)) => other_words += u32::from(!failure.message().contains(problem)),
            (read, _) => faults.push(format!("{} {text:?}: {read:?}", case["id"])),
        }
    }
    assert!(faults.is_empty(), "{} differ\n{}", faults.len(), faults.join("\n"));
    assert!(other_words <= 10, "{other_words} messages are worded otherwise");
}

/// The number of changes of each document; the variable sets a larger one for a thorough run.
fn changes() -> u32 {
    std::env::var("HIERATIC_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(2)
}

#[test]
fn every_changed_document_is_restored() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (mut restored, mut lost) = (0, 0);
    // The variable is the path of further cases.
    let cases = std::env::var("HIERATIC_CASES_FILE").map_or_else(
        |_| lines("unfurl/expand.jsonl"),
        |path| std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    );
    let mut faults = Vec::new();
    for case in cases {
        let text = case["files"]["main.yaml"].as_str().unwrap();
        let options = RestoreOptions { expand: options(&case), ..RestoreOptions::default() };
        for _ in 0..changes() {
            let change = prop::collection::vec(any::<u8>(), 0..40).new_tree(&mut runner).unwrap().current();
            let reported = law::check(text, &mut InMemory(&case["files"]), &options, |data| {
                mutation::changed(&mut Choices::new(&change), data).0
            });
            let Some(reported) = reported else { continue };
            restored += 1;
            lost += u32::from(!reported.lost.is_empty());
            faults.extend(reported.fault.map(|error| format!("{}: {error}", case["id"])));
        }
    }
    eprintln!("{restored} restored, {lost} lose directives without need");
    faults.sort_by_key(String::len);
    assert!(
        faults.is_empty(),
        "{} of {restored} are against the law\n{}",
        faults.len(),
        faults[..faults.len().min(8)].join("\n====\n")
    );
    assert!(lost * 50 <= restored, "{lost} of {restored}");
}

/// Compares the string forms: numbers of different types differ.
fn is_written_alike(one: &Json, other: &Json) -> bool {
    let text = |json: &Json| json.to_string();
    text(one) == text(other)
}
