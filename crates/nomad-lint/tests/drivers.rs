//! Configurations of tasks beside the schemas of the drivers, as recorded.

use hieratic_nomad_job::{Job, Options};
use hieratic_nomad_lint::{NomadVersion, Rule, lint};
use serde_json::{Value, json};

/// The findings about the options of a `config`.
fn findings(driver: &Value, config: &Value) -> Vec<String> {
    let task = json!({ "Name": "t", "Driver": driver, "Config": config });
    let job = json!({ "Job": { "ID": "a", "TaskGroups": [{ "Name": "g", "Tasks": [task] }] } }).to_string();
    let job = Job::parse(job, &Options { json: true, ..Options::default() }).unwrap();
    let found = lint(&job, NomadVersion::NEWEST).into_iter();
    found.filter(|finding| finding.rule == Rule::DriverOption).map(|finding| finding.message).collect()
}

#[test]
fn configurations_are_judged_as_by_the_schemas() {
    let path = std::env::var("HIERATIC_DRIVER_CASES")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/nomad/drivers.jsonl").to_owned());
    let text = std::fs::read_to_string(path).unwrap();
    let mut differences = Vec::new();
    let mut count = 0;
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let found = findings(&case["driver"], &case["config"]);
        count += 1;
        if found.is_empty() != case["error"].is_null() {
            differences.push(format!("{line}\n  {found:?}"));
        }
    }
    assert!(count > 300);
    assert!(differences.is_empty(), "{} of {count}:\n{}", differences.len(), differences.join("\n"));
}
