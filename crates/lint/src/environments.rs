//! Merges the findings of several environments that share files.
//!
//! Environments read common data, common code and each other's layers. A finding in a common file is reported once,
//! with its environments. A key, a value or a file is only unused if it is unused in every environment that reads the
//! file.

use std::path::{Path, PathBuf};

use hieratic::value::collections::{HashMap, HashSet};

use crate::finding::Finding;
use crate::paths::absolute;
use crate::rules::{self, Rule};

/// The rules whose findings call something useless.
const OF_NO_USE: &[&Rule] = &[
    &rules::UNUSED_KEY,
    &rules::UNKNOWN_PARAMETER,
    &rules::UNMATCHED_OPTIONS,
    &rules::UNREACHABLE_FILE,
    &rules::SHADOWED_VALUE,
    &rules::REDUNDANT_VALUE,
    &rules::REPEATS_DEFAULT,
    &rules::IDLE_OPTIONS,
    &rules::FOREIGN_KEY,
];

/// The result of one environment.
pub(crate) struct EnvironmentFindings {
    /// The name of the environment.
    pub(crate) name: String,
    /// Its folder.
    pub(crate) root: PathBuf,
    /// The files that it reads as data, absolute.
    pub(crate) reads: HashSet<PathBuf>,
    /// Its findings.
    pub(crate) findings: Vec<Finding>,
}

/// The position of a finding: its file and offset.
type FindingPosition = (String, u32);

fn place(finding: &Finding) -> FindingPosition {
    let start = finding.primary().map_or(u32::MAX, |(_, span)| span.start);
    (finding.file().to_owned(), start)
}

fn is_of_no_use(finding: &Finding) -> bool {
    OF_NO_USE.iter().any(|rule| rule.id() == finding.rule.id())
}

/// The findings of several environments: each once, and none that another environment refutes.
pub(crate) fn merge_environments(all: Vec<EnvironmentFindings>) -> Vec<Finding> {
    if all.len() < 2 {
        return all.into_iter().flat_map(|judged| judged.findings).collect();
    }
    let useless: Vec<UselessFindings> = all.iter().map(UselessFindings::new).collect();
    let mut known: HashMap<(&'static str, FindingPosition, String), usize> = HashMap::default();
    let mut findings: Vec<Finding> = Vec::new();
    for judged in &all {
        for finding in &judged.findings {
            // Environments may have different reasons.
            let message = if is_of_no_use(finding) { String::new() } else { finding.diagnostic.message.clone() };
            let at = *known.entry((finding.rule.id(), place(finding), message)).or_insert_with(|| {
                findings.push(finding.clone());
                findings.len() - 1
            });
            let names = &mut findings[at].environments;
            if names.last() != Some(&judged.name) {
                names.push(judged.name.clone());
            }
        }
    }
    let is_refuted = |finding: &Finding| {
        let file = absolute(Path::new(finding.file()));
        is_of_no_use(finding)
            && all.iter().zip(&useless).any(|(judged, useless)| judged.reads.contains(&file) && !useless.has(finding))
    };
    findings.retain(|finding| !is_refuted(finding));
    findings.into_iter().map(|finding| with_names(finding, &all)).collect()
}

/// The findings of an environment that call something useless, indexed.
struct UselessFindings {
    places: HashSet<(&'static str, FindingPosition)>,
    messages: HashSet<(&'static str, String)>,
}

impl UselessFindings {
    fn new(judged: &EnvironmentFindings) -> UselessFindings {
        let of_no_use = || judged.findings.iter().filter(|finding| is_of_no_use(finding));
        UselessFindings {
            places: of_no_use().map(|finding| (finding.rule.id(), place(finding))).collect(),
            messages: of_no_use().map(|finding| (finding.rule.id(), finding.diagnostic.message.clone())).collect(),
        }
    }

    /// Returns whether the environment has the same finding there or elsewhere: a key is reported at its first
    /// occurrence.
    fn has(&self, finding: &Finding) -> bool {
        self.places.contains(&(finding.rule.id(), place(finding)))
            || self.messages.contains(&(finding.rule.id(), finding.diagnostic.message.clone()))
    }
}

/// Names the environments in a note, unless the file is one of the only environment that has the finding.
fn with_names(finding: Finding, all: &[EnvironmentFindings]) -> Finding {
    let file = absolute(Path::new(finding.file()));
    let names = finding.environments.join(", ");
    let is_own = |judged: &EnvironmentFindings| judged.name == names && file.starts_with(&judged.root);
    match finding.environments.as_slice() {
        [] => finding,
        [_] if all.iter().any(is_own) => finding,
        [_] => finding.note(format!("in the environment {names}")),
        _ => finding.note(format!("in the environments {names}")),
    }
}

#[cfg(test)]
mod tests {
    use hieratic_diagnostics::{Source, Span};

    use super::*;

    fn judged(name: &str, reads: &[&str], findings: &[(&'static Rule, &str, &str)]) -> EnvironmentFindings {
        let finding = |(rule, file, message): &(&'static Rule, &str, &str)| {
            Finding::new(rule, *message).at(&Source::new(*file, "a: 1\n"), Span::new(0, 1), "")
        };
        EnvironmentFindings {
            name: name.into(),
            root: format!("/r/{name}").into(),
            reads: reads.iter().map(PathBuf::from).collect(),
            findings: findings.iter().map(finding).collect(),
        }
    }

    fn summarize(all: Vec<EnvironmentFindings>) -> Vec<(String, String, Vec<String>)> {
        let summarize = |finding: Finding| {
            (finding.file().to_owned(), finding.diagnostic.message.clone(), finding.diagnostic.notes.clone())
        };
        merge_environments(all).into_iter().map(summarize).collect()
    }

    #[test]
    fn an_entry_that_one_environment_needs_is_no_finding() {
        let unused = (&rules::UNUSED_KEY, "/r/common.yaml", "The key 'a' is never looked up");
        let prod = judged("prod", &["/r/common.yaml"], &[unused]);
        let qa = judged("qa", &["/r/common.yaml"], &[]);
        assert!(summarize(vec![prod, qa]).is_empty());
        // One that does not read the file does not count.
        let prod = judged("prod", &["/r/common.yaml"], &[unused]);
        let qa = judged("qa", &[], &[]);
        assert_eq!(summarize(vec![prod, qa])[0].2, ["in the environment prod"]);
    }

    #[test]
    fn equal_findings_of_environments_are_merged() {
        let unknown = (&rules::UNKNOWN_KEY, "/r/common.yaml", "looks up 'b'");
        let own = (&rules::UNKNOWN_KEY, "/r/qa/x.yaml", "looks up 'c'");
        let prod = judged("prod", &["/r/common.yaml"], &[unknown]);
        let qa = judged("qa", &["/r/common.yaml"], &[unknown, own]);
        let expected = [
            ("/r/common.yaml".to_owned(), "looks up 'b'".to_owned(), vec!["in the environments prod, qa".to_owned()]),
            ("/r/qa/x.yaml".to_owned(), "looks up 'c'".to_owned(), Vec::new()),
        ];
        assert_eq!(summarize(vec![prod, qa]), expected);
    }
}
