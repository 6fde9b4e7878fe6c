//! [`Changes`]: compares two states of the repository of an environment, with the results of `hieratic diff`.
//!
//! Each comparison runs on its own thread, on half of the processors, one at a time. Requests wait for it for a while;
//! it is cancelled when requests for it stop. The latest comparisons are cached until files change, so that filtering
//! changes costs nothing.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::powers::Budget;
use hieratic::{Environment, Facts, Limits, Mask, Node, Query, Settings, quoted_key};
use hieratic_audit::{Finding, nodes_of_any_data};
use hieratic_changes::{Options, Subject, compare, parameters, within};
use hieratic_comparison::{Found, Head, Nodes, Sides, View};

use crate::environments::Opened;
use crate::fleet::Index;
use crate::history::{failed, missing, repository, settings};
use crate::nodes::exhausted;
use crate::problem::Problem;
use crate::stamps::Stamp;
use crate::{Service, Shared, findings};

/// The maximum number of changes that are inspected in detail.
const MOST_DETAILS: usize = 5_000;
/// The maximum number of answers shown one by one that only differ in the facts that they mention.
const MOST_VARIANTS: usize = 10;
/// The maximum number of cached comparisons.
const MOST_KEPT: usize = 4;
/// The lifetime of a comparison whose facts do not come from files, because no file shows that they have changed.
const HOLDS: Duration = Duration::from_secs(60);
/// The lifetime of a cached error.
const REST: Duration = Duration::from_secs(5);
/// The interval at which a waiting request polls its comparison.
const PAUSE: Duration = Duration::from_millis(10);
/// The maximum number of comparisons that are running or queued.
const MOST_UNDERWAY: usize = 8;
/// The maximum duration of a comparison.
const LONGEST: Duration = Duration::from_secs(1800);
/// The time after the last request for it at which a comparison is cancelled.
const ABANDONED: Duration = Duration::from_secs(60);
/// The time after the last request at which a comparison is cancelled if others are queued.
const ABANDONED_FOR_OTHERS: Duration = Duration::from_secs(5);
/// The maximum length of the name of a revision, in bytes.
const LONGEST_NAME: usize = 200;
/// The maximum number of nodes that are named because their facts cannot be read.
const MOST_UNREAD: usize = 5;
/// On how many nodes that are made up it is asked whether a key is secret.
const MOST_ASKED: usize = 200;

/// Selects the sides of a comparison, and its nodes and keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) environment: String,
    /// A revision; `HEAD` if empty.
    pub(crate) base: String,
    /// A revision; the working tree if empty.
    pub(crate) head: String,
    /// Whether to compare with the merge base of both revisions.
    pub(crate) since_parted: bool,
    /// The only node; all if empty.
    pub(crate) node: String,
    /// Text that the keys contain, ignoring case; with `*` or `?`, a pattern of whole keys.
    pub(crate) key: String,
}

impl Wanted {
    /// The revisions that are compared.
    fn revisions(&self) -> (&str, Head<'_>) {
        let head = if self.head.is_empty() { Head::WorkingTree } else { Head::Revision(&self.head) };
        (if self.base.is_empty() { "HEAD" } else { &self.base }, head)
    }

    fn has_key(&self, key: &str) -> bool {
        match self.key.contains(['*', '?']) {
            true => hieratic::is_wanted(key, std::slice::from_ref(&self.key)),
            false => key.to_lowercase().contains(&self.key.to_lowercase()),
        }
    }
}

/// The comparisons.
#[derive(Default)]
pub(crate) struct Changes {
    /// Locked by the running comparison.
    turn: Mutex<()>,
    underway: Mutex<Vec<Arc<Job>>>,
    kept: Mutex<VecDeque<Kept>>,
}

/// The identity of a comparison: equal for the same request about the same files.
#[derive(Clone, PartialEq, Eq)]
struct Question {
    wanted: Wanted,
    /// The names of the sides, with their commits.
    names: [String; 2],
    stamp: Stamp,
}

/// A comparison that is running or queued.
struct Job {
    question: Question,
    begun: Instant,
    /// The time of the last request for the comparison.
    asked: Mutex<Instant>,
    budget: Budget,
}

struct Kept {
    question: Question,
    made: Instant,
    /// The duration of the comparison.
    took: Duration,
    outcome: Result<Arc<View>, Problem>,
}

impl Kept {
    /// Slow comparisons are cached longer; errors only until a request has reported them.
    fn holds(&self) -> bool {
        let longest = if self.outcome.is_ok() { HOLDS.max(self.took * 2) } else { REST };
        self.made.elapsed() < longest
    }
}

/// The state of a comparison.
pub(crate) enum Known {
    Done(Arc<View>),
    /// The comparison has been running for this long.
    Underway(Duration),
}

