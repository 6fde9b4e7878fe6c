//! [`Proof`]: the answers of all nodes after a plan, compared with those before it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use hieratic::budget::Progress;
use hieratic::sandbox::Memory;
use hieratic::value::ErasedSort as _;
use hieratic::{Error, Facts, Limits, Redactor, Settings};
use hieratic_impact::{Answer, AnswerReport, Diff, KeyDelta, Side, Subject};
use hieratic_report::{Nodes, OpenError, Options, Sides};

use crate::plan::{ExpectedEffect, Plan};
use hieratic::sandbox::SlashPath as _;

/// The effect of a plan on the answers of nodes.
#[derive(Debug, Default)]
pub struct Proof {
    /// The number of nodes that were compared.
    pub nodes: usize,
    /// The number of compared environments.
    pub environments: usize,
    /// The environments that could not be opened, with the error. The effect on their answers is unknown.
    pub unchecked: Vec<(String, String)>,
    /// The errors of nodes that fail before and after the change, with the indexes of the nodes. The effect on their
    /// answers is unknown.
    pub failing: BTreeMap<String, BTreeSet<usize>>,
    /// The keys whose lookups fail before and after with the same message, such as those whose values cannot be
    /// decrypted here.
    pub failing_keys: BTreeSet<String>,
    /// The answers that would change unintentionally.
    pub unexpected: Vec<UnexpectedChange>,
}

/// An unintentional change of an answer.
#[derive(Debug)]
pub struct UnexpectedChange {
    /// The key. It is empty if the hierarchies or data of nodes become invalid.
    pub key: String,
    /// The indexes of the nodes.
    pub nodes: Vec<usize>,
    /// The change of the answer, in words.
    pub what: &'static str,
    /// The environments, if the repository has several.
    pub environments: Vec<String>,
}

impl Proof {
    /// Returns whether no known answer changes unintentionally.
    pub fn holds(&self) -> bool {
        self.unexpected.is_empty()
    }

    /// Returns whether all nodes could be looked up, in all environments.
    pub fn is_whole(&self) -> bool {
        self.unchecked.is_empty() && self.failing.is_empty()
    }
}

impl Plan {
    /// Looks up the keys that the plan can affect, before and after it, for these nodes, in all environments of the
    /// repository. No file is written. `progress` counts the nodes of each environment.
    ///
    /// # Errors
    /// The target environment cannot be opened, or another environment can only be opened before the change.
    pub fn proof(
        &self,
        settings: &Settings,
        nodes: &[Facts],
        limits: Limits,
        redactor: &Redactor,
        progress: &dyn Progress,
    ) -> Result<Proof, Error> {
        let changed: BTreeSet<PathBuf> = self.changes().map(|(path, _)| path.to_owned()).collect();
        // A changed file can be outside of the environment.
        let whole = changed.iter().fold(self.root().to_owned(), |root, path| above(&root, path).to_owned());
        // A tree that is mounted in the settings stays under the change.
        let root = match &settings.tree {
            Some(mounted) if whole.starts_with(mounted.root()) => mounted.root().to_owned(),
            _ => whole,
        };
        let mut memory = Memory::default();
        let below = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_owned();
        for (path, change) in self.changes() {
            memory.insert(below(path), change.after.clone().into_bytes());
        }
        let settings = Settings { once: true, positions: false, limits, ..settings.clone() };
        let sides = Sides::from_edits(settings.clone(), &root, memory, changed.iter().map(|path| below(path)));
        let subjects = nodes.iter().cloned().map(Subject::new).collect();
        let nodes = Nodes { subjects, are_synthetic: false };
        let options = Options {
            selects_key: &|_| true,
            limits,
            most_details: 0,
            // Answers that mention facts are compared one by one.
            most_variants: usize::MAX,
            conceal: false,
            parent_budget: None,
            progress,
            findings: None,
            jobs: None,
            catalogs: None,
        };
        let mut proof = Proof { nodes: nodes.subjects.len(), ..Proof::default() };
        for (index, own) in self.environments.iter().enumerate() {
            let (environment, environment_dir) = (own.environment.clone(), own.environment_dir.clone());
            let sides = sides.for_environment(Settings { environment, environment_dir, ..settings.clone() });
            let open = match sides.open(limits) {
                Ok(open) => open,
                Err(OpenError { side: Side::Head, error, other: None }) => return Err(error),
                Err(OpenError { error, other, .. }) => {
                    let error = other.unwrap_or(error);
                    if index == 0 {
                        return Err(error);
                    }
                    let name = own.environment.clone().unwrap_or_default();
                    proof.unchecked.push((name, redactor.message(&error.to_string()).into_owned()));
                    continue;
                }
            };
            let report = open.compare_answers(&nodes, &options, redactor);
            proof.environments += 1;
            for failing in &report.failing {
                let reason = redactor.message(failing.reasons.base.as_deref().unwrap_or_default()).into_owned();
                proof.failing.entry(reason).or_default().extend(&failing.nodes);
            }
            proof.failing_keys.extend(report.failing_keys.iter().map(|key| redactor.name(key).into_owned()));
            proof.failing_keys.extend(self.renamed_and_failing(&report));
            let name = own.environment.as_deref().filter(|_| self.environments.len() > 1);
            for surprise in self.unexpected(&report, name) {
                let is_same = |known: &&mut UnexpectedChange| {
                    known.key == surprise.key && known.nodes == surprise.nodes && known.what == surprise.what
                };
                match proof.unexpected.iter_mut().find(is_same) {
                    Some(known) => known.environments.extend(surprise.environments),
                    None => proof.unexpected.push(surprise),
                }
            }
        }
        Ok(proof)
    }

