//! [`new_findings`]: the findings that a change introduces.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic::value::collections::{HashMap, HashSet};
use hieratic::{Environment, Facts, Settings, Value};
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
use crate::workspace::{Answers, Code, CodePart, ReadFile, Workspace};

/// The state of a comparison, for the next one of the same base with a head that is edited.
///
/// The base stays the same, and so do its findings. Of the head, the files that have not changed are not read again, and
/// their manifests are not analyzed again unless a definition has changed.
#[derive(Default)]
pub struct KnownSides(Mutex<HashMap<EnvironmentKey, KnownEnvironment>>);

/// The files of code, with whether each is a manifest, and the findings about folders that cannot be listed.
type CodeFiles = (Vec<(PathBuf, bool)>, Vec<Finding>);

/// The folder and the name of an environment.
type EnvironmentKey = (PathBuf, String);

#[derive(Default)]
struct KnownEnvironment {
    /// The files of code of the head, unless one may have come or gone.
    code_files: Option<CodeFiles>,
    /// Files that have changed since, of which some may be gone.
    touched: Vec<PathBuf>,
    /// The code of the head.
    code: HashMap<PathBuf, Arc<CodePart>>,
    /// The data of the head.
    data: HashMap<PathBuf, ReadFile>,
    analyzed: Analyzed,
    base: Option<KnownBase>,
}

/// The findings of a base that do not depend on the files that are compared.
struct KnownBase {
    /// The nodes that they were made for.
    nodes: Vec<Facts>,
    /// The configuration of all environments, which is rarely in the repository.
    global_config: Option<String>,
    state: StateFindings,
}

impl KnownSides {
    /// Keeps the files below a folder, except those that have changed: of others no change is known.
    pub fn keep_below(&self, folder: &Path, changed: &[PathBuf]) {
        let stays = |path: &PathBuf| path.starts_with(folder) && !changed.contains(path);
        for known in self.0.lock().unwrap_or_else(PoisonError::into_inner).values_mut() {
            let is_below = |path: &PathBuf| path.starts_with(folder);
            let is_known = known.code.keys().all(is_below) && known.data.keys().all(is_below);
            known.base = known.base.take().filter(|_| is_known);
            let has_file = |path: &PathBuf| known.code.contains_key(path) || known.data.contains_key(path);
            let are_known = is_known && changed.iter().all(has_file);
            known.code_files = known.code_files.take().filter(|_| are_known);
            known.touched.extend(changed.iter().cloned());
            known.code.retain(|path, _| stays(path));
            // Other formats may read further files.
            known.data.retain(|path, (file, _)| stays(path) && file.is_alone());
        }
    }

    /// Takes what is known of an environment.
    fn take(&self, key: &EnvironmentKey) -> KnownEnvironment {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(key).unwrap_or_default()
    }

    fn put(&self, key: EnvironmentKey, known: KnownEnvironment) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, known);
    }
}

