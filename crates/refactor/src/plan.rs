//! [`Plan`]: the files that a change replaces, and what is expected of it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use hieratic::Settings;
use hieratic::powers::Files;
use hieratic_audit::{Contents, contents, contents_about};

use crate::edits;
use crate::environments::{contents_across, environments, shared_root};

/// Why something cannot be planned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), help: help.into() }
    }
}

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Its text; none if it is not there.
    pub before: Option<String>,
    /// What it is to be.
    pub after: String,
}

impl FileChange {
    /// The parts of the old text that become others, from the first to the last, each with what it becomes.
    pub fn edits(&self) -> Vec<(Range<usize>, &str)> {
        edits::between(self.before.as_deref().unwrap_or_default(), &self.after)
    }
}

/// Which answers a plan is to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Expected {
    /// None.
    #[default]
    Nothing,
    /// The answers to a key become those to another one.
    Renamed { old: String, new: String },
}

/// A change of some files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is to be known before it is done: what could not be changed.
    pub warnings: Vec<String>,
    /// What is left to do afterwards.
    pub notes: Vec<String>,
    pub(crate) expected: Expected,
    pub(crate) contents: Contents,
    changes: BTreeMap<PathBuf, FileChange>,
    /// Files that are empty then, and that nothing reads.
    removed: BTreeSet<PathBuf>,
    files: Files,
    /// All environments of the repository, the one that is meant first.
    pub(crate) environments: Vec<Settings>,
    /// The folder below which files are changed: that of the environment, or of a repository of several.
    base: PathBuf,
}

impl Plan {
    /// A plan that does nothing yet, for a change that can be about all data.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub(crate) fn new(settings: &Settings) -> Result<Plan, Refusal> {
        let own = own(settings);
        Plan::of(settings, contents(&own).map_err(not_read)?)
    }

    /// The same for a change that is about these keys: files that cannot have them are not parsed.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub(crate) fn about(settings: &Settings, keys: &[&str]) -> Result<Plan, Refusal> {
        let own = own(settings);
        Plan::of(settings, contents_about(&own, keys).map_err(not_read)?)
    }

    /// The same for all environments of the repository, or for those that share the keys with the one that is named.
    ///
    /// # Errors
    /// An environment cannot be read.
    pub(crate) fn across(settings: &Settings, keys: &[&str]) -> Result<Plan, Refusal> {
        let (contents, sharing) = contents_across(settings, keys)?;
        let mut plan = Plan::of(settings, contents)?;
        let note = |name: String| format!("the environment {name} reads the same files, and changes as well");
        plan.notes.extend(sharing.into_iter().map(note));
        Ok(plan)
    }

    fn of(settings: &Settings, contents: Contents) -> Result<Plan, Refusal> {
        // Only what is in the repository is changed, wherever data may be read from.
        let environments = environments(settings);
        let base = shared_root(&environments, &contents.root);
        let files = settings.mounted(Files::below([&base]));
        Ok(Plan {
            warnings: Vec::new(),
            notes: Vec::new(),
            expected: Expected::Nothing,
            contents,
            changes: BTreeMap::new(),
            removed: BTreeSet::new(),
            files,
            environments,
            base,
        })
    }

    /// The files that change, by path.
    pub fn changes(&self) -> impl Iterator<Item = (&Path, &FileChange)> {
        let changes = self.changes.iter().filter(|(_, change)| change.before.as_ref() != Some(&change.after));
        changes.map(|(path, change)| (path.as_path(), change))
    }

    /// The files among them that go: they become empty, and no level reads them any more.
    pub fn removed(&self) -> impl Iterator<Item = &Path> {
        self.removed.iter().map(PathBuf::as_path)
    }

    /// Whether a file goes.
    pub fn removes(&self, path: &Path) -> bool {
        self.removed.contains(path)
    }

    /// Lets a file go that has nothing in it any more; whether it has not.
    pub(crate) fn remove(&mut self, path: &Path) -> Result<bool, Refusal> {
        let text = self.text(path)?.unwrap_or_default();
        let is_blank = text.lines().all(|line| matches!(line.trim(), "" | "---" | "..."));
        if is_blank {
            self.set(path, String::new())?;
            self.removed.insert(path.to_owned());
        }
        Ok(is_blank)
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.changes().next().is_none()
    }

    /// The folder of the environment.
    pub fn root(&self) -> &Path {
        &self.contents.root
    }

    /// The text of a file, as it is planned up to now; none if it is not there.
    pub(crate) fn text(&self, path: &Path) -> Result<Option<String>, Refusal> {
        if let Some(change) = self.changes.get(path) {
            return Ok(Some(change.after.clone()));
        }
        if !self.files.holds(path) {
            let message = format!("{} is outside of the repository", self.shown(path));
            return Err(Refusal::new(message, "only files of the repository are changed"));
        }
        match self.files.read_text(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                Err(Refusal::new(format!("{} cannot be read: {error}", self.shown(path)), "fix the file first"))
            }
        }
    }

    /// Plans another text for a file.
    pub(crate) fn set(&mut self, path: &Path, text: String) -> Result<(), Refusal> {
        if let Some(change) = self.changes.get_mut(path) {
            change.after = text;
            return Ok(());
        }
        let before = self.text(path)?;
        self.changes.insert(path.to_owned(), FileChange { before, after: text });
        Ok(())
    }

    /// A file as seen from the folder of the environment, or of a repository of several.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).display().to_string()
    }
}

/// The settings of the environment that is meant.
fn own(settings: &Settings) -> Settings {
    environments(settings).into_iter().next().unwrap_or_else(|| settings.clone())
}

fn not_read(message: String) -> Refusal {
    Refusal::new(message, "run it in a control repository")
}
