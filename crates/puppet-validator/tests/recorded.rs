//! What Puppet 7.23's own validator finds in some 2,800 texts: every problem in its order, with severity, name, words, line
//! and column, and the error that reading the text ends with.
//!
//! `rules.jsonl` has one or more texts for each rule and each borderline, `conformance.jsonl` those texts of the conformance
//! corpus in which something is wrong, `random.jsonl` was made by chance from the grammar. Texts at which the reference
//! fails with an internal error are in `better.rs`.

use std::path::{Path, PathBuf};

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::ProgramError;
use hieratic_puppet_syntax::codes::HEREDOC_CODE;
use hieratic_puppet_syntax::{Problem, parse};
use hieratic_puppet_validator::{Limits, Options, PuppetVersion, Strict, summary, validate};
use serde_json::{Value, json};

fn place(problem: &Problem, source: &Source) -> (Value, Value) {
    let known = |number: u32| if number == 0 { Value::Null } else { json!(number) };
    let (line, column) = problem.position(source);
    (known(line), known(column))
}

fn shown(problem: &Problem, source: &Source) -> Value {
    let severity = match problem.severity {
        Severity::Error => "error",
        _ if problem.issue == "future-reserved-word" => "deprecation",
        _ => "warning",
    };
    let (line, column) = place(problem, source);
    json!([severity, problem.issue.id().to_uppercase().replace('-', "_"), problem.message, line, column])
}

fn with_place(problem: &Problem, source: &Source) -> Value {
    let (line, column) = place(problem, source);
    json!([problem.message, line, column])
}

/// Compares every answer; returns how many there were.
fn replay(records: &str) -> usize {
    let mut wrong = Vec::new();
    for record in records.lines() {
        let record: Value = serde_json::from_str(record).unwrap();
        let code = record["code"].as_str().unwrap();
        let source = Source::new("recorded", code);
        let flag = |name: &str| record[name].as_bool().unwrap_or(false);
        let (epp, tasks) = (flag("epp"), flag("tasks"));
        let parsed = parse(&source, &hieratic_puppet_syntax::Options { epp, tasks });
        let Some(program) = parsed.program else {
            wrong.push(format!("{code}\n  cannot be read: {:?}", parsed.problems));
            continue;
        };
        let folders: Vec<PathBuf> =
            record["modulepath"].as_array().into_iter().flatten().map(|path| path.as_str().unwrap().into()).collect();
        let strict = match record["strict"].as_str() {
            Some("off") => Strict::Off,
            Some("error") => Strict::Error,
            _ => Strict::Warning,
        };
        let options = Options {
            version: PuppetVersion::V7,
            strict,
            tasks,
            epp,
            file: record["file"].as_str().map(Path::new),
            modulepath: &folders,
            manifest: record["manifest"].as_str().map(Path::new),
        };
        let problems = validate(&program, &options);
        let failure = match summary(&problems, &Limits::default()).failure {
            None => Value::Null,
            Some(ProgramError::One(problem)) => with_place(&problem, &source),
            Some(ProgramError::Several { message, .. }) => json!([message, null, null]),
        };
        // What does not look right in code within heredocs is logged by a validator of its own there.
        let own = problems.iter().filter(|problem| problem.issue != HEREDOC_CODE);
        let found: Vec<Value> = own.map(|problem| shown(problem, &source)).collect();
        let (expected, actual) = match record.get("raised") {
            Some(raised) => (json!([1, raised]), json!([found.len(), failure])),
            None => (json!([record["problems"], record["failure"]]), json!([found, failure])),
        };
        if expected != actual {
            wrong.push(format!("{code}\n  expected {expected}\n  found    {actual}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    records.lines().count()
}

#[test]
fn each_rule_and_its_borders() {
    assert!(replay(include_str!("recorded/rules.jsonl")) > 2000);
}

#[test]
fn the_texts_of_the_conformance_corpus() {
    assert!(replay(include_str!("recorded/conformance.jsonl")) > 50);
}

#[test]
fn random_sources() {
    assert!(replay(include_str!("recorded/random.jsonl")) > 400);
}
