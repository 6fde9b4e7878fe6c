//! [`new_findings`]: the findings that a change introduces.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Environment, Facts, Settings};
use rayon::prelude::*;

use crate::analysis::Analyzed;
use crate::code_folders::CodeFolders;
use crate::comments::Ignores;
use crate::finding::{Finding, without_numbers};
use crate::hygiene::Needed;
use crate::job_values::JobRuns;
use crate::kind::Kind;
use crate::options::Options;
use crate::run::{FileToCheck, check, readable_code_of};
use crate::runner::Runner;
use crate::workspace::{Answers, Code, CodePart, Workspace};

/// The code of a head that was read, for the next comparison with it.
#[derive(Default)]
pub struct HeadCode(Mutex<HashMap<PathBuf, Arc<CodePart>>>);

impl HeadCode {
    /// Keeps the files below a folder, except those that have changed: of others no change is known.
    pub fn keep_below(&self, folder: &Path, changed: &[PathBuf]) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.retain(|path, _| path.starts_with(folder) && !changed.contains(path));
    }

    fn code_of(&self, head: &Workspace) -> ((Code, Vec<Finding>), HashMap<PathBuf, Arc<CodePart>>) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (readable_code_of(head, &mut parts), parts.clone())
    }
}

/// Returns the findings that are new in the head of a control repository. The changed files and everything that refers
/// to them are checked. `changed` are the absolute paths of the changed files, `nodes` the known nodes.
///
/// `opened` is the environment of the head, already open. The base is a [patch](hieratic::sandbox::Patched) of the
/// head: common files are read once. A finding that only moved to another line is not new. A side that cannot be opened
/// has no findings: a lookup reports the error. `known` is the code of the head in files that have not changed since.
pub fn new_findings(
    [base, head]: [&Settings; 2],
    opened: &Environment,
    changed: &[PathBuf],
    nodes: &[Facts],
    known: &HeadCode,
) -> Vec<Finding> {
    let (base, head) = (options(base, nodes), options(head, nodes));
    let Ok(now) = Workspace::open_like(&head.settings, opened) else { return Vec::new() };
    let Ok(before) = Workspace::open_beside(&base.settings, &now) else { return Vec::new() };
    let (code, mut parts) = known.code_of(&now);
    parts.retain(|path, _| !before.readable().is_patched(path));
    let code_before = readable_code_of(&before, &mut parts);
    let (before, now) =
        rayon::join(|| findings(&before, code_before, &base, changed), || findings(&now, code, &head, changed));
    findings_beyond(&before, now)
}

/// Returns the findings of the head that the base does not have, regardless of their lines.
pub(crate) fn findings_beyond(before: &[Finding], now: Vec<Finding>) -> Vec<Finding> {
    let mut known: HashMap<Subject, usize> = HashMap::default();
    for finding in before {
        *known.entry(subject(finding)).or_default() += 1;
    }
    let mut is_new = |finding: &Finding| match known.get_mut(&subject(finding)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    };
    now.into_iter().filter(|finding| is_new(finding)).collect()
}

/// The identity of a finding, wherever it is in its file.
type Subject = (&'static str, String, String);

fn subject(finding: &Finding) -> Subject {
    (finding.rule.id(), finding.file().to_owned(), without_numbers(&finding.diagnostic.message))
}

/// The options for checking a state.
fn options(settings: &Settings, nodes: &[Facts]) -> Options {
    let mut settings = settings.clone();
    settings.permissions.confined = true;
    let options = Options { strict: settings.puppet_version.strict(), nodes: nodes.to_vec(), ..Options::default() };
    Options { settings, ..options }
}

/// The findings of a state. As `check` does, files that cannot be read are reported, and everything else is checked.
fn findings(
    workspace: &Workspace,
    (code, unreadable): (Code, Vec<Finding>),
    options: &Options,
    changed: &[PathBuf],
) -> Vec<Finding> {
    let data: HashSet<&Path> = workspace.data().collect();
    let roots = [workspace.root()];
    let runs = JobRuns::new(options);
    let folders = CodeFolders::new(std::iter::once(workspace.environment()), options);
    let mut findings: Vec<Finding> = changed
        .par_iter()
        .filter(|path| !data.contains(path.as_path()) && path.starts_with(&roots[0]))
        .filter(|path| workspace.readable().is_file(path))
        .filter_map(|path| Some((path, Kind::from_path(path)?)))
        .flat_map_iter(|(path, kind)| {
            let file = FileToCheck { path, kind, is_named: false, roots: &roots, runs: &runs, code: &folders };
            check(&file, workspace.readable(), options, None).findings
        })
        .collect();
    let is_reported = |finding: &Finding| findings.iter().any(|known| subject(known) == subject(finding));
    let unreadable: Vec<Finding> = unreadable.into_iter().filter(|finding| !is_reported(finding)).collect();
    findings.extend(unreadable);
    let (answers, needed) = (Answers::default(), Needed::default());
    let analyzed = Analyzed::default();
    let runner = Runner { workspace, code: &code, options, answers: &answers, needed: &needed, analyzed: &analyzed };
    findings.extend(runner.run(&()).0);
    findings.sort_by_cached_key(Finding::order);
    Ignores::remove_accepted(&mut findings);
    findings
}
