//! [`History`]: how the answer to a key changed over the commits of the repository that its environment is in.
//!
//! Only what a page would show of a moment is compared, so a secret that changed is no change. What is secret now was perhaps none
//! once: nothing is shown of the past of a key that is secret, or whose past holds a secret of today.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::powers::Tree;
use hieratic::value::text::REDACTED;
use hieratic::{Environment, Facts, Looks, Mask, Permissions, Settings, repository_of};
use hieratic_changes::Interest;
use hieratic_powers::{Budget, Limits};
use hieratic_revisions::{Author, Commit, Fault, Repository};
use serde_json::Value as Json;

use crate::Service;
use crate::nodes::{Asked, exhausted};
use crate::problem::Problem;
use crate::questions::{self, Manner, Subject};

/// How long one request looks at commits.
const TURN: Duration = Duration::from_secs(3);

/// How many changes one request shows.
const MOST: usize = 20;

/// What was answered: a value, or why there was none.
pub(crate) type Said = Result<Json, String>;

/// A commit that changed the answer.
pub(crate) struct Entry {
    pub(crate) commit: String,
    pub(crate) author: Author,
    pub(crate) before: Option<Said>,
    pub(crate) after: Option<Said>,
    /// Where the answer begins after it.
    pub(crate) place: Option<String>,
}

/// The commits that changed an answer, newest first.
pub(crate) struct History {
    pub(crate) entries: Vec<Entry>,
    /// The commit at which to look on, if there are older ones.
    pub(crate) next: Option<String>,
    /// Whether there are older ones that are not in the repository.
    pub(crate) is_cut_off: bool,
    /// Whether the key is secret, so that nothing of its past is shown.
    pub(crate) is_secret: bool,
}

/// The repository that an environment is in.
pub(crate) fn place(root: &Path) -> Option<PathBuf> {
    repository_of(&std::fs::canonicalize(root).ok()?)
}

/// The history of a key for a node, from a commit on, or from the latest.
pub(crate) fn of(
    service: &Service,
    environment: &str,
    node: &str,
    key: &str,
    from: &str,
    budget: &Budget,
) -> Result<History, Problem> {
    // Revisions of strangers name commits and nothing else.
    if !from.is_empty() && (from.len() > 40 || !from.chars().all(|c| c.is_ascii_hexdigit())) {
        return Err(Problem::bad_request("`from` is no commit").help("use the id of a commit in hexadecimal digits"));
    }
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let folder = place(&root).ok_or_else(|| {
        Problem::not_found("the environment is in no git repository").help("serve a checkout, with its folder .git")
    })?;
    let now = service.nodes.ask(environment, &Asked::Stored(node.into()), budget, &|subject| {
        questions::lookup(subject, key, &Manner::default())
    })?;
    let is_secret = now.value.as_ref().is_some_and(|value| value.to_string().contains(REDACTED));
    if is_secret {
        return Ok(History { entries: Vec::new(), next: None, is_cut_off: false, is_secret });
    }
    let repository = Repository::open(&folder).map_err(failed)?;
    let question = Question {
        key,
        settings: settings(service, environment, &root),
        facts: service.stored.facts(node, &Looks::default())?.facts,
        limits: Limits { time: Some(service.limits.time), ..service.limits.work },
        // Its own, which ends with the request: that of the environment is not to learn what was secret once.
        mask: Mask::new(opened.environment.secrets(), false),
        repository,
        budget,
    };
    let first = question.repository.commit(if from.is_empty() { "HEAD" } else { from }).map_err(failed)?;
    question.history(first, Instant::now() + TURN.min(service.limits.time / 3))
}

/// The settings of an environment at a commit: under the name that its files have in git, wherever a link to it is. No program runs:
/// trust is for the files as they are.
fn settings(service: &Service, environment: &str, root: &Path) -> Settings {
    let given = service.nodes.environments.settings(environment);
    let real = std::fs::canonicalize(root).unwrap_or_else(|_| root.into());
    let environment_dir = if real == root { given.environment_dir.clone() } else { Some(real) };
    let permissions = Permissions { programs: false, ..given.permissions };
    Settings { environment_dir, permissions, once: true, ..given }
}

fn failed(fault: Fault) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, fault.message).help(fault.help)
}