/// Returns the findings that are new in the head of a control repository. The changed files and everything that refers
/// to them are checked. `changed` are the absolute paths of the changed files, `nodes` the known nodes.
///
/// `opened` are the environments of the base and the head, already open. The base is a
/// [patch](hieratic::sandbox::Patched) of the head: common files are read once. A finding that only moved to another line
/// is not new. A side that cannot be opened has no findings: a lookup reports the error. `known` are the sides that were
/// compared before, of which nothing has changed but what it [was told](KnownSides::keep_below).
pub fn new_findings(
    [base, head]: [&Settings; 2],
    opened: [&Environment; 2],
    changed: &[PathBuf],
    nodes: &[Facts],
    known: &KnownSides,
) -> Vec<Finding> {
    let (base, head) = (options(base, nodes), options(head, nodes));
    let environment = opened[1];
    let layers = environment.layers();
    let key = (layers.environment.root.clone(), environment.name().to_owned());
    let KnownEnvironment { code_files, touched, mut code, data, analyzed, base: known_base } = known.take(&key);
    let Ok(now) = Workspace::open_like(&head.settings, environment, &data) else { return Vec::new() };
    let has_all = touched.iter().all(|path| environment.capabilities().data.is_file(path));
    let code_files = code_files.filter(|_| has_all).unwrap_or_else(|| now.code_files());
    let code_now = readable_code_of(&now, &code_files, &mut code);
    // Without the file, the error is that of opening.
    let global_config =
        environment.capabilities().files_of(&layers.global_config).read_text(&layers.global_config).ok();
    let known_base = known_base.filter(|base| are_same(&base.nodes, nodes) && base.global_config == global_config);
    let state_now = || StateFindings::new(&now, code_now, &head, &analyzed);
    let (base_state, now_state) = match known_base {
        Some(base) => (base.state, state_now()),
        // The states are the same, and the comparison is made to know them.
        None if changed.is_empty() => {
            let state = state_now();
            (state.clone(), state)
        }
        None => {
            let Ok(before) = Workspace::open_beside(&base.settings, &now) else { return Vec::new() };
            let mut parts = code.clone();
            parts.retain(|path, _| !before.readable().is_patched(path));
            let code_before = readable_code_of(&before, &before.code_files(), &mut parts);
            rayon::join(|| StateFindings::new(&before, code_before, &base, &Analyzed::default()), state_now)
        }
    };
    let before = base_state.with_changed(opened[0], &base, changed);
    let found = now_state.with_changed(environment, &head, changed);
    let kept = KnownBase { nodes: nodes.to_vec(), global_config, state: base_state };
    known.put(
        key,
        KnownEnvironment {
            code_files: Some(code_files),
            touched: Vec::new(),
            code,
            data: now.into_files().collect(),
            analyzed,
            base: Some(kept),
        },
    );
    findings_beyond(&before, found)
}

/// Returns whether the nodes have the same names and facts, as facts that were read again have.
fn are_same(one: &[Facts], other: &[Facts]) -> bool {
    let is_same = |(one, other): (&Facts, &Facts)| {
        one.node() == other.node() && Value::from(one.facts().clone()) == Value::from(other.facts().clone())
    };
    one.len() == other.len() && one.iter().zip(other).all(is_same)
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

/// The findings of a state that do not depend on the files that have changed. As `check` does, files that cannot be read are
/// reported, and everything else is checked.
#[derive(Clone)]
struct StateFindings {
    root: PathBuf,
    /// The files of data, which are not checked alone.
    data: HashSet<PathBuf>,
    /// The findings about code that cannot be read.
    unreadable: Vec<Finding>,
    /// The findings about the environment.
    of_environment: Vec<Finding>,
}

impl StateFindings {
    fn new(
        workspace: &Workspace,
        (code, unreadable): (Code, Vec<Finding>),
        options: &Options,
        analyzed: &Analyzed,
    ) -> StateFindings {
        let (answers, needed) = (Answers::default(), Needed::default());
        let runner = Runner { workspace, code: &code, options, answers: &answers, needed: &needed, analyzed };
        StateFindings {
            root: workspace.root(),
            data: workspace.data().map(Path::to_owned).collect(),
            unreadable,
            of_environment: runner.run(&()).0,
        }
    }

    /// All findings, with those of the changed files alone.
    fn with_changed(&self, environment: &Environment, options: &Options, changed: &[PathBuf]) -> Vec<Finding> {
        let files = &environment.capabilities().data;
        let roots = [self.root.clone()];
        let runs = JobRuns::new(options);
        let folders = CodeFolders::new(std::iter::once(environment), options);
        let mut findings: Vec<Finding> = changed
            .par_iter()
            .filter(|path| !self.data.contains(path.as_path()) && path.starts_with(&self.root))
            .filter(|path| files.is_file(path))
            .filter_map(|path| Some((path, Kind::from_path(path)?)))
            .flat_map_iter(|(path, kind)| {
                let file = FileToCheck { path, kind, is_named: false, roots: &roots, runs: &runs, code: &folders };
                check(&file, files, options, None).findings
            })
            .collect();
        let is_unreported = |finding: &&Finding| !findings.iter().any(|known| subject(known) == subject(finding));
        let unreadable: Vec<Finding> = self.unreadable.iter().filter(is_unreported).cloned().collect();
        findings.extend(unreadable);
        findings.extend(self.of_environment.iter().cloned());
        findings.sort_by_cached_key(Finding::order);
        Ignores::remove_accepted(&mut findings);
        findings
    }
}
