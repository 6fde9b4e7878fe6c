//! [`Comparisons`]: compares two states of the repository of an environment, with the results of `hieratic diff`.
//!
//! Each comparison runs on its own thread, on half of the processors, one at a time. Requests wait for it for a while;
//! it is cancelled when requests for it stop. The latest comparisons are cached until files change, so that filtering
//! changes costs nothing.

use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::budget::Budget;
use hieratic::lookup::quoted_key;
use hieratic::sandbox::Memory;
use hieratic::{Limits, Node, Query, Redactor, Settings};
use hieratic_git::{Author, Branch, Commit};
use hieratic_impact::{Diff, Subject, child_budget};
use hieratic_lint::{JobValues, nodes_of_any_data};
use hieratic_report::{
    Change, ForgeLinks, Head, Nodes, OpenError, Options, Report, ShowsMessage, Sides, Summary, compare, compare_jobs,
    job_options,
};

use crate::environments::OpenEnvironment;
use crate::fingerprint::EnvironmentFingerprint;
use crate::fleet::Index;
use crate::hierarchy_config::HierarchyConfig;
use crate::history::{failed, missing, real_path, repository, settings};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::{Service, Shared, findings};

/// The maximum number of changes that are inspected in detail.
const MAX_DETAILS: usize = 5_000;
/// The maximum number of answers shown one by one that only differ in the facts that they mention.
const MAX_VARIANTS: usize = 10;
/// The maximum number of cached comparisons.
const MAX_CACHED: usize = 4;
/// The lifetime of a comparison whose facts do not come from files, because no file shows that they have changed.
const MIN_LIFETIME: Duration = Duration::from_secs(60);
/// The lifetime of the counts of two commits, which depend on the facts of nodes, too.
const COUNTS_LIFETIME: Duration = Duration::from_secs(600);
/// The maximum number of pairs of commits whose counts are cached.
const MAX_COUNTS: usize = 2000;
/// The maximum time for finding out whether the working tree differs from the last commit.
const MAX_TIME_OF_DEFAULT: Duration = Duration::from_secs(1);
/// The lifetime of a cached error.
const ERROR_LIFETIME: Duration = Duration::from_secs(5);
/// The interval at which a waiting request polls its comparison.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// The maximum number of comparisons that are running or queued.
const MAX_JOBS: usize = 8;
/// The maximum duration of a comparison.
const MAX_DURATION: Duration = Duration::from_secs(1800);
/// The time after the last request for it at which a comparison is cancelled.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);
/// The time after the last request at which a comparison is cancelled if others are queued.
const ABANDONED_IF_QUEUED_AFTER: Duration = Duration::from_secs(5);
/// The maximum length of the name of a revision, in bytes.
const MAX_NAME_LENGTH: usize = 200;
/// The maximum number of nodes that are named because their facts cannot be read.
const MAX_UNREADABLE_NAMES: usize = 5;
/// The maximum number of lookups that decide which changed keys are secret today, if the nodes are synthetic. If more are
/// needed, all of them count as secret.
const MAX_SECRECY_LOOKUPS: usize = 100_000;

/// Selects the sides of a comparison, and its nodes and keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ComparisonRequest {
    pub(crate) environment: String,
    /// A revision; `HEAD` if empty.
    pub(crate) base: String,
    /// A revision; the working tree if empty.
    pub(crate) head: String,
    /// Whether to compare with the merge base of both revisions.
    pub(crate) from_merge_base: bool,
    /// The only node; all if empty.
    pub(crate) node: String,
    /// Text that the keys contain, ignoring case; with `*` or `?`, a pattern of whole keys.
    pub(crate) key: String,
    /// A level of the environment's hierarchy: the files as they are are compared with the same without it, and the revisions are not used.
    pub(crate) without_level: String,
    /// Whether only the counts are wanted: the changes are not cached, so that they do not displace those that people look at.
    pub(crate) counts_only: bool,
}

impl ComparisonRequest {
    /// The revisions that are compared.
    fn revisions(&self) -> (&str, Head<'_>) {
        let head = if self.head.is_empty() { Head::WorkingTree } else { Head::Revision(&self.head) };
        (if self.base.is_empty() { "HEAD" } else { &self.base }, head)
    }