impl Changes {
    fn kept(&self) -> MutexGuard<'_, VecDeque<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn underway(&self) -> MutexGuard<'_, Vec<Arc<Job>>> {
        self.underway.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, question: &Question) -> Option<Result<Arc<View>, Problem>> {
        let mut kept = self.kept();
        kept.retain(Kept::holds);
        kept.iter().find(|one| one.question == *question).map(|one| one.outcome.clone())
    }

    fn keep(&self, one: Kept) {
        let mut kept = self.kept();
        kept.truncate(MOST_KEPT - 1);
        kept.push_front(one);
    }
}

impl Job {
    /// Returns whether requests for the comparison have stopped.
    fn is_abandoned(&self, others: usize) -> bool {
        let since = self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        since > if others > 0 { ABANDONED_FOR_OTHERS } else { ABANDONED }
    }
}

/// Returns the comparison, or waits for it for at most `patience`. The result contains no secrets.
pub(crate) fn of(service: &Service, wanted: &Wanted, patience: Duration, budget: &Budget) -> Result<Known, Problem> {
    let end = Instant::now() + patience;
    check_name("base", &wanted.base)?;
    check_name("head", &wanted.head)?;
    let names = names(service, wanted, budget)?;
    if !wanted.node.is_empty() {
        service.stored.facts(&wanted.node, &Default::default())?;
    }
    let stamp = findings::look(service, &wanted.environment)?;
    let question = Question { wanted: wanted.clone(), names, stamp };
    loop {
        if let Some(outcome) = service.changes.known(&question) {
            return outcome.map(Known::Done);
        }
        let job = job(service, &question)?;
        *job.asked.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        if Instant::now() >= end {
            return Ok(Known::Underway(job.begun.elapsed()));
        }
        budget.waits().map_err(exhausted)?;
        std::thread::sleep(PAUSE);
    }
}

/// Returns the names of both sides. Clients poll this while a comparison runs, so that it compares nothing.
fn names(service: &Service, wanted: &Wanted, budget: &Budget) -> Result<[String; 2], Problem> {
    let (opened, _) = service.nodes.environments.get(&wanted.environment)?;
    let repository = repository(service, &wanted.environment, &opened, budget)?;
    let (base, head) = wanted.revisions();
    for name in [base, &wanted.head].into_iter().filter(|name| !name.is_empty()) {
        repository.commit(name).map_err(missing)?;
    }
    Sides::names_of(&repository, base, head, wanted.since_parted).map_err(failed)
}

/// The two states.
fn sides(service: &Service, wanted: &Wanted, budget: &Budget) -> Result<Sides, Problem> {
    let (opened, _) = service.nodes.environments.get(&wanted.environment)?;
    let repository = repository(service, &wanted.environment, &opened, budget)?;
    let settings = settings(service, &wanted.environment, &opened.environment.layers().environment.root);
    let (base, head) = wanted.revisions();
    let settings = Settings { limits: service.limits.of_answer(), ..settings };
    Sides::of(settings, &repository, base, head, wanted.since_parted).map_err(failed)
}

/// Returns the job of a comparison, which is started unless it is running or queued.
fn job(service: &Service, question: &Question) -> Result<Arc<Job>, Problem> {
    let mut underway = service.changes.underway();
    if let Some(job) = underway.iter().find(|job| job.question == *question && job.budget.ended().is_ok()) {
        return Ok(job.clone());
    }
    if underway.len() >= MOST_UNDERWAY {
        return Err(Problem::unavailable(format!("{MOST_UNDERWAY} comparisons are in progress")).help("retry later"));
    }
    let shared = service.own.upgrade().ok_or_else(|| Problem::unavailable("the service is shutting down"))?;
    // The limits of one answer apply to each lookup. All lookups share the time of the comparison, and are cancelled
    // with it.
    let budget = Budget::new(Limits { steps: u64::MAX, time: Some(LONGEST), ..service.limits.of_answer() });
    let now = Instant::now();
    let job = Arc::new(Job { question: question.clone(), begun: now, asked: Mutex::new(now), budget });
    let own = job.clone();
    let thread = std::thread::Builder::new().name("hieratic-changes".into()).spawn(move || {
        let mut ends = Ends { service: shared, job: own, outcome: None };
        ends.outcome = run(&ends.service, &ends.job);
    });
    thread.map_err(|_| Problem::unavailable("the comparison cannot start: there is no thread for it"))?;
    underway.push(job.clone());
    Ok(job)
}

/// A comparison on its thread. Dropping it stores the outcome, even after a panic.
struct Ends {
    service: Shared,
    job: Arc<Job>,
    outcome: Option<Result<View, Problem>>,
}

