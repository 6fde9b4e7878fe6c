//! [`History`]: the changes of an answer over the commits of the repository of its environment.
//!
//! Only redacted values are compared, so a changed secret is not a change. A current secret may not have been marked in
//! the past. The history of a key is therefore not shown if the key is secret, or if the history contains a current
//! secret.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use hieratic::budget::{Budget, Exhausted, Limits};
use hieratic::dependencies::AccessLog;
use hieratic::layers::repository_of;
use hieratic::lookup::{Object, Origin};
use hieratic::sandbox::Mounted;
use hieratic::value::text::REDACTED;
use hieratic::{Environment, Facts, Node, Query, Redactor, Settings};
use hieratic_git::{Commit, Error, Repository};
use hieratic_impact::{Arrays, Indexes, Leaf, child_budget, leaves};
use hieratic_report::{AnswerAtCommit, CommitLook, History, HistorySearch, history};

use crate::environments::OpenEnvironment;
use crate::lookups::{self, LookupOptions};
use crate::nodes::{NodeSelector, exhausted};
use crate::problem::Problem;
use crate::reads::Reads;
use crate::{Service, json};

/// The routes about revisions read these.
pub(crate) const READS: Reads = Reads::Revision;

/// The time that one request spends on reading commits.
const REQUEST_TIME: Duration = Duration::from_secs(3);

/// The maximum number of changes in one answer.
const MAX_CHANGES: usize = 20;

/// The history of a key for a node.
pub(crate) struct KeyHistory {
    pub(crate) history: History,
    /// Whether the key is secret, so that its past is not shown.
    pub(crate) is_secret: bool,
    /// The root of the repository.
    pub(crate) root: PathBuf,
    /// The day of the first commit that was not looked at, if there are older ones.
    pub(crate) next_day: Option<String>,
}

/// Returns an origin as text, with its path relative to a folder.
pub(crate) fn origin(root: &Path, origin: &Origin) -> String {
    match origin {
        Origin::File { file, line, .. } => format!("{}:{line}", file.strip_prefix(root).unwrap_or(file).display()),
        other => other.to_string().replace(&format!("{}/", root.display()), ""),
    }
}

/// Returns a path with its links followed, which is the name that git has for it. A file that is gone has no such name; opening it
/// reports the error.
pub(crate) fn real_path(path: &Path) -> PathBuf {
    hieratic::sandbox::real_path(path).unwrap_or_else(|_| path.into())
}

/// The repository that an environment is in.
pub(crate) fn place(root: &Path) -> Option<PathBuf> {
    repository_of(&hieratic::sandbox::real_path(root).ok()?)
}

/// Opens the repository. Reading it is subject to the limits, and is cancelled with the budget.
pub(crate) fn repository(
    service: &Service,
    environment: &str,
    opened: &OpenEnvironment,
    budget: &Budget,
) -> Result<Repository, Problem> {
    let folder = place(&opened.environment.layers().environment.root).ok_or_else(|| {
        Problem::not_found("the environment is not in a git repository").help("serve a checkout, with its folder .git")
    })?;
    let limits = service.limits.of_answer();
    let outside = service.nodes.environments.settings(environment).permissions.outside;
    Repository::open_within(&folder, outside, &child_budget(limits, budget)).map_err(failed)
}

