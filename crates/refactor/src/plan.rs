//! [`Plan`]: the new content of files, and the expected effect.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use hieratic::Settings;
use hieratic::sandbox::Files;
use hieratic_lint::{Contents, contents, contents_about};

use crate::edits;
use crate::environments::{contents_across, environments, shared_root};
use hieratic::sandbox::SlashPath as _;

/// The reason why a refactoring is not possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// The reason.
    pub message: String,
    /// The help: what to try.
    pub help: String,
}

impl PlanError {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> PlanError {
        PlanError { message: message.into(), help: help.into() }
    }
}

/// The change of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The old content. `None` if the file does not exist.
    pub before: Option<String>,
    /// The new content.
    pub after: String,
}

impl FileChange {
    /// Returns the changed ranges of the old content, in order, each with its replacement.
    pub fn edits(&self) -> Vec<(Range<usize>, &str)> {
        edits::between(self.before.as_deref().unwrap_or_default(), &self.after)
    }
}

/// The answers that a plan intends to change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ExpectedEffect {
    /// None.
    #[default]
    Nothing,
    /// The answers to a key become those to another one.
    Renamed { old: String, new: String },
}

/// A change of some files.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Warnings to read before the plan is applied: uses that could not be changed.
    pub warnings: Vec<String>,
    /// Remaining tasks after the change.
    pub notes: Vec<String>,
    pub(crate) expected: ExpectedEffect,
    pub(crate) contents: Contents,
    changes: BTreeMap<PathBuf, FileChange>,
    /// Files that are empty then, and that nothing reads.
    removed: BTreeSet<PathBuf>,
    files: Files,
    /// All environments of the repository, the target first.
    pub(crate) environments: Vec<Settings>,
    /// The folder below which files are changed: that of the environment, or of a repository of several.
    base: PathBuf,
}

impl Plan {
    /// A plan that does nothing yet, for a change that can be about all data.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub(crate) fn new(settings: &Settings) -> Result<Plan, PlanError> {
        let environments = environments(settings);
        let contents = contents(own(&environments, settings)).map_err(not_read)?;
        Ok(Plan::from_contents(settings, contents, environments))
    }

    /// Creates an empty plan for a change of these keys: files that cannot have them are not parsed.
    ///
    /// # Errors
    /// The repository cannot be read.
    pub(crate) fn about(settings: &Settings, keys: &[&str]) -> Result<Plan, PlanError> {
        let environments = environments(settings);
        let contents = contents_about(own(&environments, settings), keys).map_err(not_read)?;
        Ok(Plan::from_contents(settings, contents, environments))
    }

    /// Creates an empty plan for all environments of the repository or, if one is named, for those that share the keys
    /// with it.
    ///
    /// # Errors
    /// An environment cannot be read.
    pub(crate) fn across(settings: &Settings, keys: &[&str]) -> Result<Plan, PlanError> {
        let environments = environments(settings);
        let (contents, sharing) = contents_across(settings, &environments, keys)?;
        let mut plan = Plan::from_contents(settings, contents, environments);
        let note = |name: String| format!("the environment {name} reads the same files, and changes as well");
        plan.notes.extend(sharing.into_iter().map(note));
        Ok(plan)
    }

    fn from_contents(settings: &Settings, contents: Contents, environments: Vec<Settings>) -> Plan {
        // Only files of the repository are changed, even if data outside of it may be read.
        let base = shared_root(&environments, &contents.root);
        let files = settings.mounted(Files::below([&base]));
        Plan {
            warnings: Vec::new(),
            notes: Vec::new(),
            expected: ExpectedEffect::Nothing,
            contents,
            changes: BTreeMap::new(),
            removed: BTreeSet::new(),
            files,
            environments,
            base,
        }
    }

    /// Returns all environments of the repository, the target first.
    pub fn environments(&self) -> &[Settings] {
        &self.environments
    }

    /// Returns the changed files, by path.
    pub fn changes(&self) -> impl Iterator<Item = (&Path, &FileChange)> {
        let changes = self.changes.iter().filter(|(_, change)| change.before.as_ref() != Some(&change.after));
        changes.map(|(path, change)| (path.as_path(), change))
    }

    /// Returns the files that are removed, because they become empty and no level reads them.
    pub fn removed(&self) -> impl Iterator<Item = &Path> {
        self.removed.iter().map(PathBuf::as_path)
    }

    /// Returns whether the plan removes a file.
    pub fn removes(&self, path: &Path) -> bool {
        self.removed.contains(path)
    }

    /// Lets a file go that has nothing in it any more; whether it has not.
    pub(crate) fn remove(&mut self, path: &Path) -> Result<bool, PlanError> {
        let text = self.text(path)?.unwrap_or_default();
        let is_blank = text.lines().all(|line| matches!(line.trim(), "" | "---" | "..."));
        if is_blank {
            self.set(path, String::new())?;
            self.removed.insert(path.to_owned());
        }
        Ok(is_blank)
    }

    /// Returns whether the plan has no changes.
    pub fn is_empty(&self) -> bool {
        self.changes().next().is_none()
    }

    /// Returns the folder of the environment.
    pub fn root(&self) -> &Path {
        &self.contents.root
    }

    /// Returns whether a file is in the repository.
    pub(crate) fn holds(&self, path: &Path) -> bool {
        self.files.holds(path)
    }

    /// The planned text of a file; `None` if the file does not exist.
    pub(crate) fn text(&self, path: &Path) -> Result<Option<String>, PlanError> {
        if let Some(change) = self.changes.get(path) {
            return Ok(Some(change.after.clone()));
        }
        if !self.files.holds(path) {
            let message = format!("{} is outside of the repository", self.shown(path));
            return Err(PlanError::new(message, "only files of the repository are changed"));
        }
        match self.files.read_text(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                Err(PlanError::new(format!("{} cannot be read: {error}", self.shown(path)), "fix the file first"))
            }
        }
    }

    /// Plans another text for a file.
    pub(crate) fn set(&mut self, path: &Path, text: String) -> Result<(), PlanError> {
        if let Some(change) = self.changes.get_mut(path) {
            change.after = text;
            return Ok(());
        }
        let before = self.text(path)?;
        self.changes.insert(path.to_owned(), FileChange { before, after: text });
        Ok(())
    }

    /// Returns the path of a file relative to the folder of the environment, or of a repository with several.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.base).unwrap_or(path).to_slashes()
    }
}

/// The settings of the target environment.
fn own<'s>(environments: &'s [Settings], settings: &'s Settings) -> &'s Settings {
    environments.first().unwrap_or(settings)
}

fn not_read(message: String) -> PlanError {
    PlanError::new(message, "run it in a control repository")
}
