//! Replays the recorded answers of the Puppet evaluator through `hieratic eval --jsonl`.
//!
//! One test for each version and each line of `conformance/puppet/*.jsonl`: value, string, type, data, logs, and the error with its
//! place must be equal. What version 8 answers otherwise is in `conformance/puppet/on-8`. The few cases that differ on purpose are
//! named in `DIFFERENT`, with the reason.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

/// Cases that are answered otherwise on purpose: the id, and why. See `docs/differences.md`.
const DIFFERENT: &[(&str, &str)] = &[
    ("time-0086", "a Timespan as a key of a hash is found again"),
    ("aliases_objects-0012", "what nobody defines is shown as it is written, not with text from before it"),
];

/// One test for each version and case.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/puppet");
    let facts: Value = serde_json::from_str(&std::fs::read_to_string(root.join("facts.json")).unwrap()).unwrap();
    let mut trials = Vec::new();
    let cases = cases(&root);
    let mut later: Vec<(String, Value)> =
        self::cases(&root.join("on-8")).into_iter().map(|case| (id(&case), case)).collect();
    assert!(!later.is_empty(), "nothing differs in version 8");
    for version in ["7", "8"] {
        let reports = evaluate(&cases, &facts, version);
        for (case, report) in cases.iter().zip(reports) {
            let id = id(case);
            let mut case = case.clone();
            if version == "8"
                && let Some(at) = later.iter().position(|(other, _)| *other == id)
            {
                let (_, fields) = later.swap_remove(at);
                case.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            }
            let different = DIFFERENT.iter().any(|(other, _)| *other == id || *other == format!("{version}/{id}"));
            trials.push(Trial::test(format!("{version}/{id}"), move || compare(&case, &report, different)));
        }
    }
    assert!(later.is_empty(), "answers to no case: {later:?}");
    trials
}

/// The recorded cases of a folder.
fn cases(folder: &Path) -> Vec<Value> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap());
    texts.flat_map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()).collect()
}

fn id(case: &Value) -> String {
    case["id"].as_str().unwrap().to_owned()
}

/// One process answers all cases, each in a fresh scope. The reference reads every file of the machine, so this process may as well.
fn evaluate(cases: &[Value], facts: &Value, version: &str) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["eval", "--jsonl", "--node", "web01.example.com", "--puppet-version", version, "--allow-outside"])
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
