//! Replays the recorded jobs of the reference.

use crate::support;

use std::path::Path;

use hieratic_nomad_job::{Job, Options};
use serde_json::Value;
use support::{as_file, ask, compact, conformance, message, sorted, texts};

/// All cases below a folder; how many there are.
fn replay(folder: &Path) -> usize {
    let mut cases: Vec<_> =
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let mut wrong = Vec::new();
    for case in &cases {
        let recorded: Value = serde_json::from_str(&std::fs::read_to_string(case.join("case.json")).unwrap()).unwrap();
        let ours = ask(case, &texts(&recorded["args"]), &recorded["env"]);
        let (ours, error) = match &ours {
            Ok(job) => (Some(compact(&job.to_json().unwrap())), None),
            Err(failure) => (None, Some(message(failure, case))),
        };
        let theirs = (!recorded["job"].is_null()).then(|| recorded["job"].to_string());
        let text = recorded["error"]["text"].as_str().or(recorded["error"].as_str());
        let same_text = match (text, &error) {
            (Some(text), Some(error)) if recorded["error"]["unstable_text"] == true => sorted(text) == sorted(error),
            (text, error) => text == error.as_deref(),
        };
        if ours != theirs || !same_text {
            wrong.push(format!(
                "{}\n  ours:   {}\n  theirs: {}",
                case.display(),
                error.or(ours).unwrap_or_default(),
                text.map(str::to_owned).or(theirs).unwrap_or_default()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    cases.len()
}

#[test]
fn recorded_jobs_give_the_recorded_answers() {
    assert_eq!(replay(&conformance().join("hcl/jobs")), 194);
}

#[test]
fn jobs_with_every_block_give_the_recorded_answers() {
    assert!(replay(&conformance().join("nomad/jobs")) > 0);
}

/// A job survives conversion to HCL, except for what a file cannot express.
#[test]
fn jobs_round_trip_through_files() {
    let mut same = 0;
    let mut wrong = Vec::new();
    for folder in ["hcl/jobs", "nomad/jobs"] {
        for case in std::fs::read_dir(conformance().join(folder)).unwrap() {
            let path = case.unwrap().path().join("case.json");
            let recorded: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
            if recorded["job"].is_null() {
                continue;
            }
            let (file, again) = as_file(&recorded["job"]);
            let again = again.map(|job| compact(&job.to_json().unwrap())).unwrap_or_else(|failure| failure.to_string());
            let recorded_text = recorded["job"].to_string();
            if again == recorded_text {
                same += 1;
            } else {
                wrong.push(format!("{}\n{file}\n{again}\n{}", path.display(), recorded["job"]));
            }
        }
    }
    let shown = wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.len() <= KEPT_NO_FILE, "{} of {} differ:\n{shown}", wrong.len(), same + wrong.len());
}

/// How many of the recorded jobs have something that no file can say: a payload, and a template without the defaults that files get.
const KEPT_NO_FILE: usize = 2;

#[test]
fn jobs_round_trip_through_json() {
    for case in std::fs::read_dir(conformance().join("hcl/jobs")).unwrap() {
        let path = case.unwrap().path().join("case.json");
        let recorded: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        if recorded["job"].is_null() {
            continue;
        }
        let options = Options { json: true, ..Options::default() };
        let job = Job::parse(format!("{{\"Job\": {}}}", recorded["job"]), &options).unwrap();
        assert_eq!(compact(&job.to_json().unwrap()), recorded["job"].to_string(), "{}", path.display());
    }
}

#[test]
fn jobs_are_written_as_files_that_mean_the_same() {
    let network = |ports: &str| format!("job \"j\" {{\n group \"g\" {{\n network {{\n{ports}\n}}\n}}\n}}\n");
    for source in [
        // Reserved ports without a number, alone and beside those that have one.
        network("reserved_ports \"a\" {\n to = 1\n}"),
        network("reserved_ports \"a\" {\n static = 1\n}\nreserved_ports \"b\" {}"),
        network("port \"a\" {\n static = 1\n}\nport \"b\" {}"),
        // Labels have no references: what looks like one is written as it is.
        "job \"$${attr.cpu}\" {\n group \"%%{x}\" {\n task \"$${node.unique.id}\" {\n driver = \"d\"\n}\n}\n}\n"
            .to_owned(),
        // Braces behind a reference that is left to the client: Nomad repeats what is written there.
        "job \"j\" {\n meta {\n a = \"$${attr.cpu}}\"\n b = \"${node.class} } x\"\n c = \"{$${NOMAD_IP_a}  }}\"\n}\n}\n".to_owned(),
    ] {
        let job = Job::parse(source, &Options::default()).unwrap();
        let file = job.to_hcl();
        let again = Job::parse(file.clone(), &Options::default()).unwrap_or_else(|failure| panic!("{failure}\n{file}"));
        assert_eq!(again.to_json().unwrap(), job.to_json().unwrap(), "{file}");
    }
}