    fn has_key(&self, key: &str) -> bool {
        if self.key.contains(['*', '?']) {
            hieratic::lookup::matches_patterns(key, std::slice::from_ref(&self.key))
        } else {
            key.to_lowercase().contains(&self.key.to_lowercase())
        }
    }
}

/// The comparisons.
#[derive(Default)]
pub(crate) struct Comparisons {
    /// Locked by the running comparison.
    running: Mutex<()>,
    jobs: Mutex<Vec<Arc<Job>>>,
    cached: Mutex<VecDeque<CachedComparison>>,
    /// The counts of comparisons of two commits, on all nodes and keys.
    counts: Mutex<HashMap<CommitPair, (Instant, ChangeCounts)>>,
}

/// An environment, and the names of two commits.
type CommitPair = (String, Diff<String>);

/// The identity of a comparison: equal for the same request about the same files.
#[derive(Clone, PartialEq, Eq)]
struct ComparisonKey {
    request: ComparisonRequest,
    /// The names of the sides, with their commits.
    names: Diff<String>,
    fingerprint: EnvironmentFingerprint,
}

/// A comparison that is running or queued.
struct Job {
    key: ComparisonKey,
    started: Instant,
    /// The time of the last request for the comparison.
    last_request: Mutex<Instant>,
    budget: Budget,
}

struct CachedComparison {
    key: ComparisonKey,
    finished: Instant,
    /// The duration of the comparison.
    duration: Duration,
    outcome: Result<Arc<Report>, Problem>,
}

impl CachedComparison {
    /// Slow comparisons are cached longer; errors only until a request has reported them.
    fn is_valid(&self) -> bool {
        let longest = if self.outcome.is_ok() { MIN_LIFETIME.max(self.duration * 2) } else { ERROR_LIFETIME };
        self.finished.elapsed() < longest
    }
}

/// The state of a comparison.
pub(crate) enum ComparisonState {
    Done(Arc<Report>),
    /// The comparison has been running for this long.
    Running(Duration),
}

