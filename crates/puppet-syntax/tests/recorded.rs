//! What Puppet 7.23's own parser makes of some 5,000 texts: the tree, or the first error with its place, and the warnings.
//!
//! `language.jsonl` are the texts of the conformance corpus, the others were made by mutation and by chance. Texts at which
//! the reference crashes, or loses a part of a template, are left out.

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::{Options, Problem, parse, pn};
use serde_json::Value;

fn place(problem: &Problem, source: &Source) -> Value {
    let (line, column) = problem.position(source);
    serde_json::json!({ "line": line, "column": column, "message": problem.message })
}

fn replay(records: &str, epp: bool) {
    let mut count = 0;
    for record in records.lines() {
        let record: Value = serde_json::from_str(record).unwrap();
        let code = record["code"].as_str().unwrap();
        let source = Source::new("recorded", code);
        let parsed = parse(&source, &Options { epp, tasks: false });
        let first = parsed.problems.iter().find(|problem| problem.severity == Severity::Error);
        match record.get("error") {
            Some(error) => assert_eq!(Some(error), first.map(|first| place(first, &source)).as_ref(), "{code}"),
            None => {
                let tree = parsed.program.as_ref().map(pn::dump);
                assert_eq!(record["pn"].as_str(), tree.as_deref(), "{code}\n{first:?}");
            }
        }
        let warnings: Vec<Value> = parsed
            .problems
            .iter()
            .take_while(|problem| problem.severity == Severity::Warning)
            .map(|problem| place(problem, &source))
            .collect();
        let recorded = record.get("warnings").and_then(Value::as_array).cloned().unwrap_or_default();
        assert_eq!(recorded, warnings, "{code}");
        count += 1;
    }
    assert!(count > 400, "{count} records");
}

#[test]
fn the_texts_of_the_conformance_corpus() {
    replay(include_str!("recorded/language.jsonl"), false);
}

#[test]
fn mutated_texts() {
    replay(include_str!("recorded/mutated.jsonl"), false);
}

#[test]
fn strings_and_heredocs_put_together_by_chance() {
    replay(include_str!("recorded/strings.jsonl"), false);
}

#[test]
fn templates_put_together_by_chance() {
    replay(include_str!("recorded/templates.jsonl"), true);
}