/// The history of a key for a node, from a commit on, or from the latest.
pub(crate) fn key_history(
    service: &Service,
    environment: &str,
    node: &str,
    key: &str,
    from: &str,
    budget: &Budget,
) -> Result<KeyHistory, Problem> {
    // Restricts the revisions in requests to hashes of commits.
    if !from.is_empty() && (from.len() > 40 || !from.chars().all(|c| c.is_ascii_hexdigit())) {
        return Err(Problem::bad_request("`from` is not a commit").help("use the id of a commit in hexadecimal digits"));
    }
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let repository = repository(service, environment, &opened, budget)?;
    let now = service.nodes.ask(environment, &NodeSelector::Stored(node.into()), budget, &|subject| {
        lookups::lookup(subject, key, &LookupOptions::default())
    })?;
    let is_secret = now.value.as_ref().is_some_and(|value| value.to_string().contains(REDACTED));
    if is_secret {
        return Ok(KeyHistory {
            history: History::default(),
            is_secret,
            root: repository.root().into(),
            next_day: None,
        });
    }
    let question = CommitLookup {
        key,
        settings: settings(service, environment, &root),
        facts: service.stored.facts(node, &AccessLog::default())?.facts,
        limits: service.limits.of_answer(),
        // A separate redactor, which ends with the request: the redactor of the environment must not learn secrets of the past.
        redactor: Redactor::new(opened.environment.secrets(), false),
        repository,
        budget,
    };
    let first = question.repository.commit(if from.is_empty() { "HEAD" } else { from });
    let first = first.map_err(missing)?;
    let end = Instant::now() + REQUEST_TIME.min(service.limits.time / 3);
    let walk = HistorySearch {
        repository: &question.repository,
        at: &|commit, reads| question.at(commit, reads),
        continues: &|_, entries| {
            budget.step().map_err(exhausted)?;
            Ok(entries.len() < MAX_CHANGES && Instant::now() < end)
        },
        found: &|_| (),
        failed: &failed,
    };
    let history = history(first, &walk)?;
    let next_day = match history.next {
        Some(next) => Some(question.repository.author(next).map_err(failed)?.day()),
        None => None,
    };
    Ok(KeyHistory { history, is_secret, root: question.repository.root().into(), next_day })
}

/// The answer to a key at a commit, as a page shows it: the redacted value with the origins of its parts, or the message of an error.
pub(crate) type AnswerThen = Result<lookups::PartedValue, String>;

/// Returns the answers of a node to the keys that contain a string, at a commit. A value with a secret of today or of then is redacted.
///
/// A value that is secret today may not have been marked in the past, so `is_secret` says which keys are.
pub(crate) fn answers_at(
    service: &Service,
    environment: &str,
    node: &str,
    revision: &str,
    search: &str,
    is_secret: &dyn Fn(&str) -> bool,
    budget: &Budget,
) -> Result<std::collections::BTreeMap<String, AnswerThen>, Problem> {
    let (opened, _) = service.nodes.environments.get(environment)?;
    let root = opened.environment.layers().environment.root.clone();
    let limits = service.limits.of_answer();
    let repository = repository(service, environment, &opened, budget)?;
    let commit = repository.commit(revision).map_err(missing)?;
    let repository = repository.within(&child_budget(limits, budget));
    let tree = Mounted::new(repository.root(), repository.tree(commit).map_err(failed)?);
    let settings = Settings { limits, tree: Some(tree.clone()), ..settings(service, environment, &root) };
    let facts = service.stored.facts(node, &AccessLog::default())?.facts;
    let refused = |error: &hieratic::Error| {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("at {}: {error}", commit.short()))
    };
    let then = Environment::open(&settings).map_err(|error| refused(&error))?;
    let node = then.node(&facts).map_err(|error| refused(&error))?.confined();
    // A separate redactor, which ends with the request: the redactor of the environment must not learn secrets of the past.
    let redactor = Redactor::new(opened.environment.secrets(), false);
    let search = search.to_lowercase();
    let keys = node.keys_within(budget).map_err(|error| refused(&error))?;
    let mut found = std::collections::BTreeMap::new();
    for key in keys.iter().filter(|key| search.is_empty() || key.to_lowercase().contains(&search)) {
        budget.step().map_err(exhausted)?;
        let quoted = hieratic::lookup::quoted_key(key);
        let query = Query { conceal: true, budget: budget.clone(), ..Query::new(&quoted) };
        let answer = node.lookup_traced(&query);
        redactor.add(then.secrets());
        let answer = match answer {
            Ok(answer) => {
                let parted = lookups::PartedValue::new(&answer.value, &node, &query);
                let text = parted.value.to_string();
                let is_open = !is_secret(key) && !text.contains(REDACTED) && redactor.json(&text) == text;
                Ok(if is_open { parted } else { lookups::PartedValue::redacted() })
            }
            Err(error) if error.code() == Node::NOT_FOUND => continue,
            Err(error) => Err(redactor.message(&error.to_string()).into_owned()),
        };
        found.insert(key.to_string(), answer);
    }
    if let Some(fault) = tree.fault() {
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, format!("at {}: {fault}", commit.short())));
    }
    Ok(found)
}