    /// The old name, if its lookups fail: those of the new one fail in the same way.
    fn renamed_and_failing(&self, report: &AnswerReport) -> Option<String> {
        let ExpectedEffect::Renamed { old, .. } = &self.expected else { return None };
        let mut changes = report.groups.iter().flat_map(|group| &group.changes);
        changes
            .any(|change| *change.key == **old && matches!(change.answers.base, Answer::Error(_)))
            .then(|| old.clone())
    }

    fn unexpected(&self, report: &AnswerReport, environment: Option<&str>) -> Vec<UnexpectedChange> {
        let environments = || environment.map(str::to_owned).into_iter().collect::<Vec<String>>();
        let broken = report.broken.iter().map(|broken| UnexpectedChange {
            environments: environments(),
            key: String::new(),
            nodes: broken.nodes.clone(),
            what: "the data or hierarchy of these nodes can no longer be read, or can be read again",
        });
        let mut unexpected: Vec<UnexpectedChange> = broken.collect();
        let changes =
            report.groups.iter().flat_map(|group| group.changes.iter().map(move |change| (&group.nodes, change)));
        let (renamed, others): (Vec<_>, Vec<_>) = match &self.expected {
            ExpectedEffect::Nothing => (Vec::new(), changes.collect()),
            ExpectedEffect::Renamed { old, new } => {
                changes.partition(|(_, change)| &*change.key == old.as_str() || &*change.key == new.as_str())
            }
        };
        if let ExpectedEffect::Renamed { old, new } = &self.expected {
            let of_environment = |surprise| UnexpectedChange { environments: environments(), ..surprise };
            unexpected.extend(of_rename(&renamed, old, new).into_iter().map(of_environment));
        }
        // A lookup that fails as before, except for the names of the key and the file in the message, has not changed.
        let names = match &self.expected {
            ExpectedEffect::Nothing => Diff::default(),
            ExpectedEffect::Renamed { old, new } => Diff { base: Some(old.as_str()), head: Some(new.as_str()) },
        };
        let files: Vec<String> = self.changes().map(|(path, _)| path.to_slashes()).collect();
        let reason = |answer: &Answer, name: Option<&str>| match answer {
            Answer::Error(message) => {
                let message = files.iter().fold(message.clone(), |message, file| message.replace(file, "(the file)"));
                Some(name.map_or(message.clone(), |name| without_word(&message, name)))
            }
            _ => None,
        };
        let fails_as_before = |change: &KeyDelta| {
            let reasons = change.answers.as_ref().zip(names).map(|(answer, name)| reason(answer, name));
            reasons.base.is_some() && reasons.is_same()
        };
        let others = others.into_iter().filter(|(_, change)| !fails_as_before(change));
        unexpected.extend(others.map(|(nodes, change)| UnexpectedChange {
            environments: environments(),
            key: change.key.to_string(),
            nodes: nodes.clone(),
            what: what(&change.answers),
        }));
        unexpected.sort_erased_by(|one, other| (&one.key, &one.nodes).cmp(&(&other.key, &other.nodes)));
        unexpected
    }
}

