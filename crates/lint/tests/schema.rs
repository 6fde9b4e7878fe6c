//! Random values of random types: compares the findings of `check` with the type check of the reference, and the schema
//! with independent validators. Recorded by `conformance/recorders/schema/record.rb`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use hieratic::Settings;
use hieratic_lint::{Options, audit, schema};
use hieratic_testing::skipped;
use serde_json::{Value as Json, json};

use crate::support;

const CASES: &str = include_str!("../../../conformance/schema/cases.jsonl");

/// A parameter, its values, and the recorded results.
struct Case {
    kind: String,
    schema: Json,
    values: Vec<Json>,
    reference: Vec<bool>,
    jsonschema: Vec<bool>,
    ajv: Vec<bool>,
}

struct Cases {
    aliases: Vec<(String, String)>,
    definitions: Json,
    all: Vec<Case>,
}

fn cases() -> Cases {
    let mut lines = CASES.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let head = lines.next().unwrap();
    let text = |value: &Json| value.as_str().unwrap().to_owned();
    let bits = |value: &Json| value.as_str().unwrap().chars().map(|bit| bit == '1').collect::<Vec<_>>();
    let case = |case: Json| Case {
        kind: text(&case["type"]),
        schema: case["schema"].clone(),
        values: case["values"].as_array().unwrap().clone(),
        reference: bits(&case["reference"]),
        jsonschema: bits(&case["jsonschema"]),
        ajv: bits(&case["ajv"]),
    };
    Cases {
        aliases: head["aliases"].as_object().unwrap().iter().map(|(name, kind)| (name.clone(), text(kind))).collect(),
        definitions: head["definitions"].clone(),
        all: lines.map(case).collect(),
    }
}

fn key(number: usize) -> String {
    format!("c::p{number}")
}

/// A repository with a class that has all parameters, and the values in as many files as a parameter has: one line for
/// each.
fn repository(root: &Path, cases: &Cases) {
    for (name, kind) in &cases.aliases {
        let file = format!("modules/t/types/{}.pp", name.rsplit("::").next().unwrap().to_lowercase());
        support::write(root, &[(&file, &format!("type {name} = {kind}\n"))]);
    }
    let mut class = String::from("class c (\n");
    for (number, case) in cases.all.iter().enumerate() {
        writeln!(class, "  {} $p{number},", case.kind).unwrap();
    }
    class.push_str(") { }\n");
    support::write(root, &[("modules/c/manifests/init.pp", &class)]);
    let most = cases.all.iter().map(|case| case.values.len()).max().unwrap();
    let mut hiera = String::from("version: 5\ndefaults: {data_hash: json_data}\nhierarchy:\n");
    for level in 0..most {
        writeln!(hiera, "  - {{name: 'Level {level}', path: v{level}.json}}").unwrap();
        // A parameter without a value keeps its line.
        let line = |(number, case): (usize, &Case)| match case.values.get(level) {
            Some(value) => format!("{}: {value}", json!(key(number))),
            None => format!("{}: null", json!(key(number))),
        };
        let lines: Vec<String> = cases.all.iter().enumerate().map(line).collect();
        support::write(root, &[(&format!("data/v{level}.json"), &format!("{{\n{}\n}}\n", lines.join(",\n")))]);
    }
    support::write(root, &[("hiera.yaml", &hiera)]);
}

#[test]
fn random_values_have_the_findings_of_the_reference() {
    let cases = cases();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    repository(&root, &cases);
    let options = Options::for_paths([&root]);
    let mut found: BTreeSet<(usize, usize)> = BTreeSet::new();
    for finding in audit(&options, &()).findings {
        if finding.rule.id() != "parameter-type" {
            continue;
        }
        let level = Path::new(finding.file()).file_stem().unwrap().to_str().unwrap()[1..].parse().unwrap();
        // The first line has the brace.
        assert!(found.insert((finding.line().unwrap() as usize - 2, level)), "{}", finding.diagnostic.message);
    }
    let mut count = 0;
    for (number, case) in cases.all.iter().enumerate() {
        for (level, used) in case.reference.iter().enumerate() {
            let value = &case.values[level];
            assert_eq!(!found.contains(&(number, level)), *used, "{} {value}", case.kind);
            count += 1;
        }
    }
    assert!(count >= 10_000 && found.len() > 1_000 && count - found.len() > 1_000, "{count} {}", found.len());
}

#[test]
fn validators_reject_the_values_that_the_reference_rejects() {
    let cases = cases();
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    repository(&root, &cases);
    let settings = Settings { environment_dir: Some(root.clone()), ..Settings::default() };
    let written = schema(&settings, &|_| true).unwrap();
    // The recorded results of the validators belong to this schema.
    assert_eq!(written["definitions"], cases.definitions, "record the cases again");
    let (mut same, mut wider) = (0, 0);
    for (number, case) in cases.all.iter().enumerate() {
        assert_eq!(written["properties"][key(number)], case.schema, "{}: record the cases again", case.kind);
        for (level, value) in case.values.iter().enumerate() {
            for used in [case.jsonschema[level], case.ajv[level]] {
                assert!(used || !case.reference[level], "{} is no {}, says a validator", value, case.kind);
            }
            if case.jsonschema[level] == case.reference[level] { same += 1 } else { wider += 1 }
        }
    }
    assert!(same > 9 * wider, "{same} values are judged alike, {wider} by the reference alone");
    asked_again(&written, &cases, &root);
}

/// Runs the validator of Python on the values again, if it is installed.
fn asked_again(written: &Json, cases: &Cases, folder: &Path) {
    let python = |arguments: &[&str]| {
        let mut command = Command::new("python3");
        command.args(arguments).stderr(Stdio::null());
        command
    };
    if !python(&["-c", "import jsonschema; jsonschema.Draft7Validator"]).status().is_ok_and(|status| status.success()) {
        skipped("Python with jsonschema is not installed (pip install jsonschema)");
        return;
    }
    let files = |(number, case): (usize, &Case)| -> Json {
        case.values.iter().map(|value| json!({key(number): value})).collect::<Vec<_>>().into()
    };
    let files: Vec<Json> = cases.all.iter().enumerate().map(files).collect();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/recorders/schema/validate.py");
    let input: PathBuf = folder.join("asked.json");
    let mut file = std::fs::File::create(&input).unwrap();
    file.write_all(json!({"schema": written, "files": files}).to_string().as_bytes()).unwrap();
    let input = std::fs::File::open(&input).unwrap();
    let output = python(&[script.to_str().unwrap()]).stdin(input).output().unwrap();
    assert!(output.status.success());
    let answers: Vec<Vec<bool>> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), cases.all.len());
    for (case, answer) in cases.all.iter().zip(answers) {
        assert_eq!(answer, case.jsonschema, "{}", case.kind);
    }
}
