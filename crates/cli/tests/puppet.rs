//! Replays the recorded answers of the Puppet evaluator through `hieratic eval --jsonl`.
//!
//! One test for each version and each line of `conformance/puppet/*.jsonl`, and of `programs.jsonl` in the scenarios of
//! `conformance/hiera`, whose programs look up data: value, string, type, data, logs, and the error with its
//! place must be equal. What versions 8 and 9 answer otherwise is in `on-8` and `on-9` beside them. The few cases that differ on purpose are
//! named in `DIFFERENT`, with the reason.

use std::ffi::OsString;
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
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").canonicalize().unwrap();
    let mut trials = trials_of(&root.join("puppet"), &[]);
    assert!(root.join("puppet/on-8").exists(), "nothing differs in version 8");
    let scenarios = std::fs::read_dir(root.join("hiera")).unwrap().map(|entry| entry.unwrap().path());
    for scenario in scenarios.filter(|path| path.join("programs.jsonl").exists()) {
        let place = |name: &str| scenario.join(name).into_os_string();
        let arguments = [
            "--environmentpath".into(),
            place("environments"),
            "--environment".into(),
            "production".into(),
            "--hiera_config".into(),
            place("hiera.yaml"),
        ];
        trials.extend(trials_of(&scenario, &arguments));
    }
    trials
}

/// Those of a folder, whose programs are evaluated with more arguments.
fn trials_of(root: &Path, arguments: &[OsString]) -> Vec<Trial> {
    let facts: Value = serde_json::from_str(&std::fs::read_to_string(root.join("facts.json")).unwrap()).unwrap();
    let mut trials = Vec::new();
    let cases = cases(root);
    for version in ["7", "8", "9"] {
        let mut later: Vec<(String, Value)> = match root.join(format!("on-{version}")) {
            folder if folder.exists() => self::cases(&folder).into_iter().map(|case| (id(&case), case)).collect(),
            _ => Vec::new(),
        };
        let reports = evaluate(&cases, &facts, version, arguments);
        for (case, report) in cases.iter().zip(reports) {
            let id = id(case);
            let mut case = case.clone();
            if let Some(at) = later.iter().position(|(other, _)| *other == id) {
                let (_, fields) = later.swap_remove(at);
                case.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
            }
            let different = DIFFERENT.iter().any(|(other, _)| *other == id || *other == format!("{version}/{id}"));
            trials.push(Trial::test(format!("{version}/{id}"), move || compare(&case, &report, different)));
        }
        assert!(later.is_empty(), "answers to no case: {later:?}");
    }
    trials
}

/// The recorded cases of a folder.
fn cases(folder: &Path) -> Vec<Value> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    // The lookups of a scenario are replayed by `conformance.rs`.
    let is_topic = |name: &str| name.ends_with(".jsonl") && name != "cases.jsonl" && !name.starts_with("on-");
    files.retain(|path| path.file_name().is_some_and(|name| is_topic(&name.to_string_lossy())));
    files.sort();
    let scenario = match folder.file_name() {
        Some(name) if name.to_string_lossy().starts_with("on-") => folder.parent().unwrap(),
        _ => folder,
    };
    let root = scenario.display().to_string();
    let texts = files.iter().map(|file| std::fs::read_to_string(file).unwrap().replace("{root}", &root));
    texts.flat_map(|text| text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<_>>()).collect()
}

fn id(case: &Value) -> String {
    case["id"].as_str().unwrap().to_owned()
}

/// One process answers all cases, each in a fresh scope. The reference reads every file of the machine, so this process may as well.
fn evaluate(cases: &[Value], facts: &Value, version: &str, arguments: &[OsString]) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_hieratic"))
        .args(["eval", "--jsonl", "--node", "web01.example.com", "--puppet-version", version, "--allow-outside"])
        .args(arguments)
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