impl Comparisons {
    fn cached(&self) -> MutexGuard<'_, VecDeque<CachedComparison>> {
        self.cached.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn jobs(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn cached_outcome(&self, key: &ComparisonKey) -> Option<Result<Arc<Report>, Problem>> {
        let mut cache = self.cached();
        cache.retain(CachedComparison::is_valid);
        cache.iter().find(|one| one.key == *key).map(|one| one.outcome.clone())
    }

    fn store_counts(&self, request: &ComparisonRequest, names: &Diff<String>, found: ChangeCounts) {
        let is_of_all = request.node.is_empty() && request.key.is_empty() && request.without_level.is_empty();
        if !is_of_all || request.head.is_empty() {
            return;
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.retain(|_, (since, _)| since.elapsed() < COUNTS_LIFETIME);
        if counts.len() < MAX_COUNTS {
            counts.insert((request.environment.clone(), commits_of(names)), (Instant::now(), found));
        }
    }

    fn store(&self, one: CachedComparison) {
        let mut cache = self.cached();
        // Those that were only counted are the first to go.
        let is_counted = one.key.request.counts_only;
        if cache.len() >= MAX_CACHED {
            let counted = cache.iter().rposition(|one| one.key.request.counts_only);
            let last = cache.len() - 1;
            cache.remove(counted.unwrap_or(last));
        }
        if is_counted { cache.push_back(one) } else { cache.push_front(one) }
    }
}

impl Job {
    /// Returns whether requests for the comparison have stopped.
    fn is_abandoned(&self, others: usize) -> bool {
        let since = self.last_request.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        since > if others > 0 { ABANDONED_IF_QUEUED_AFTER } else { ABANDONED_AFTER }
    }
}

/// The commits of two sides, independent of the names in the request.
fn commits_of(names: &Diff<String>) -> Diff<String> {
    let commit = |name: &String| match name.rsplit_once(" (") {
        Some((_, rest)) => rest.trim_end_matches(')').to_string(),
        None => name.clone(),
    };
    names.as_ref().map(commit)
}

/// The sides that are compared when none are named.
pub(crate) struct DefaultSides {
    pub(crate) base: String,
    pub(crate) head: String,
    /// The heading of the comparison.
    pub(crate) title: &'static str,
    /// The message of the commit; empty for changes that are not committed.
    pub(crate) words: String,
}

/// Returns the sides that are compared if a request names none: the working tree if it differs from the last commit, else the last
/// commit with its parent. `None` without git.
pub(crate) fn default_sides(service: &Service, environment: &str, budget: &Budget) -> Option<DefaultSides> {
    // Without git, there is nothing to compare. The page of changes shows the reason.
    let (opened, _) = service.nodes.environments.get(environment).ok()?;
    let repository = repository(service, environment, &opened, budget).ok()?;
    // A large working tree may take longer than a page should: then nothing is compared until a person asks.
    let short = Limits { time: Some(MAX_TIME_OF_DEFAULT.min(service.limits.time / 4)), ..service.limits.of_answer() };
    let repository = repository.within(&child_budget(short, budget));
    let commit = repository.commit("HEAD").ok()?;
    let working_tree = || DefaultSides {
        base: String::new(),
        head: String::new(),
        title: "Uncommitted changes",
        words: String::new(),
    };
    let root = hieratic::sandbox::real_path(&opened.environment.layers().environment.root).ok()?;
    let below = root.strip_prefix(repository.root()).unwrap_or(Path::new("")).to_owned();
    let changed = repository.changed_in_worktree(commit).ok()?;
    if changed.paths.iter().any(|path| path.starts_with(&below)) {
        return Some(working_tree());
    }
    let step = repository.history(commit).next()?.ok()?;
    let author = repository.author(commit).ok()?;
    Some(match step.parent {
        Some(_) => DefaultSides {
            base: "HEAD~1".into(),
            head: "HEAD".into(),
            title: "Last commit",
            words: format!("{} ({}, {})", author.summary, author.name, author.day()),
        },
        None => working_tree(),
    })
}

/// A commit to pick.
pub(crate) struct CommitRow {
    pub(crate) commit: Commit,
    /// The commit before it; `None` for the first.
    pub(crate) parent: Option<Commit>,
    pub(crate) author: Author,
    /// The number of keys and nodes that it changed, if that is known.
    pub(crate) counts: Option<ChangeCounts>,
}

/// The maximum number of branches whose latest commit is described.
const MAX_DESCRIBED_BRANCHES: usize = 50;

/// A branch, and its latest commit if the branch is one of the first.
pub(crate) struct BranchRow {
    pub(crate) branch: Branch,
    pub(crate) author: Option<Author>,
}

/// The commits and branches to pick.
#[derive(Default)]
pub(crate) struct Revisions {
    pub(crate) commits: Vec<CommitRow>,
    pub(crate) branches: Vec<BranchRow>,
    /// The branch that is checked out.
    pub(crate) current: Option<String>,
}

/// Returns the latest commits and the branches.
pub(crate) fn revisions(
    service: &Service,
    environment: &str,
    most: usize,
    budget: &Budget,
) -> Result<Revisions, Problem> {
    let (opened, _) = service.nodes.environments.get(environment)?;
    let repository = repository(service, environment, &opened, budget)?;
    let first = repository.commit("HEAD").map_err(missing)?;
    let mut commits = Vec::new();
    for step in repository.history(first).take(most) {
        let step = step.map_err(failed)?;
        let author = repository.author(step.commit).map_err(failed)?;
        let pair = step.parent.map(|parent| Diff { base: parent.short(), head: step.commit.short() });
        let counts = pair.and_then(|pair| known_counts(service, environment, &pair));
        commits.push(CommitRow { commit: step.commit, parent: step.parent, author, counts });
    }
    let mut branches = Vec::new();
    for (index, branch) in repository.branches().map_err(failed)?.into_iter().enumerate() {
        let author =
            (index < MAX_DESCRIBED_BRANCHES).then(|| repository.author(branch.commit).map_err(failed)).transpose()?;
        branches.push(BranchRow { branch, author });
    }
    Ok(Revisions { commits, branches, current: repository.head_branch().map_err(failed)? })
}

/// The number of keys and nodes that a comparison found to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChangeCounts {
    pub(crate) keys: usize,
    pub(crate) nodes: usize,
    /// Whether nothing was left out of the comparison.
    pub(crate) is_complete: bool,
}

impl ChangeCounts {
    /// Counts the changes of a report.
    pub(crate) fn new(report: &Report) -> ChangeCounts {
        let Summary { changed_keys: keys, changed_nodes: nodes, .. } = report.summary;
        ChangeCounts { keys, nodes, is_complete: report.notes.is_empty() }
    }
}

/// Returns how many keys and nodes differ between two commits, if they were compared not long ago.
pub(crate) fn known_counts(service: &Service, environment: &str, commits: &Diff<String>) -> Option<ChangeCounts> {
    let counts = service.changes.counts.lock().unwrap_or_else(PoisonError::into_inner);
    let (since, found) = counts.get(&(environment.to_string(), commits.clone()))?;
    (since.elapsed() < COUNTS_LIFETIME).then_some(*found)
}

/// Returns the comparison, or waits for it for at most `patience`. The result contains no secrets.
pub(crate) fn request_comparison(
    service: &Service,
    request: &ComparisonRequest,
    patience: Duration,
    budget: &Budget,
) -> Result<ComparisonState, Problem> {
    let end = Instant::now() + patience;
    check_name("base", &request.base)?;
    check_name("head", &request.head)?;
    let names = side_names(service, request, budget)?;
    if !request.node.is_empty() {
        service.stored.facts(&request.node, &Default::default())?;
    }
    let fingerprint = findings::fingerprint_of(service, &request.environment)?;
    let key = ComparisonKey { request: request.clone(), names, fingerprint };
    loop {
        if let Some(outcome) = service.changes.cached_outcome(&key) {
            return outcome.map(ComparisonState::Done);
        }
        let job = find_or_start(service, &key)?;
        *job.last_request.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if Instant::now() >= end {
            return Ok(ComparisonState::Running(job.started.elapsed()));
        }
        budget.waits().map_err(exhausted)?;
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Returns the names of both sides. Clients poll this while a comparison runs, so that it compares nothing.
fn side_names(service: &Service, request: &ComparisonRequest, budget: &Budget) -> Result<Diff<String>, Problem> {
    let (opened, _) = service.nodes.environments.get(&request.environment)?;
    if !request.without_level.is_empty() {
        return Ok(Diff {
            base: "the working tree".into(),
            head: format!("without the level {}", request.without_level),
        });
    }
    let repository = repository(service, &request.environment, &opened, budget)?;
    let (base, head) = request.revisions();
    for name in [base, &request.head].into_iter().filter(|name| !name.is_empty()) {
        repository.commit(name).map_err(missing)?;
    }
    Sides::resolve_names(&repository, base, head, request.from_merge_base).map_err(failed)
}

/// The two states.
fn sides(service: &Service, request: &ComparisonRequest, budget: &Budget) -> Result<Sides, Problem> {
    let (opened, _) = service.nodes.environments.get(&request.environment)?;
    if !request.without_level.is_empty() {
        return sides_without_level(service, request);
    }
    // All reads of the comparison share its time, which is longer than that of one answer.
    let limits = Limits { time: Some(MAX_DURATION), ..service.limits.of_answer() };
    let repository = repository(service, &request.environment, &opened, budget)?;
    let repository = repository.within(&child_budget(limits, budget));
    let settings = settings(service, &request.environment, &opened.environment.layers().environment.root);
    let (base, head) = request.revisions();
    let settings = Settings { limits: service.limits.of_answer(), ..settings };
    Sides::from_revisions(settings, &repository, base, head, request.from_merge_base).map_err(failed)
}

/// The files as they are, and the same with a hierarchy that lacks a level.
fn sides_without_level(service: &Service, request: &ComparisonRequest) -> Result<Sides, Problem> {
    let name = &request.without_level;
    let config = HierarchyConfig::read(service, &request.environment)?;
    let changed = config.as_ref().and_then(|config| Some((config, config.without(name)?)));
    let Some((config, text)) = changed else {
        return Err(Problem::not_found(format!("the hierarchy of the environment has no level '{name}'")));
    };
    let root = real_path(&config.root);
    let settings = settings(service, &request.environment, &root);
    let settings = Settings { limits: service.limits.of_answer(), ..settings };
    let mut memory = Memory::default();
    memory.insert(HierarchyConfig::FILE, text.into_bytes());
    Ok(Sides::from_edits(settings, &root, memory, [HierarchyConfig::FILE.into()]))
}

/// Returns the job of a comparison, which is started unless it is running or queued.
fn find_or_start(service: &Service, key: &ComparisonKey) -> Result<Arc<Job>, Problem> {
    let mut underway = service.changes.jobs();
    if let Some(job) = underway.iter().find(|job| job.key == *key && job.budget.ended().is_ok()) {
        return Ok(job.clone());
    }
    if underway.len() >= MAX_JOBS {
        return Err(Problem::unavailable(format!("{MAX_JOBS} comparisons are in progress")).help("retry later"));
    }
    let shared = service.own.upgrade().ok_or_else(|| Problem::unavailable("the service is shutting down"))?;
    // The limits of one answer apply to each lookup. All lookups share the time of the comparison, and are cancelled
    // with it.
    let budget = Budget::new(Limits { steps: u64::MAX, time: Some(MAX_DURATION), ..service.limits.of_answer() });
    let now = Instant::now();
    let job = Arc::new(Job { key: key.clone(), started: now, last_request: Mutex::new(now), budget });
    let own = job.clone();
    let thread = std::thread::Builder::new().name("hieratic-changes".into()).spawn(move || {
        let mut ends = StoreOutcome { service: shared, job: own, outcome: None };
        ends.outcome = run_in_turn(&ends.service, &ends.job);
    });
    thread.map_err(|_| Problem::unavailable("the comparison cannot start: no thread is available"))?;
    underway.push(job.clone());
    Ok(job)
}

/// A comparison on its thread. Dropping it stores the outcome, even after a panic.
struct StoreOutcome {
    service: Shared,
    job: Arc<Job>,
    outcome: Option<Result<Report, Problem>>,
}

impl Drop for StoreOutcome {
    fn drop(&mut self) {
        let bug = || {
            let detail = "internal error: the comparison failed because of a bug in the service";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
        };
        let outcome = self.outcome.take().unwrap_or_else(bug).map(Arc::new);
        self.service.changes.jobs().retain(|job| !Arc::ptr_eq(job, &self.job));
        // A cancelled comparison is neither a result nor an error.
        if self.job.budget.ended().is_ok() || outcome.is_err() && self.job.started.elapsed() >= MAX_DURATION {
            let (key, duration) = (self.job.key.clone(), self.job.started.elapsed());
            if let Ok(report) = &outcome {
                self.service.changes.store_counts(&key.request, &key.names, ChangeCounts::new(report));
            }
            self.service.changes.store(CachedComparison { key, finished: Instant::now(), duration, outcome });
        }
    }
}

/// Compares once it is this comparison's turn, unless it is abandoned before.
fn run_in_turn(service: &Shared, job: &Arc<Job>) -> Option<Result<Report, Problem>> {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                let others = service.changes.jobs().len().saturating_sub(1);
                if job.is_abandoned(others) {
                    job.budget.cancel();
                    return;
                }
                std::thread::sleep(POLL_INTERVAL * 5);
            }
        });
        let _over = SetOnDrop(&is_over);
        Some(run_comparison(service, job))
    })
}

