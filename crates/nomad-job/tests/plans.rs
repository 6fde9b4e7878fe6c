//! Replays how `nomad job plan` prints the difference of two jobs; see `conformance/nomad/README.md`.

use std::fmt::Write;

use hieratic_nomad_job::{Difference, Job, Options};

#[test]
fn differences_print_as_recorded() {
    // More cases than those that are kept may be given by their path.
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/nomad/plans.jsonl");
    let path = std::env::var("HIERATIC_PLANS_FILE").unwrap_or_else(|_| kept.to_owned());
    let cases = std::fs::read_to_string(path).unwrap();
    let (mut count, mut wrong, mut faults) = (0, 0, String::new());
    for line in cases.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let Some(expected) = case["plan"].as_str() else { continue };
        let job = |side: &str| Job::parse(case[side].as_str().unwrap(), &Options::default()).unwrap();
        let difference = Difference::between(&job("old"), &job("new")).unwrap();
        let printed = difference.to_text(false);
        count += 1;
        if let Some(verbose) = case["verbose"].as_str() {
            let printed = difference.to_text(true);
            if printed.trim_end() != verbose.trim_end() {
                wrong += 1;
                let _ = writeln!(faults, "== {} verbose\n{verbose}-- got\n{printed}", case["id"]);
            }
            let json: serde_json::Value = serde_json::from_str(&difference.to_json()).unwrap();
            if json != case["diff"] {
                wrong += 1;
                let _ = writeln!(faults, "== {} json\n{}\n-- got\n{json}", case["id"], case["diff"]);
            }
        }
        // The command trims what stands at the end.
        if printed.trim_end() != expected.trim_end() {
            wrong += 1;
            let _ = writeln!(faults, "== {}\n{expected}-- got\n{printed}", case["id"]);
        }
    }
    assert!(count >= 250, "{count} cases");
    assert!(wrong == 0, "{wrong} of {count} differ\n{faults}");
}
