//! Replays recorded answers to API JSON.

use crate::support;

use hieratic_nomad_job::{Job, Options};
use serde_json::Value;
use support::set;

#[test]
fn api_json_gives_the_recorded_answers() {
    let recorded = std::fs::read_to_string(support::conformance().join("nomad/api.jsonl")).unwrap();
    for line in recorded.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["text"].as_str().unwrap();
        let options = Options { json: true, ..Options::default() };
        match Job::parse(text, &options) {
            Ok(job) => {
                let printed: Value = serde_json::from_str(&job.to_json().unwrap()).unwrap();
                assert_eq!(set(printed["Job"].clone()).to_string(), case["job"].to_string(), "{text}");
            }
            Err(failure) => {
                let error = failure.to_string();
                let error = error.strip_prefix("Failed to parse JSON job: ").unwrap();
                assert_eq!(Some(error), case["error"].as_str(), "{text}");
            }
        }
    }
}