/// A drop guard that sets a flag.
struct SetOnDrop<'o>(&'o AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn run_comparison(service: &Service, job: &Job) -> Result<Report, Problem> {
    let _turn = wait_for_turn(service, &job.budget)?;
    let request = &job.key.request;
    let (opened, _) = service.nodes.environments.get(&request.environment)?;
    let sides = sides(service, request, &job.budget)?;
    let compared =
        Comparison { service, request, opened: &opened, limits: service.limits.of_answer(), budget: &job.budget };
    let report = compared.report(&sides)?;
    // A comparison that was cut short is neither returned nor cached.
    job.budget.ended().map_err(exhausted)?;
    Ok(report)
}

/// Restricts the revisions in requests to names of branches, tags and commits: expressions that search, or read
/// reference logs, are refused.
pub(crate) fn check_name(subject: &str, name: &str) -> Result<(), Problem> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/+-~^".contains(c);
    if name.len() <= MAX_NAME_LENGTH && name.chars().all(is_plain) && !name.contains("..") && !name.starts_with('-') {
        return Ok(());
    }
    Err(Problem::bad_request(format!("`{subject}` is not a revision"))
        .help("name a branch, a tag or a commit, such as main, v1.2 or HEAD~3"))
}

/// Waits for the previous comparison, as long as there are requests for this one.
fn wait_for_turn<'s>(service: &'s Service, budget: &Budget) -> Result<std::sync::MutexGuard<'s, ()>, Problem> {
    loop {
        match service.changes.running.try_lock() {
            Ok(turn) => return Ok(turn),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        budget.waits().map_err(exhausted)?;
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Returns whether a key is secret.
type IsSecret<'s> = Box<dyn Fn(&str) -> bool + 's>;

/// The inputs of a comparison.
struct Comparison<'c> {
    service: &'c Service,
    request: &'c ComparisonRequest,
    opened: &'c OpenEnvironment,
    limits: Limits,
    budget: &'c Budget,
}

impl Comparison<'_> {
    fn report(&self, sides: &Sides) -> Result<Report, Problem> {
        let refused = |error: &hieratic::Error| Problem::of_error(StatusCode::UNPROCESSABLE_ENTITY, error);
        let open = sides.open(self.limits);
        let open = open.map_err(|OpenError { side, error, .. }| refused(&sides.on(side, error)))?;
        // A separate redactor, which ends with the request: the redactor of the environment must not learn secrets of the past.
        let redactor = Redactor::new(self.opened.environment.secrets(), false);
        redactor.add(open.environments.head.secrets());
        redactor.add(open.environments.base.secrets());
        let (nodes, unread) = self.sample_nodes(sides)?;
        let shows_message = |finding: &hieratic_lint::Finding| {
            findings::may_show_message(Path::new(finding.file()), &finding.diagnostic.message)
        };
        let jobs = self.shows_findings().then(|| {
            // No variables of the environment: requests choose the revision.
            let values = JobValues { sets: self.service.job_sets.clone(), ..JobValues::default() };
            compare_jobs(job_options(sides, values, self.limits), sides.root(), &sides.changed())
        });
        let options = Options {
            selects_key: &|key: &str| self.request.has_key(key),
            limits: self.limits,
            most_details: MAX_DETAILS,
            most_variants: MAX_VARIANTS,
            conceal: true,
            parent_budget: Some(self.budget),
            progress: &(),
            findings: self.shows_findings().then_some(&shows_message as &ShowsMessage<'_>),
            jobs: jobs.as_ref(),
            catalogs: None,
        };
        // The request waits, and leaves its turn to others.
        self.budget.waits().map_err(exhausted)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads((processors / 2).max(1))
            .build()
            .map_err(|error| Problem::unavailable(format!("the comparison cannot start: {error}")))?;
        let report = pool.install(|| compare(&open, &nodes, &options, &redactor));
        self.budget.ended().map_err(exhausted)?;
        let mut report = report.map_err(|error| refused(&error))?;
        report.notes.extend(not_compared(&unread));
        if let Some(jobs) = &jobs {
            report.add_jobs(jobs, sides, &redactor);
        }
        report.forge = self.forge_links(sides);
        let is_secret = self.secrecy(&nodes, &report)?;
        report.redact_secrets(&redactor, &|key| is_secret(key));
        Ok(report)
    }

    /// The links to the lines of the sides that are commits. Without git, or with a remote at an unknown forge, there are none.
    fn forge_links(&self, sides: &Sides) -> Diff<Option<ForgeLinks>> {
        let repository = repository(self.service, &self.request.environment, self.opened, self.budget);
        let Ok(repository) = repository else { return Diff::default() };
        sides.commits.map(|commit| ForgeLinks::new(repository.remote_urls(), &commit?.to_string()))
    }

    /// Returns whether new findings are a part of the changes: not if the comparison is limited to a node or to some
    /// keys.
    fn shows_findings(&self) -> bool {
        self.request.node.is_empty() && self.request.key.is_empty() && self.request.without_level.is_empty()
    }

    /// The nodes that are compared, and the names of those whose facts cannot be read.
    fn sample_nodes(&self, sides: &Sides) -> Result<(Nodes, Vec<String>), Problem> {
        let (stored, unread) = match self.request.node.as_str() {
            "" => self.service.stored.all()?,
            node => (vec![self.service.stored.facts(node, &Default::default())?.facts], Vec::new()),
        };
        let are_synthetic = stored.is_empty() && unread.is_empty();
        let known = if are_synthetic {
            let Diff { base, head } = sides.both_settings(self.limits);
            nodes_of_any_data(&[&base, &head])
        } else {
            stored
        };
        Ok((Nodes { subjects: known.into_iter().map(Subject::new).collect(), are_synthetic }, unread))
    }

    /// Returns the predicate that decides whether a key is secret today. If the head is the working tree, its values
    /// are already redacted.
    ///
    /// A value that is secret today may not have been marked in the past, so the past of such keys is not shown.
    fn secrecy(&self, nodes: &Nodes, report: &Report) -> Result<IsSecret<'_>, Problem> {
        let has_keys = report.changes().any(|change| matches!(change, Change::Key(_)));
        if self.request.head.is_empty() || !has_keys {
            return Ok(Box::new(|_| false));
        }
        if nodes.are_synthetic {
            let lookups = nodes.subjects.len().saturating_mul(report.summary.changed_keys);
            if lookups > MAX_SECRECY_LOOKUPS {
                return Ok(Box::new(|_| true));
            }
            let selected: Vec<Option<Node>> = nodes
                .subjects
                .iter()
                // If a node cannot be created, its secrets are unknown: every key counts as secret.
                .map(|subject| Some(self.opened.environment.node(&subject.base).ok()?.confined()))
                .collect();
            // A key occurs in the changes of several groups of nodes.
            let known: RefCell<HashMap<String, bool>> = RefCell::default();
            return Ok(Box::new(move |key| {
                let is_secret =
                    || selected.iter().any(|node| node.as_ref().is_none_or(|node| self.is_secret(node, key)));
                *known.borrow_mut().entry(key.to_owned()).or_insert_with(is_secret)
            }));
        }
        let index = self.index()?;
        Ok(Box::new(move |key| index.rows_of(key).iter().any(|row| row.is_error || row.is_redacted())))
    }

    /// The answers of all nodes today.
    fn index(&self) -> Result<Arc<Index>, Problem> {
        loop {
            let index = self.service.fleet.index(self.service, &self.request.environment, self.budget)?;
            self.budget.ended().map_err(exhausted)?;
            if index.is_complete() {
                return Ok(index);
            }
            if index.is_final() {
                return Err(Problem::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "there are too many answers to decide which keys are secret today",
                )
                .help("compare with the working tree: leave `head` out"));
            }
        }
    }

    fn is_secret(&self, node: &Node, key: &str) -> bool {
        let quoted = quoted_key(key);
        let budget = child_budget(self.limits, self.budget);
        match node.lookup_traced(&Query { conceal: true, budget, ..Query::new(&quoted) }) {
            Ok(answer) => answer.value.has_decrypted() || answer.value.has_hidden(),
            Err(error) => error.code() != Node::NOT_FOUND,
        }
    }
}