/// What is asked at each commit.
struct Question<'q> {
    key: &'q str,
    settings: Settings,
    facts: Facts,
    limits: Limits,
    /// Covers the secrets of all moments that were looked at.
    mask: Mask,
    repository: Repository,
    budget: &'q Budget,
}

/// What is answered at a moment.
struct Moment {
    said: Option<Said>,
    place: Option<String>,
    /// The files that can change it; none if any can.
    interest: Option<Interest>,
}

impl Question<'_> {
    fn history(&self, first: Commit, end: Instant) -> Result<History, Problem> {
        let mut history = History { entries: Vec::new(), next: None, is_cut_off: false, is_secret: false };
        let mut now = self.at(first)?;
        for step in self.repository.history(first) {
            self.budget.step().map_err(exhausted)?;
            let step = step.map_err(failed)?;
            if step.is_cut_off {
                history.is_cut_off = true;
                break;
            }
            // One commit at least is looked at, so that looking on leads on.
            if step.commit != first && (history.entries.len() >= MOST || Instant::now() >= end) {
                history.next = Some(step.commit.to_string());
                break;
            }
            let root = self.repository.root();
            let can_change = |interest: &Interest| step.changed.paths.iter().any(|path| interest.has(&root.join(path)));
            if !now.interest.as_ref().is_none_or(can_change) {
                continue;
            }
            let before = match step.parent {
                Some(parent) => self.at(parent)?,
                None => Moment { said: None, place: None, interest: None },
            };
            if before.said != now.said {
                let author = self.repository.author(step.commit).map_err(failed)?;
                let (before, after) = (before.said.clone(), now.said.clone());
                let commit = step.commit.to_string();
                history.entries.push(Entry { commit, author, before, after, place: now.place.take() });
            }
            now = before;
        }
        Ok(history)
    }

    /// The answer at a commit. An environment that is not there yet has none.
    fn at(&self, commit: Commit) -> Result<Moment, Problem> {
        self.budget.check().map_err(exhausted)?;
        let tree: Arc<dyn Tree> = Arc::new(self.repository.tree(commit).map_err(failed)?);
        let root = self.repository.root().to_owned();
        let settings = Settings { limits: self.limits, tree: Some((root.clone(), tree)), ..self.settings.clone() };
        let fault = |text: String| Moment { said: Some(Err(text)), place: None, interest: None };
        let environment = match Environment::open(&settings) {
            Ok(environment) => environment,
            Err(error) if error.code() == hieratic::codes::ENVIRONMENT_MISSING => {
                return Ok(Moment { said: None, place: None, interest: None });
            }
            Err(error) => return Ok(fault(error.to_string())),
        };
        let node = match environment.node(&self.facts) {
            Ok(node) => node.confined(),
            Err(error) => return Ok(fault(error.to_string())),
        };
        let interest = Interest::of(&environment, &node, self.limits).ok();
        let folder = environment.layers().environment.root.clone();
        let subject = Subject { node: &node, mask: &self.mask, budget: self.budget, root: &folder };
        let manner = Manner { origins: true, ..Manner::default() };
        let answer = questions::lookup(&subject, self.key, &manner);
        self.mask.add(environment.secrets());
        let said = match (answer.value, answer.error) {
            (Some(value), _) => Some(Ok(self.covered(value))),
            (None, Some(error)) if error.code == hieratic::codes::hiera::KEY_NOT_FOUND.id() => None,
            (None, Some(error)) => Some(Err(self.mask.message(&error.message).into_owned())),
            (None, None) => None,
        };
        let origin = answer.origins.into_iter().flatten().find(|origin| origin.file.is_some());
        let place = origin.and_then(|origin| {
            let file = origin.file?;
            let name = Path::new(&file).strip_prefix(&folder).map_or(file.clone(), |name| name.display().to_string());
            Some(origin.line.map_or(name.clone(), |line| format!("{name}:{line}")))
        });
        Ok(Moment { said, place, interest })
    }

    /// A value that holds no secret of any moment.
    fn covered(&self, value: Json) -> Json {
        let text = value.to_string();
        match text.contains(REDACTED) || self.mask.json(&text) != text {
            true => Json::String(REDACTED.into()),
            false => value,
        }
    }
}
