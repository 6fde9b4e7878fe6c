//! Replays recorded answers to jobs made by chance: in HCL's JSON syntax, and with mistakes of every kind.

#![allow(clippy::unwrap_used)] // A panic in a test is the failure that it reports.

mod support;

use serde_json::Value;
use support::{ask, conformance, set, sorted, texts};

#[test]
fn jobs_made_by_chance_are_answered_alike() {
    let scratch = std::env::temp_dir().join(format!("hieratic-nomad-texts-{}", std::process::id()));
    let recorded = std::fs::read_to_string(conformance().join("nomad/texts.jsonl")).unwrap();
    for line in recorded.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        std::fs::create_dir_all(&scratch).unwrap();
        for (name, text) in case["files"].as_object().unwrap() {
            std::fs::write(scratch.join(name), text.as_str().unwrap()).unwrap();
        }
        match ask(&scratch, &texts(&case["args"]), &case["env"]) {
            Ok(job) => {
                let printed: Value = serde_json::from_str(&job.to_json().unwrap()).unwrap();
                assert_eq!(set(printed["Job"].clone()), case["job"], "{}", case["id"]);
            }
            Err(failure) => {
                let (ours, theirs) = (failure.to_string(), case["error"].as_str().unwrap_or_default());
                assert_eq!(sorted(&ours), sorted(theirs), "{}", case["id"]);
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
    }
}
