//! Replays the recorded answers of the stdlib module.

use std::path::Path;

use hieratic::puppet_eval::Options;
use hieratic::{Code, Facts, PuppetVersion};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;

/// Cases that are answered otherwise on purpose, and why.
const DIFFERENT: &[(&str, &str, PuppetVersion)] = &[
    ("stdlib::ip_in_range('x','1.2.3.4/8')", "the message shows the address", PuppetVersion::V7),
    ("stdlib::ip_in_range('x','1.2.3.4/8')", "the message shows the address", PuppetVersion::V8),
    (
        "validate_legacy(Integer,'x','y')",
        "the place is a file and a line, not Ruby's inspected arrays",
        PuppetVersion::V8,
    ),
];

/// One test for each version and case.
pub fn trials() -> Vec<Trial> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/stdlib");
    let cases = std::fs::read_to_string(root.join("functions.jsonl")).unwrap();
    let read = |text: &str| text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()).collect::<Vec<_>>();
    // What version 8 answers where it differs.
    let on_8 = read(&std::fs::read_to_string(root.join("on-8.jsonl")).unwrap());
    let trials = read(&cases).into_iter().flat_map(|case| {
        let id = case["id"].as_str().unwrap().to_owned();
        let changed = on_8.iter().find(|changed| changed["id"] == case["id"]).unwrap_or(&case).clone();
        [(id.clone(), case, PuppetVersion::V7), (format!("{id} on 8"), changed, PuppetVersion::V8)].map(
            |(name, case, version)| {
                let root = root.clone();
                Trial::test(name, move || replay(&root, &case, version))
            },
        )
    });
    trials.collect()
}

fn replay(root: &Path, case: &Value, version: PuppetVersion) -> Result<(), Failed> {
    let facts = Facts::new(
        Some("web01.example.com"),
        Facts::load(&root.join("facts.json"), &hieratic::sandbox::Files::anywhere()).unwrap(),
    );
    let code = Code::new(None, facts, Options::for_version(version));
    let text = case["code"].as_str().unwrap();
    let report = code.evaluate("", text).report();
    let error = report.error.map(|error| error.message);
    let ours = (report.value.filter(|_| error.is_none()), error);
    let theirs = (case["value"].as_str().map(str::to_owned), case["error"].as_str().map(str::to_owned));
    let different = DIFFERENT.iter().any(|(code, _, of)| *code == text && *of == version);
    match (ours == theirs, different) {
        (true, false) | (false, true) => Ok(()),
        (true, true) => Err("the case is listed as different, but is not".into()),
        (false, false) => Err(format!("{text}\n recorded: {theirs:?}\n     ours: {ours:?}").into()),
    }
}
