//! [`Changes`]: what changes between two states of the repository that an environment is in, as `hieratic diff` tells it.
//!
//! A comparison runs on a thread of its own, on half of the processors, one at a time. Requests wait for it a while; it goes on as long as
//! requests for it come. What was compared last is kept while the files are as they were, so that choosing among changes costs
//! nothing.

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

/// How many changes are looked at closely.
const MOST_DETAILS: usize = 5_000;
/// How many answers that only differ in the facts that they mention are shown one by one.
const MOST_VARIANTS: usize = 10;
/// How many comparisons are kept.
const MOST_KEPT: usize = 4;
/// How long they are kept, where no file tells that facts have changed.
const HOLDS: Duration = Duration::from_secs(60);
/// How long a fault is kept.
const REST: Duration = Duration::from_secs(5);
/// How long to wait before another look at a comparison.
const PAUSE: Duration = Duration::from_millis(10);
/// How many comparisons are underway or wait for their turn.
const MOST_UNDERWAY: usize = 8;
/// How long a comparison may take.
const LONGEST: Duration = Duration::from_secs(1800);
/// How long after the last request for it a comparison goes on.
const ABANDONED: Duration = Duration::from_secs(60);
/// The same if others wait for their turn.
const ABANDONED_FOR_OTHERS: Duration = Duration::from_secs(5);
/// How long the name of a revision may be.
const LONGEST_NAME: usize = 200;
/// How many nodes are named whose facts cannot be read.
const MOST_UNREAD: usize = 5;
/// On how many nodes that are made up it is asked whether a key is secret.
const MOST_ASKED: usize = 200;

/// What is compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wanted {
    pub(crate) environment: String,
    /// A revision; `HEAD` if empty.
    pub(crate) base: String,
    /// A revision; the working tree if empty.
    pub(crate) head: String,
    /// Whether to compare with the commit at which both parted.
    pub(crate) since_parted: bool,
    /// The only node; all if empty.
    pub(crate) node: String,
    /// What the keys hold, in any case of letters; with `*` or `?` a pattern of whole keys.
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
    /// Held by the one that is underway.
    turn: Mutex<()>,
    underway: Mutex<Vec<Arc<Job>>>,
    kept: Mutex<VecDeque<Kept>>,
}

/// What a comparison is of: equal for the same question about the same files.
#[derive(Clone, PartialEq, Eq)]
struct Question {
    wanted: Wanted,
    /// What the sides were called, with their commits.
    names: [String; 2],
    stamp: Stamp,
}

/// A comparison that is underway.
struct Job {
    question: Question,
    begun: Instant,
    /// When it was last asked for.
    asked: Mutex<Instant>,
    budget: Budget,
}

struct Kept {
    question: Question,
    made: Instant,
    /// How long it took.
    took: Duration,
    outcome: Result<Arc<View>, Problem>,
}

impl Kept {
    /// What takes long is kept longer, what failed only until it was read.
    fn holds(&self) -> bool {
        let longest = if self.outcome.is_ok() { HOLDS.max(self.took * 2) } else { REST };
        self.made.elapsed() < longest
    }
}

/// What is known of a comparison.
pub(crate) enum Known {
    Done(Arc<View>),
    /// It is underway, for so long already.
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
    /// Whether nobody asks for it any more.
    fn is_abandoned(&self, others: usize) -> bool {
        let since = self.asked.lock().unwrap_or_else(PoisonError::into_inner).elapsed();
        since > if others > 0 { ABANDONED_FOR_OTHERS } else { ABANDONED }
    }
}

/// What changes; nothing in it is secret. A comparison that is underway is waited for no longer than `patience`.
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

/// What the two states are called. Requests ask for it again and again while a comparison is underway, so that nothing is compared for it.
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

/// The comparison that answers a question: the one that is underway, or a new one.
fn job(service: &Service, question: &Question) -> Result<Arc<Job>, Problem> {
    let mut underway = service.changes.underway();
    if let Some(job) = underway.iter().find(|job| job.question == *question && job.budget.ended().is_ok()) {
        return Ok(job.clone());
    }
    if underway.len() >= MOST_UNDERWAY {
        return Err(Problem::unavailable(format!("{MOST_UNDERWAY} comparisons are in progress")).help("retry later"));
    }
    let shared = service.own.upgrade().ok_or_else(|| Problem::unavailable("the service is shutting down"))?;
    // What one answer may cost bounds each lookup; all of them have the time of a comparison, and end when nobody waits.
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

/// A comparison on its thread. Its outcome is kept when it ends, be it by a panic.
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
        // What was given up by its readers is neither an answer nor a fault.
        if self.job.budget.ended().is_ok() || outcome.is_err() && self.job.begun.elapsed() >= LONGEST {
            let (question, took) = (self.job.question.clone(), self.job.begun.elapsed());
            self.service.changes.keep(Kept { question, made: Instant::now(), took, outcome });
        }
    }
}

/// Compares when it is the turn of a comparison, as long as it is asked for.
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

/// Says that something is over when it goes.
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

/// Waits for the comparison before, as long as somebody waits for this one.
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

/// Whether a key is secret.
type IsSecret<'s> = Box<dyn Fn(&str) -> bool + 's>;

/// What a comparison needs.
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
        // Its own, which ends with the request: that of the environment is not to learn what was secret once.
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

    /// What `check` finds in the head and not in the base; nothing if only some keys or a node are wanted.
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

    /// Whether a key is secret today. If the head is the working tree, that is known already: no value is shown that is secret there.
    ///
    /// What is secret now was perhaps none once, so its past is not shown.
    fn secrecy(&self, nodes: &Nodes, view: &View) -> Result<IsSecret<'_>, Problem> {
        if self.wanted.head.is_empty() || view.groups.is_empty() {
            return Ok(Box::new(|_| false));
        }
        if nodes.are_made_up {
            let asked: Vec<Option<Node>> = nodes
                .subjects
                .iter()
                .take(MOST_ASKED)
                // A node that cannot be made tells nothing: every key counts as secret then.
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

/// What is said of nodes whose facts cannot be read.
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
