//! The findings of `check` for an environment, computed in the background and cached until files change.
//!
//! A request that finds no findings, or outdated ones, starts a check on a separate thread and waits for it briefly.
//! One check runs at a time, on half of the processors, so that lookups keep the other half. A check runs no program of
//! the repository.

mod list;
mod secrecy;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::budget::Budget;
use hieratic::dependencies::AccessLog;
use hieratic::{Facts, Settings};
use hieratic_lint::{OmissionGroup, Options, Progress, Session};

pub(crate) use list::{DisplayedFinding, Filter, FilteredFindings, FindingPosition, NewFinding};
pub(crate) use secrecy::may_show_message;

use crate::facts::FactsStore;
use crate::fingerprint::{EnvironmentFiles, EnvironmentFingerprint};
use crate::nodes::{NodeSelector, exhausted};
use crate::problem::Problem;
use crate::reads::Reads;
use crate::{Service, Shared};

/// The maximum number of nodes that a check looks up. Of more, it takes a sample that is spread over the list.
const MAX_NODES: usize = 500;

/// The lifetime of findings whose facts come from a source that does not show changes.
const LIFETIME: Duration = Duration::from_secs(600);

/// The time after a failed check before another one starts.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The minimum time for which a fingerprint of the files is considered current.
const MIN_FINGERPRINT_LIFETIME: Duration = Duration::from_secs(1);

/// The lifetime as a multiple of the time that the fingerprint takes.
const FINGERPRINT_LIFETIME_FACTOR: u32 = 20;

/// The interval at which a waiting request polls the running check.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Selects an environment, and the rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct CheckRequest {
    pub(crate) environment: String,
    /// Whether to include unneeded data and unused keys.
    pub(crate) hygiene: bool,
}

/// The findings of one check.
pub(crate) struct CheckResult {
    pub(crate) findings: Vec<DisplayedFinding>,
    /// The number of files that were checked.
    pub(crate) files: usize,
    /// The number of nodes that were looked up.
    pub(crate) nodes: usize,
    /// The number of findings that comments suppress.
    pub(crate) ignored: usize,
    /// The number of all findings, stored or not.
    pub(crate) all: usize,
    /// The parts that were not checked, with the reason, as `3 manifests (modules of Puppetfile are missing: install
    /// them)`. Parts that make a check incomplete come first.
    pub(crate) not_judged: Vec<String>,
}

impl CheckResult {
    /// Returns the findings in some lines, each the first line of a value.
    pub(crate) fn in_lines(&self, lines: &[(PathBuf, u32)]) -> Vec<&DisplayedFinding> {
        let is_at =
            |place: &FindingPosition| lines.iter().any(|(path, line)| place.path == *path && place.line == Some(*line));
        let is_there = |found: &&DisplayedFinding| {
            found.place.iter().chain(found.related.iter().map(|(place, _)| place)).any(is_at)
        };
        self.findings.iter().filter(is_there).collect()
    }
}

/// The state of the findings of an environment.
pub(crate) struct CheckState {
    /// The latest findings; `None` while the first check is running.
    pub(crate) result: Option<Arc<CheckResult>>,
    /// Whether the files have not changed since.
    pub(crate) is_current: bool,
    /// The number of finished steps of the running check, and of all its known steps.
    pub(crate) steps: (usize, usize),
}

/// The findings of each environment.
#[derive(Default)]
pub(crate) struct Checks {
    states: Mutex<HashMap<CheckRequest, State>>,
    /// The fingerprint of the files of each environment, and until when it is considered current.
    fingerprints: Mutex<HashMap<String, (Instant, EnvironmentFingerprint)>>,
    /// Locked by the running check.
    running: Mutex<()>,
}

#[derive(Default)]
struct State {
    cached: Option<CachedCheck>,
    running: Option<Arc<CheckProgress>>,
}

struct CachedCheck {
    /// The fingerprint before the check.
    fingerprint: EnvironmentFingerprint,
    finished: Instant,
    outcome: Result<Arc<CheckResult>, Problem>,
}

/// The progress of a check.
#[derive(Default)]
struct CheckProgress {
    all: AtomicUsize,
    done: AtomicUsize,
}

impl Progress for CheckProgress {
    fn begin(&self, _: &'static str, steps: usize) {
        self.all.fetch_add(steps, Ordering::Relaxed);
    }

    fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }
}

