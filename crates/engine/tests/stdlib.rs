//! Replays the recorded answers of the stdlib module.

// A panic is how a test fails.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use hieratic::puppet::Options;
use hieratic::{Code, Facts, PuppetVersion};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

/// Cases that are answered otherwise on purpose, and why.
const DIFFERENT: &[(&str, &str)] = &[("stdlib::ip_in_range('x','1.2.3.4/8')", "the message shows the address")];

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/stdlib");
    let cases = std::fs::read_to_string(root.join("functions.jsonl")).unwrap();
    let cases = cases.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let trials = cases.map(|case| {
        let root = root.clone();
        Trial::test(case["id"].as_str().unwrap().to_owned(), move || replay(&root, &case))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn replay(root: &Path, case: &Value) -> Result<(), Failed> {
    let facts = Facts::new(
        Some("web01.example.com"),
        Facts::load(&root.join("facts.json"), &hieratic::powers::Files::anywhere()).unwrap(),
    );
    let code = Code::new(None, facts, Options::of(PuppetVersion::V7));
    let text = case["code"].as_str().unwrap();
    let report = code.evaluate("", text).report();
    let error = report.error.map(|(message, ..)| message);
    let ours = (report.value.filter(|_| error.is_none()), error);
    let theirs = (case["value"].as_str().map(str::to_owned), case["error"].as_str().map(str::to_owned));
    let different = DIFFERENT.iter().any(|(code, _)| *code == text);
    match (ours == theirs, different) {
        (true, false) | (false, true) => Ok(()),
        (true, true) => Err("the case is listed as different, but is not".into()),
        (false, false) => Err(format!("{text}\n recorded: {theirs:?}\n     ours: {ours:?}").into()),
    }
}