/// The settings of an environment at a commit: under the name that its files have in git, wherever a link to it is.
pub(crate) fn settings(service: &Service, environment: &str, root: &Path) -> Settings {
    let given = service.nodes.environments.settings(environment);
    let real = real_path(root);
    let environment_dir = if real == root { given.environment_dir.clone() } else { Some(real) };
    let permissions = READS.permissions(given.permissions);
    Settings { environment_dir, permissions, once: true, ..given }
}

pub(crate) fn failed(error: Error) -> Problem {
    if let Some(limit @ (Exhausted::Cancelled | Exhausted::Time(_))) = error.limit() {
        return exhausted(limit);
    }
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.message).help(error.help)
}

/// The problem of a commit that a request names.
pub(crate) fn missing(error: Error) -> Problem {
    match error.limit() {
        Some(_) => failed(error),
        None => Problem::not_found(error.message).help(error.help),
    }
}

/// The lookup that runs at each commit.
struct CommitLookup<'q> {
    key: &'q str,
    settings: Settings,
    facts: Facts,
    limits: Limits,
    /// Covers the secrets of all moments that were looked at.
    redactor: Redactor,
    repository: Repository,
    budget: &'q Budget,
}

impl CommitLookup<'_> {
    /// The answer at a commit. An environment that is not there yet has none.
    fn at(&self, commit: Commit, reads: Arc<hieratic_git::Reads>) -> Result<CommitLook, Problem> {
        self.budget.check().map_err(exhausted)?;
        let repository = self.repository.within(&child_budget(self.limits, self.budget));
        let tree = Mounted::new(repository.root(), repository.tree(commit).map_err(failed)?.recording(reads));
        let moment = self.in_tree(&tree);
        self.budget.ended().map_err(exhausted)?;
        // The answer at a commit is unknown if a part of the commit was unreadable, whatever the lookup returned.
        match tree.fault() {
            Some(fault) => {
                let detail = format!("at {}: {fault}", commit.short());
                Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail))
            }
            None => moment,
        }
    }

    fn in_tree(&self, tree: &Mounted) -> Result<CommitLook, Problem> {
        let settings = Settings { limits: self.limits, tree: Some(tree.clone()), ..self.settings.clone() };
        let look = |answer: AnswerAtCommit| CommitLook { answer, ..CommitLook::default() };
        let fault = |text: String| look(Some(Err(text)));
        let environment = match Environment::open(&settings) {
            Ok(environment) => environment,
            Err(error) if error.code() == hieratic::codes::ENVIRONMENT_MISSING => {
                return Ok(CommitLook::default());
            }
            Err(error) => return Ok(fault(error.to_string())),
        };
        let node = match environment.node(&self.facts) {
            Ok(node) => node.confined(),
            Err(error) => return Ok(fault(error.to_string())),
        };
        let query = || Query { conceal: true, budget: child_budget(self.limits, self.budget), ..Query::new(self.key) };
        let answer = node.lookup_traced(&query());
        self.redactor.add(environment.secrets());
        Ok(match answer {
            // Options that cannot be used make the lookup fail, too.
            Ok(answer) => CommitLook {
                arrays: Arrays::of_answer(&node, &query()).unwrap_or_default(),
                ..look(Some(Ok(self.leaves(&answer.value))))
            },
            Err(error) if error.code() == Node::NOT_FOUND => CommitLook::default(),
            Err(error) => fault(self.redactor.message(&error.to_string()).into_owned()),
        })
    }

    /// Returns the leaves of a value; a value with a secret of any commit has one leaf, which is redacted.
    fn leaves(&self, value: &Object) -> Vec<Leaf> {
        let text = json::of_value(&value.masked(), false).to_string();
        if !text.contains(REDACTED) && self.redactor.json(&text) == text {
            return leaves(value, &self.redactor);
        }
        vec![Leaf {
            path: Vec::new(),
            value: REDACTED.into(),
            plain: REDACTED.into(),
            origin: None,
            is_redacted: true,
            indexes: Indexes::default(),
        }]
    }
}
