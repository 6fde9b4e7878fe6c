//! The recorded answers of puppet-lint, which are those of this crate.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hieratic_budget::{Budget, Limits};
use hieratic_puppet_style::{Failure, RuleSet, Settings, Severity, check_style, rules};
use serde_json::Value;

/// Fixes that differ on purpose, as `docs/style-rules.md` says: the rule whose manifest it is, and a part of that.
const OTHER_FIX: &[(&str, &str)] = &[];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/style")
}

fn settings(record: &Value) -> Settings {
    let mut settings = Settings::new(RuleSet::VoxPupuli);
    let only = record["rules"].as_str().unwrap();
    for rule in rules::ALL {
        let is_on = if only == "all" { rule.name != "trailing_newline" } else { rule.name == only };
        settings.set(rule.name, is_on);
    }
    settings
}

/// A problem as records have it.
type RecordedProblem = (String, String, i64, i64, String);

fn to_recorded(problem: &Value) -> RecordedProblem {
    let text = |place: usize| problem[place].as_str().unwrap().to_owned();
    (text(0), text(1), problem[2].as_i64().unwrap(), problem[3].as_i64().unwrap(), text(4))
}

/// The problems of this crate, and the fixed manifest.
fn found(record: &Value) -> (BTreeSet<RecordedProblem>, Option<String>) {
    let (path, code) = (record["path"].as_str().unwrap(), record["code"].as_str().unwrap());
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/work/{path}") };
    match check_style(code, &path, &settings(record), &Budget::new(Limits::default())) {
        Ok(report) => {
            let problems = report.problems.iter().map(|problem| {
                let kind = match (&problem.ignored, problem.severity) {
                    (Some(_), _) => "ignored",
                    (None, Severity::Warning) => "warning",
                    (None, Severity::Error) => "error",
                };
                (problem.rule.to_owned(), kind.to_owned(), problem.line, problem.column, problem.message.clone())
            });
            (problems.collect(), report.fixed)
        }
        Err(Failure::Syntax { line, column, reason }) => {
            let message = Failure::Syntax { line, column, reason }.to_string();
            ([("syntax".to_owned(), "error".to_owned(), line, column, message)].into(), None)
        }
        Err(failure) => panic!("{code}: {failure}"),
    }
}

#[test]
fn problems_and_fixes_are_those_of_puppet_lint() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "jsonl"));
    files.sort();
    let (mut records, mut wrong) = (0, Vec::new());
    for file in &files {
        let rule = file.file_stem().unwrap().to_str().unwrap();
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            // Where puppet-lint ends with an error of its own, it has no answer.
            let Some(problems) = record["problems"].as_array() else { continue };
            records += 1;
            let (problems, (ours, fixed)) = (problems.iter().map(to_recorded).collect::<BTreeSet<_>>(), found(&record));
            if problems != ours {
                let missing: Vec<_> = problems.difference(&ours).collect();
                let more: Vec<_> = ours.difference(&problems).collect();
                wrong.push(format!("{rule}: {}\nmissing: {missing:?}\nmore: {more:?}", record["code"]));
            }
            let is_other =
                OTHER_FIX.iter().any(|(of, part)| *of == rule && record["code"].as_str().unwrap().contains(part));
            if record["fails_to_fix"].is_null() && record["fixed"].as_str() != fixed.as_deref() && !is_other {
                wrong.push(format!(
                    "{rule} ({}): {}\nreference: {}\nours: {fixed:?}",
                    record["rules"], record["code"], record["fixed"]
                ));
            }
        }
    }
    assert!(records > 900 && files.len() > 60, "{records} records in {} files", files.len());
    assert!(wrong.is_empty(), "{} of {records} differ:\n{}", wrong.len(), wrong.join("\n\n"));
}