impl Drop for Ends {
    fn drop(&mut self) {
        let bug = || {
            let detail = "internal error: the comparison failed because of a bug in the service";
            Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, detail))
        };
        let outcome = self.outcome.take().unwrap_or_else(bug).map(Arc::new);
        self.service.changes.underway().retain(|job| !Arc::ptr_eq(job, &self.job));
        // A cancelled comparison is neither a result nor an error.
        if self.job.budget.ended().is_ok() || outcome.is_err() && self.job.begun.elapsed() >= LONGEST {
            let (question, took) = (self.job.question.clone(), self.job.begun.elapsed());
            self.service.changes.keep(Kept { question, made: Instant::now(), took, outcome });
        }
    }
}

/// Compares once it is this comparison's turn, unless it is abandoned before.
fn run(service: &Shared, job: &Arc<Job>) -> Option<Result<View, Problem>> {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Acquire) {
                let others = service.changes.underway().len().saturating_sub(1);
                if job.is_abandoned(others) {
                    job.budget.cancel();
                    return;
                }
                std::thread::sleep(PAUSE * 5);
            }
        });
        let _over = Over(&is_over);
        Some(compared(service, job))
    })
}

/// A drop guard that sets a flag.
struct Over<'o>(&'o AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

fn compared(service: &Service, job: &Job) -> Result<View, Problem> {
    let _turn = turn(service, &job.budget)?;
    let wanted = &job.question.wanted;
    let (opened, _) = service.nodes.environments.get(&wanted.environment)?;
    let sides = sides(service, wanted, &job.budget)?;
    let compared =
        Compared { service, wanted, opened: &opened, limits: service.limits.of_answer(), budget: &job.budget };
    let view = compared.view(&sides)?;
    // A comparison that was cut short is neither returned nor cached.
    job.budget.ended().map_err(exhausted)?;
    Ok(view)
}

/// Revisions of strangers name branches, tags and commits: nothing is searched for, and no log of references is read.
fn check_name(what: &str, name: &str) -> Result<(), Problem> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._/+-~^".contains(c);
    if name.len() <= LONGEST_NAME && name.chars().all(is_plain) && !name.contains("..") && !name.starts_with('-') {
        return Ok(());
    }
    Err(Problem::bad_request(format!("`{what}` is no revision"))
        .help("name a branch, a tag or a commit, such as main, v1.2 or HEAD~3"))
}

/// Waits for the previous comparison, as long as there are requests for this one.
fn turn<'s>(service: &'s Service, budget: &Budget) -> Result<std::sync::MutexGuard<'s, ()>, Problem> {
    loop {
        match service.changes.turn.try_lock() {
            Ok(turn) => return Ok(turn),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {}
        }
        budget.waits().map_err(exhausted)?;
        std::thread::sleep(PAUSE);
    }
}

/// Returns whether a key is secret.
type IsSecret<'s> = Box<dyn Fn(&str) -> bool + 's>;

/// The inputs of a comparison.
struct Compared<'c> {
    service: &'c Service,
    wanted: &'c Wanted,
    opened: &'c Opened,
    limits: Limits,
    budget: &'c Budget,
}

