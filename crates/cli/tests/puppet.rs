//! Replays the recorded answers of the Puppet evaluator through `hieratic eval --jsonl`.
//!
//! One test for each line of `conformance/puppet/*.jsonl`: value, string, type, data, logs, and the error with its place must be
//! equal. The few cases that differ on purpose are named in `DIFFERENT`, with the reason.

// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::{Value, json};

/// Cases that are answered otherwise on purpose: the id, and why. See `docs/differences.md`.
const DIFFERENT: &[(&str, &str)] = &[
    ("arithmetic-0199", SCANF),
    ("arithmetic-0200", SCANF),
    ("arithmetic-0201", SCANF),
    ("arithmetic-0203", SCANF),
    ("arithmetic-0206", SCANF),
    ("functions_misc-0051", SCANF),
    ("functions_misc-0052", SCANF),
    ("functions_misc-0053", SCANF),
    ("functions_misc-0055", SCANF),
    ("functions_misc-0056", SCANF),
    ("time-0086", "a Timespan as a key of a hash is found again"),
    ("aliases_objects-0012", "what nobody defines is shown as it is written, not with text from before it"),
];

const SCANF: &str = "scanf works; the reference needs a library that Ruby does not bring along any more";

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/puppet");
    let facts: Value = serde_json::from_str(&std::fs::read_to_string(root.join("facts.json")).unwrap()).unwrap();
    let mut files: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let mut cases = Vec::new();
    for file in &files {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            cases.push(serde_json::from_str::<Value>(line).unwrap());
        }
    }
    let reports = evaluate(&cases, &facts);
    let trials = cases.into_iter().zip(reports).map(|(case, report)| {
        let id = case["id"].as_str().unwrap().to_owned();
        let different = DIFFERENT.iter().any(|(other, _)| *other == id);
        Trial::test(id, move || compare(&case, &report, different))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit();
}

/// One process answers all cases, each in a fresh scope.
fn evaluate(cases: &[Value], facts: &Value) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["eval", "--jsonl", "--node", "web01.example.com"])
        .current_dir(std::env::temp_dir())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let requests: Vec<String> = cases
        .iter()
        .map(|case| json!({"language": "puppet", "code": case["code"], "facts": facts}).to_string())
        .collect();
    let writer = std::thread::spawn(move || {
        for request in requests {
            if writeln!(input, "{request}").is_err() {
                break;
            }
        }
    });
    let reports: Vec<Value> = output.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success(), "the command failed");
    assert_eq!(reports.len(), cases.len(), "every request has a report");
    reports
}

fn compare(case: &Value, report: &Value, different: bool) -> Result<(), Failed> {
    let mut wrong = Vec::new();
    for field in ["value", "string", "type", "json", "logs"] {
        if case[field] != report[field] {
            wrong.push(format!("{field}\nexpected {}\ngot      {}", case[field], report[field]));
        }
    }
    let (expected, got) = (&case["error"], &report["error"]);
    let place = |error: &Value, column: &str| (error["message"].clone(), error["line"].clone(), error[column].clone());
    if place(expected, "pos") != place(got, "column") {
        wrong.push(format!("error\nexpected {expected}\ngot      {got}"));
    }
    match (wrong.is_empty(), different) {
        (true, false) | (false, true) => Ok(()),
        (false, false) => Err(format!("{}\n{}", case["code"], wrong.join("\n")).into()),
        (true, true) => Err("this case is listed as different, and is not".into()),
    }
}
