//! Replays the recorded answers of the reference.

use std::path::{Path, PathBuf};

use hieratic_nomad_job::{Job, Options};
use hieratic_nomad_lint::{errors_text, validate, warnings_text};
use serde_json::Value;

/// How many differences are shown.
const SHOWN: usize = 20;

/// What stands below each other, in one order: the reference walks some maps in any order.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// What is wrong with our answer to a case.
fn difference(case: &Value) -> Option<String> {
    let options = Options { path: "job.nomad.hcl".into(), json: case["json"] == true, ..Options::default() };
    let job = match Job::parse(case["job"].as_str().unwrap(), &options) {
        Ok(job) => job,
        Err(failure) => return Some(format!("{}: not read: {failure}", case["id"])),
    };
    let findings = validate(&job);
    let mut wrong = String::new();
    for (subject, ours) in [("errors", errors_text(&findings)), ("warnings", warnings_text(&findings))] {
        let theirs = case[subject].as_str().unwrap();
        let same = ours == theirs || case["unordered"] == true && sorted(&ours) == sorted(theirs);
        if !same {
            let (ours, theirs) = (sorted(&ours), sorted(theirs));
            let only = |those: &[&str], others: &[&str]| {
                those.iter().filter(|line| !others.contains(line)).fold(String::new(), |text, line| text + line + "\n")
            };
            let (ours, theirs) = (only(&ours, &theirs), only(&theirs, &ours));
            wrong.push_str(&format!("{} {subject}:\n--- ours alone\n{ours}--- theirs alone\n{theirs}", case["id"]));
        }
    }
    (!wrong.is_empty()).then_some(wrong)
}

fn replay(path: &Path) {
    let cases: Vec<Value> =
        std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let wrong: Vec<String> = cases.iter().filter_map(difference).collect();
    let shown = wrong[..wrong.len().min(SHOWN)].join("\n");
    assert!(wrong.is_empty(), "{} of {} in {} differ:\n{shown}", wrong.len(), cases.len(), path.display());
    assert!(!cases.is_empty());
}

#[test]
fn findings_equal_the_recorded_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/nomad/validation");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    files.iter().for_each(|file| replay(file));
}

/// Further recorded jobs, for whoever has some: `HIERATIC_NOMAD_VALIDATION` is the path of such a file.
#[test]
fn findings_of_further_jobs_equal_the_recorded_ones() {
    if let Some(path) = std::env::var_os("HIERATIC_NOMAD_VALIDATION") {
        replay(Path::new(&path));
    }
}
