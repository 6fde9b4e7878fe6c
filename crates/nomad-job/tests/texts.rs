//! Replays recorded answers to jobs made by chance: in HCL's JSON syntax, and with mistakes of every kind.

use crate::support;

use serde_json::Value;
use support::{as_file, ask, conformance, message, set, sorted, texts};

#[test]
fn random_jobs_give_the_recorded_answers() {
    let scratch = std::env::temp_dir().join(format!("hieratic-nomad-texts-{}", std::process::id()));
    // Whoever records many cases replays them without keeping them.
    let path = std::env::var_os("HIERATIC_NOMAD_TEXTS");
    let recorded = path.map_or_else(|| conformance().join("nomad/texts.jsonl"), Into::into);
    let recorded = std::fs::read_to_string(recorded).unwrap();
    let (mut same, mut others, mut wrong) = (0, Vec::new(), Vec::new());
    for line in recorded.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        std::fs::create_dir_all(&scratch).unwrap();
        for (name, text) in case["files"].as_object().unwrap() {
            std::fs::write(scratch.join(name), text.as_str().unwrap()).unwrap();
        }
        match ask(&scratch, &texts(&case["args"]), &case["env"]) {
            Ok(job) => {
                let printed: Value = serde_json::from_str(&job.to_json().unwrap()).unwrap();
                let (ours, theirs) = (set(printed["Job"].clone()), set(case["job"].clone()));
                if ours != theirs {
                    wrong.push(format!("{}\n  ours:   {ours}\n  theirs: {theirs}", case["id"]));
                }
                // The job survives conversion to HCL, except for what a file cannot express.
                let (file, again) = as_file(&printed["Job"]);
                let again = again.map(|job| job.to_json().unwrap()).unwrap_or_else(|failure| failure.to_string());
                if again == job.to_json().unwrap() {
                    same += 1
                } else {
                    others.push(format!("{}\n{file}\n{again}", case["id"]))
                }
            }
            Err(failure) => {
                let (ours, theirs) = (message(&failure, &scratch), case["error"].as_str().unwrap_or_default());
                if sorted(&ours) != sorted(theirs) {
                    wrong.push(format!("{}\n  ours:   {ours}\n  theirs: {theirs}", case["id"]));
                }
            }
        }
        std::fs::remove_dir_all(&scratch).unwrap();
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    let shown = others.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(others.len() * 50 <= same, "{} of {} differ:\n{shown}", others.len(), same + others.len());
}