/// Describes the change of an answer.
fn what(answers: &Diff<Answer>) -> &'static str {
    match (&answers.base, &answers.head) {
        (Answer::Missing, _) => "the key has no value, and would have one",
        (_, Answer::Missing) => "the value would be missing",
        (_, Answer::Error(_)) => "the lookup would fail",
        (Answer::Error(_), _) => "the lookup fails, and would have a value",
        _ => "the value would change",
    }
}

/// The unintended changes of a rename. The new name must have the answers of the old name, and the old name must be
/// missing.
fn of_rename(changes: &[(&Vec<usize>, &KeyDelta)], old: &str, new: &str) -> Vec<UnexpectedChange> {
    let mut before: BTreeMap<usize, Answer> = BTreeMap::new();
    let mut after: BTreeMap<usize, Answer> = BTreeMap::new();
    let mut unexpected = Vec::new();
    for (nodes, change) in changes {
        let is_old = &*change.key == old;
        let (kept, gone) = if is_old {
            (&change.answers.base, &change.answers.head)
        } else {
            (&change.answers.head, &change.answers.base)
        };
        if *gone != Answer::Missing {
            unexpected.push(UnexpectedChange {
                key: change.key.to_string(),
                nodes: (*nodes).clone(),
                what: "the old name would still have a value",
                environments: Vec::new(),
            });
            continue;
        }
        let side = if is_old { &mut before } else { &mut after };
        let kept = without_name(kept, if is_old { old } else { new });
        side.extend(nodes.iter().map(|node| (*node, kept.clone())));
    }
    let all: BTreeSet<usize> = before.keys().chain(after.keys()).copied().collect();
    let wrong: Vec<usize> = all.into_iter().filter(|node| before.get(node) != after.get(node)).collect();
    if !wrong.is_empty() {
        unexpected.push(UnexpectedChange {
            key: new.to_owned(),
            nodes: wrong,
            what: "the value would not be the one of the old name",
            environments: Vec::new(),
        });
    }
    unexpected
}

/// Removes the name of the key from an answer. The message of an error contains it, for example if a value cannot be
/// decrypted.
fn without_name(answer: &Answer, name: &str) -> Answer {
    match answer {
        Answer::Error(message) => Answer::Error(without_word(message, name)),
        answer => answer.clone(),
    }
}

/// Removes the name of a key from a message where it is a whole word.
fn without_word(message: &str, name: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '-' | '.');
    let mut out = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_alone = !before.ends_with(is_part) && (!after.starts_with(is_part) || is_end(after));
        out.push_str(before);
        out.push_str(if is_alone { "(the key)" } else { name });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns whether a string begins with the punctuation at the end of a sentence or clause.
fn is_end(text: &str) -> bool {
    let mut rest = text.chars();
    matches!(rest.next(), Some('.' | ':')) && rest.next().is_none_or(char::is_whitespace)
}

/// The folder that two paths have in common.
fn above<'p>(one: &'p Path, other: &Path) -> &'p Path {
    one.ancestors().find(|folder| other.starts_with(folder)).unwrap_or(one)
}
