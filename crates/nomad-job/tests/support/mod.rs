//! Recorded cases: how they are asked, and what is compared.

// Each test file uses its part of this.
#![allow(dead_code)]
// A panic in a test is the failure that it reports.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use hieratic_nomad_job::{Failure, Job, Options, VariableFile};
use serde_json::Value;

/// The folder of the recorded answers.
pub fn conformance() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance").canonicalize().unwrap()
}

/// Asks as the command is asked: with its arguments, in a folder, with an environment.
pub fn ask(folder: &Path, arguments: &[String], environment: &Value) -> Result<Job, Failure> {
    let mut options = Options { folder: Some(folder.to_owned()), outside: true, ..Options::default() };
    for (name, value) in environment.as_object().into_iter().flatten() {
        options.environment.push((name.clone(), value.as_str().unwrap().to_owned()));
    }
    let mut path = None;
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let (name, value) = argument.split_once('=').unwrap_or((argument, ""));
        let mut value = || if argument.contains('=') { value.to_owned() } else { arguments.next().unwrap().clone() };
        match name.trim_start_matches('-') {
            _ if !argument.starts_with('-') => path = Some(argument.clone()),
            "var" => options.arguments.push(value()),
            "var-file" => options.files.push(variable_file(folder, value())),
            "hcl2-strict" => options.strict = value() != "false",
            "json" => options.json = true,
            other => panic!("unknown flag {other}"),
        }
    }
    let path = path.unwrap();
    options.path = Path::new(&path).file_name().unwrap().to_string_lossy().into_owned();
    Job::parse(std::fs::read(folder.join(&path)).unwrap(), &options)
}

fn variable_file(folder: &Path, path: String) -> VariableFile {
    let content = std::fs::read(folder.join(&path)).map_err(|_| format!("open {path}: no such file or directory"));
    VariableFile { path, content }
}

/// What was wrong, as it is said in the folder itself.
pub fn message(failure: &Failure, folder: &Path) -> String {
    failure.to_string().replace(&format!("{}/", folder.display()), "")
}

/// The job as compact JSON with the order of the printed one.
pub fn compact(printed: &str) -> String {
    let printed: Value = serde_json::from_str(printed).unwrap();
    printed["Job"].to_string()
}

/// The file that a job of the API is written as, and the job that this file is read as.
pub fn as_file(job: &Value) -> (String, Result<Job, Failure>) {
    let options = Options { json: true, ..Options::default() };
    let file = Job::parse(format!("{{\"Job\": {job}}}"), &options).unwrap().to_hcl();
    let again = Job::parse(file.clone(), &Options::default());
    (file, again)
}

/// The texts of an argument list.
pub fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap().to_owned()).collect()
}

/// The lines in order.
pub fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// Without members that are as good as not there: only those are recorded that hold something.
pub fn set(value: Value) -> Value {
    let empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        other => other == "",
    };
    match value {
        Value::Object(members) => {
            Value::Object(members.into_iter().filter(|(_, v)| !empty(v)).map(|(k, v)| (k, set(v))).collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(set).collect()),
        other => other,
    }
}