impl Checks {
    fn states(&self) -> MutexGuard<'_, HashMap<CheckRequest, State>> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fingerprints(&self) -> MutexGuard<'_, HashMap<String, (Instant, EnvironmentFingerprint)>> {
        self.fingerprints.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The findings of an environment. Those of files that have changed since are there at once, and are waited for no longer than
/// `patience`, as others are.
pub(crate) fn request_check(
    service: &Shared,
    extent: &CheckRequest,
    patience: Duration,
    budget: &Budget,
) -> Result<CheckState, Problem> {
    let end = Instant::now() + patience;
    loop {
        let fingerprint = fingerprint_of(service, &extent.environment)?;
        let known = state_for(service, extent, &fingerprint)?;
        if known.is_current || Instant::now() >= end {
            return Ok(known);
        }
        budget.waits().map_err(exhausted)?;
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// The files that findings about a node are in: the data that it reads, and the configuration of its environment.
pub(crate) fn files_of_node(
    service: &Service,
    environment: &str,
    node: &str,
    budget: &Budget,
) -> Result<HashSet<PathBuf>, Problem> {
    service.nodes.ask(environment, &NodeSelector::Stored(node.into()), budget, &|subject| {
        let configuration = [subject.root.join("hiera.yaml"), subject.root.join("environment.conf")];
        // A hierarchy that cannot be read is a finding about the configuration.
        let places =
            subject.node.dependencies(subject.budget).map(|dependencies| dependencies.places).unwrap_or_default();
        let data = places.iter().filter_map(|place| Some(place.path.as_ref()?.to_path_buf()));
        data.chain(configuration).collect()
    })
}

/// Returns the fingerprint of the files of an environment, which may be slightly outdated.
pub(crate) fn fingerprint_of(service: &Service, environment: &str) -> Result<EnvironmentFingerprint, Problem> {
    if let Some(fingerprint) = service.events.last_fingerprint(environment) {
        return Ok(fingerprint);
    }
    let now = Instant::now();
    if let Some((_, fingerprint)) = service.checks.fingerprints().get(environment).filter(|(until, _)| now < *until) {
        return Ok(fingerprint.clone());
    }
    // Other requests are not locked out meanwhile.
    let fingerprint = EnvironmentFiles::new(service, environment)?.fingerprint();
    let until = Instant::now() + MIN_FINGERPRINT_LIFETIME.max(now.elapsed() * FINGERPRINT_LIFETIME_FACTOR);
    service.checks.fingerprints().insert(environment.into(), (until, fingerprint.clone()));
    Ok(fingerprint)
}

/// Returns the state for a fingerprint, and starts a check if the findings are outdated.
fn state_for(
    service: &Shared,
    extent: &CheckRequest,
    fingerprint: &EnvironmentFingerprint,
) -> Result<CheckState, Problem> {
    let mut states = service.checks.states();
    let state = states.entry(extent.clone()).or_default();
    let is_remote = matches!(*service.stored, FactsStore::PuppetDb(..));
    let current = state.cached.as_ref().filter(|kept| match &kept.outcome {
        Ok(_) => kept.fingerprint == *fingerprint && !(is_remote && kept.finished.elapsed() > LIFETIME),
        Err(_) => kept.finished.elapsed() < RETRY_AFTER,
    });
    let is_current = current.is_some();
    if let Some(Err(problem)) = current.map(|kept| &kept.outcome) {
        return Err(problem.clone());
    }
    if !is_current && state.running.is_none() {
        let steps = Arc::new(CheckProgress::default());
        if !start(service, extent, steps.clone()) {
            return Err(Problem::unavailable("the check cannot start: no thread is available"));
        }
        // The check ends with the lock that is held here.
        state.running = Some(steps);
    }
    let steps = state.running.as_ref().map_or((0, 0), |steps| {
        let done = steps.done.load(Ordering::Relaxed);
        (done, steps.all.load(Ordering::Relaxed).max(done))
    });
    let checked = state.cached.as_ref().and_then(|kept| kept.outcome.as_ref().ok().cloned());
    Ok(CheckState { result: checked, is_current, steps })
}

/// Checks an environment on a separate thread; returns false if no thread can be started.
fn start(service: &Shared, extent: &CheckRequest, steps: Arc<CheckProgress>) -> bool {
    let (service, extent) = (service.clone(), extent.clone());
    let check = move || {
        let mut underway = RunningCheck { service: service.clone(), extent, outcome: None };
        let _turn = service.checks.running.lock().unwrap_or_else(PoisonError::into_inner);
        underway.outcome = Some(run(&service, &underway.extent, &steps));
    };
    std::thread::Builder::new().name("hieratic-check".into()).spawn(check).is_ok()
}

/// A running check. Dropping it stores the outcome, even after a panic.
struct RunningCheck {
    service: Shared,
    extent: CheckRequest,
    outcome: Option<(EnvironmentFingerprint, Result<CheckResult, Problem>)>,
}

impl Drop for RunningCheck {
    fn drop(&mut self) {
        let (fingerprint, outcome) = self.outcome.take().unwrap_or_else(|| {
            let detail = "internal error: the check failed because of a bug in the service";
            (EnvironmentFingerprint::default(), Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail)))
        });
        let kept = CachedCheck { fingerprint, finished: Instant::now(), outcome: outcome.map(Arc::new) };
        let mut states = self.service.checks.states();
        let state = states.entry(self.extent.clone()).or_default();
        state.running = None;
        state.cached = Some(kept);
    }
}

/// Runs the check. The fingerprint is taken before any file is read.
fn run(
    service: &Service,
    extent: &CheckRequest,
    steps: &CheckProgress,
) -> (EnvironmentFingerprint, Result<CheckResult, Problem>) {
    match EnvironmentFiles::new(service, &extent.environment) {
        Ok(places) => (places.fingerprint(), check(service, extent, steps)),
        Err(problem) => (EnvironmentFingerprint::default(), Err(problem)),
    }
}

fn check(service: &Service, extent: &CheckRequest, steps: &CheckProgress) -> Result<CheckResult, Problem> {
    let environment = extent.environment.as_str();
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let (nodes, skipped_levels) = sample_nodes(service)?;
    let options = options(service, environment, &root, nodes);
    let options = Options { hygiene: extent.hygiene, unused: extent.hygiene, ..options };
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads((processors / 2).max(1))
        .build()
        .map_err(|error| Problem::unavailable(format!("the check cannot start: {error}")))?;
    let mut session = Session::new(options);
    let report = pool.install(|| session.check(steps));
    let secrecy = secrecy::Secrecy::new(service, environment, &opened, session.views());
    let (found, all) = list::displayed_findings(&report.findings, &root, &secrecy);
    let groups = OmissionGroup::group(&report.not_judged);
    let not_judged = skipped_levels.into_iter().chain(groups.iter().map(OmissionGroup::words)).collect();
    Ok(CheckResult {
        findings: found,
        files: report.files,
        nodes: report.nodes,
        ignored: report.ignored,
        all,
        not_judged,
    })
}

/// The routes about findings read the files as they are, to judge them.
pub(crate) const READS: Reads = Reads::CheckedTree;

/// Returns the options of the command `check`. Capabilities that were granted for lookups are not granted to unreviewed
/// code.
fn options(service: &Service, environment: &str, root: &std::path::Path, nodes: Vec<Facts>) -> Options {
    let given = service.nodes.environments.settings(environment);
    let is_named = given.environment_dir.is_some() || given.environmentpath.is_some() || given.codedir.is_some();
    let limits = service.limits.of_answer();
    let settings = Settings {
        environment_dir: if is_named { given.environment_dir.clone() } else { Some(root.into()) },
        permissions: READS.permissions(given.permissions),
        limits,
        ..given
    };
    let strict = settings.language().strict;
    Options { paths: vec![root.into()], strict, settings, nodes, ..Options::default() }
}

/// Returns the nodes that the check looks up, and descriptions of the others.
fn sample_nodes(service: &Service) -> Result<(Vec<Facts>, Vec<String>), Problem> {
    // Nodes without facts are those that a check makes up by itself.
    let names = if service.stored.is_derived() { Vec::new() } else { service.stored.names()? };
    let step = names.len().div_ceil(MAX_NODES).max(1);
    let mut facts = Vec::new();
    let mut unreadable = 0;
    for name in names.iter().step_by(step) {
        match service.stored.facts(name, &AccessLog::default()) {
            Ok(stored) => facts.push(stored.facts),
            // The page of the node shows the reason.
            Err(_) => unreadable += 1,
        }
    }
    let left_out = names.len() - facts.len() - unreadable;
    let most = format!("a check looks up at most {MAX_NODES}");
    let reasons = [(unreadable, "their facts cannot be read"), (left_out, most.as_str())];
    let diagnostic = reasons.iter().filter(|(count, _)| *count > 0);
    let skipped_levels = diagnostic.map(|(count, reason)| {
        let nouns = if *count == 1 { "node" } else { "nodes" };
        format!("{count} {nouns} ({reason})")
    });
    Ok((facts, skipped_levels.collect()))
}