/// Returns the sentence that names nodes with unreadable facts.
fn not_compared(unread: &[String]) -> Option<String> {
    let shown: Vec<&str> = unread.iter().take(MAX_UNREADABLE_NAMES).map(String::as_str).collect();
    let more =
        if unread.len() > shown.len() { format!(" and {} more", unread.len() - shown.len()) } else { String::new() };
    (!unread.is_empty()).then(|| format!("nodes whose facts cannot be read: {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_revision_names_are_accepted() {
        for name in ["", "HEAD", "main", "v1.2", "feature/a_b-c", "HEAD~3", "abc^", "0123456789abcdef"] {
            assert!(check_name("base", name).is_ok(), "{name}");
        }
        for name in
            [":/word", "HEAD@{1}", "@{-1}", "a..b", "HEAD^{/word}", "--all", "a b", "\u{1b}", "é", &"a".repeat(201)]
        {
            assert!(check_name("base", name).is_err(), "{name}");
        }
    }

    #[test]
    fn keys_are_filtered_by_substring_or_pattern() {
        let is_selected = |key: &str| ComparisonRequest { key: key.into(), ..ComparisonRequest::default() };
        assert!(
            is_selected("").has_key("a::b") && is_selected("A::").has_key("a::b") && !is_selected("c").has_key("a::b")
        );
        assert!(is_selected("a::*").has_key("a::b") && !is_selected("*::a").has_key("a::b"));
    }
}