impl Compared<'_> {
    fn view(&self, sides: &Sides) -> Result<View, Problem> {
        let refused = |is_base: bool| {
            move |error: hieratic::Error| Problem::of_error(StatusCode::UNPROCESSABLE_ENTITY, &sides.on(is_base, error))
        };
        let head = Environment::open(&sides.settings(false, self.limits)).map_err(refused(false))?;
        let base = Environment::open_beside(&sides.settings(true, self.limits), &head).map_err(refused(true))?;
        // A separate mask, which ends with the request: the mask of the environment must not learn secrets of the past.
        let mask = Mask::new(self.opened.environment.secrets(), false);
        mask.add(head.secrets());
        mask.add(base.secrets());
        let (nodes, unread) = self.nodes(sides)?;
        let changed = sides.changed();
        let options = Options {
            changed: &changed,
            wanted: &|key: &str| self.wanted.has_key(key),
            extra: &[],
            limits: self.limits,
            most_details: MOST_DETAILS,
            most_variants: MOST_VARIANTS,
            conceal: true,
            within: Some(self.budget),
        };
        // The request waits, and leaves its turn to others.
        self.budget.waits().map_err(exhausted)?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads((processors / 2).max(1))
            .build()
            .map_err(|error| Problem::unavailable(format!("the comparison cannot start: {error}")))?;
        let report = pool.install(|| compare([&base, &head], &nodes.subjects, &options, &mask));
        self.budget.ended().map_err(exhausted)?;
        let findings = pool.install(|| self.findings(sides, &head, &nodes));
        self.budget.ended().map_err(exhausted)?;
        let mut declared = parameters([&base, &head], changed.iter());
        declared.retain(|change| self.wanted.has_key(&change.key));
        sides.whole().map_err(|error| Problem::of_error(StatusCode::UNPROCESSABLE_ENTITY, &error))?;
        let found = Found { report: &report, declared: &declared, findings: &findings, catalogs: None };
        let mut view = View::of(sides, &nodes, &found, [&base, &head], &mask);
        view.notes.extend(not_compared(&unread));
        let is_secret = self.secrecy(&nodes, &view)?;
        view.conceal(&mask, &|key| is_secret(key));
        for (told, finding) in view.findings.iter_mut().zip(&findings) {
            if !findings::may_be_quoted(Path::new(finding.file()), &finding.diagnostic.message) {
                told.message = finding.rule.code.title().into();
            }
        }
        Ok(view)
    }

    /// Returns the findings of the head that are not in the base; empty if the comparison is limited to a node or to
    /// some keys.
    fn findings(&self, sides: &Sides, head: &Environment, nodes: &Nodes) -> Vec<Finding> {
        match self.wanted.node.is_empty() && self.wanted.key.is_empty() {
            true => sides.new_findings(head, nodes, self.limits),
            false => Vec::new(),
        }
    }

    /// The nodes that are compared, and the names of those whose facts cannot be read.
    fn nodes(&self, sides: &Sides) -> Result<(Nodes, Vec<String>), Problem> {
        let (stored, unread) = match self.wanted.node.as_str() {
            "" => self.service.stored.all()?,
            node => (vec![self.service.stored.facts(node, &Default::default())?.facts], Vec::new()),
        };
        let are_made_up = stored.is_empty() && unread.is_empty();
        let known = match are_made_up {
            true => nodes_of_any_data(&[&sides.settings(true, self.limits), &sides.settings(false, self.limits)]),
            false => stored,
        };
        let subject = |facts: Facts| Subject { name: facts.node().unwrap_or_default().into(), base: facts, head: None };
        Ok((Nodes { subjects: known.into_iter().map(subject).collect(), are_made_up }, unread))
    }

    /// Returns the predicate that decides whether a key is secret today. If the head is the working tree, its values
    /// are already redacted.
    ///
    /// A value that is secret today may not have been marked in the past, so the past of such keys is not shown.
    fn secrecy(&self, nodes: &Nodes, view: &View) -> Result<IsSecret<'_>, Problem> {
        if self.wanted.head.is_empty() || view.groups.is_empty() {
            return Ok(Box::new(|_| false));
        }
        if nodes.are_made_up {
            let asked: Vec<Option<Node>> = nodes
                .subjects
                .iter()
                .take(MOST_ASKED)
                // If a node cannot be created, its secrets are unknown: every key counts as secret.
                .map(|subject| Some(self.opened.environment.node(&subject.base).ok()?.confined()))
                .collect();
            let is_all = nodes.subjects.len() <= MOST_ASKED;
            return Ok(Box::new(move |key| {
                !is_all || asked.iter().any(|node| node.as_ref().is_none_or(|node| self.is_secret(node, key)))
            }));
        }
        let index = self.index()?;
        Ok(Box::new(move |key| index.rows_of(key).iter().any(|row| row.is_fault || row.is_covered())))
    }

    /// The answers of all nodes today.
    fn index(&self) -> Result<Arc<Index>, Problem> {
        loop {
            let index = self.service.fleet.index(self.service, &self.wanted.environment, self.budget)?;
            self.budget.ended().map_err(exhausted)?;
            if index.is_complete() {
                return Ok(index);
            }
            if index.is_settled() {
                return Err(Problem::new(
                    StatusCode::UNPROCESSABLE_ENTITY,
                    "there are too many answers to tell which keys are secret today",
                )
                .help("compare with the working tree: leave `head` out"));
            }
        }
    }

    fn is_secret(&self, node: &Node, key: &str) -> bool {
        let quoted = quoted_key(key);
        let budget = within(self.limits, self.budget);
        match node.lookup_traced(&Query { conceal: true, budget, ..Query::new(&quoted) }) {
            Ok(answer) => answer.value.has_secret() || answer.value.has_hidden(),
            Err(error) => error.code() != Node::NOT_FOUND,
        }
    }
}

/// Returns the sentence that names nodes with unreadable facts.
fn not_compared(unread: &[String]) -> Option<String> {
    let shown: Vec<&str> = unread.iter().take(MOST_UNREAD).map(String::as_str).collect();
    let more =
        if unread.len() > shown.len() { format!(" and {} more", unread.len() - shown.len()) } else { String::new() };
    (!unread.is_empty()).then(|| format!("nodes whose facts cannot be read: {}{more}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revisions_are_named_and_nothing_else() {
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
    fn keys_are_chosen_by_a_part_or_a_pattern() {
        let wanted = |key: &str| Wanted { key: key.into(), ..Wanted::default() };
        assert!(wanted("").has_key("a::b") && wanted("A::").has_key("a::b") && !wanted("c").has_key("a::b"));
        assert!(wanted("a::*").has_key("a::b") && !wanted("*::a").has_key("a::b"));
    }
}
