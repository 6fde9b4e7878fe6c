//! [`Changed`]: the paths with different content on two sides.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hieratic_budget::Budget;

use crate::error::Error;
use crate::folder::{EntryKind, Folder, FolderEntry};
use crate::id::Id;
use crate::repository::{Commit, Repository};

/// The files and links that differ between two sides, and the parts that cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The paths, relative to the root.
    pub paths: BTreeSet<PathBuf>,
    /// The parts that could not be compared, one sentence each.
    pub notes: Vec<String>,
}

/// The limit of the nesting depth of folders.
pub(crate) const MAX_DEPTH: usize = 256;
/// The overhead of a recorded path in bytes.
const PATH_OVERHEAD: usize = 64;
/// The cost of a recorded path in steps, in addition to its bytes. A comparison records each path in several tables and
/// visits it again, and a few folders that are all the same one can have any number of paths.
const STEPS_PER_PATH: u64 = 96;

impl Repository {
    /// Returns the changes between two commits.
    ///
    /// # Errors
    /// A commit or a folder cannot be read, or the budget is exhausted.
    pub fn changed(&self, base: Commit, head: Commit) -> Result<Changed, Error> {
        let (base, head) = (self.commit_object(base.0)?.tree, self.commit_object(head.0)?.tree);
        let mut changed = Changed::default();
        compare(self, [Some(base), Some(head)], &mut PathBuf::new(), 0, &mut changed)?;
        Ok(changed)
    }
}

impl Changed {
    /// Records a name.
    pub(crate) fn add(&mut self, path: &Path, budget: &Budget) -> Result<(), Error> {
        let length = path.as_os_str().len();
        budget.bytes(length + PATH_OVERHEAD)?;
        // Paths are compared part by part with those that are there.
        budget.steps(STEPS_PER_PATH + length as u64 / 4)?;
        self.paths.insert(path.to_owned());
        Ok(())
    }

    /// Records a sentence.
    pub(crate) fn note(&mut self, note: String, budget: &Budget) -> Result<(), Error> {
        budget.bytes(note.len() + PATH_OVERHEAD)?;
        self.notes.push(note);
        Ok(())
    }
}

/// The note about a submodule that is at another commit.
pub(crate) fn submodule_note(path: &Path) -> String {
    format!("the submodule {} is at another commit: its content was not compared", path.display())
}

/// The note about a name that cannot be read.
pub(crate) fn unreadable_name_note(folder: &Path, name: &str) -> String {
    format!("{} is not Unicode: it is neither read nor compared", folder.join(name).display())
}

/// A folder while it is compared. Its memory is given back when it goes.
pub(crate) struct FolderReader<'b> {
    pub(crate) folder: Arc<Folder>,
    budget: &'b Budget,
    bytes: usize,
}

impl<'b> FolderReader<'b> {
    /// Reads a folder. Without an id, the folder is empty.
    pub(crate) fn read(repository: &'b Repository, id: Option<Id>, path: &Path) -> Result<FolderReader<'b>, Error> {
        let budget = repository.budget();
        let Some(id) = id else { return Ok(FolderReader { folder: Arc::default(), budget, bytes: 0 }) };
        let to_error = |error: Error| error.within(format_args!("the folder {}", escape_path(path)));
        let folder = repository.folder(id).map_err(to_error)?;
        // The names are the largest part of a folder in memory.
        let bytes = folder.memory;
        budget.bytes(bytes)?;
        Ok(FolderReader { folder, budget, bytes })
    }
}

impl Drop for FolderReader<'_> {
    fn drop(&mut self) {
        self.budget.give_back(0, self.bytes);
    }
}

/// A path as a person may see it.
pub(crate) fn escape_path(path: &Path) -> String {
    if path.as_os_str().is_empty() { "at the root".to_owned() } else { path.display().to_string() }
}

/// Adds the names that differ in two folders. Equal folders are not read.
fn compare(
    repository: &Repository,
    sides: [Option<Id>; 2],
    path: &mut PathBuf,
    depth: usize,
    changed: &mut Changed,
) -> Result<(), Error> {
    let [base, head] = sides;
    if base == head {
        return Ok(());
    }
    if depth > MAX_DEPTH {
        return Err(too_deep(path));
    }
    let budget = repository.budget();
    let (base, head) = (FolderReader::read(repository, base, path)?, FolderReader::read(repository, head, path)?);
    for name in &base.folder.foreign {
        changed.note(unreadable_name_note(path, name), budget)?;
    }
    for name in head.folder.foreign.iter().filter(|name| !base.folder.foreign.contains(name)) {
        changed.note(unreadable_name_note(path, name), budget)?;
    }
    let folders = [&base.folder, &head.folder];
    let mut at = [0, 0];
    // Both are sorted: the smaller name is not in the other one.
    loop {
        let next = [0, 1].map(|side: usize| folders[side].at(at[side]));
        let Some(name) = next.into_iter().flatten().map(|one| one.name).min() else { break };
        budget.step()?;
        let sides = next.map(|one| one.filter(|one| one.name == name));
        at = [0, 1].map(|side: usize| at[side] + usize::from(sides[side].is_some()));
        if sides[0] == sides[1] {
            continue;
        }
        path.push(name);
        let folder = |side: Option<FolderEntry<'_>>| side.filter(|one| one.kind == EntryKind::Tree).map(|one| one.id);
        if sides.iter().flatten().any(|one| one.kind == EntryKind::Commit) {
            changed.note(submodule_note(path), budget)?;
        }
        let is_same_file = match sides {
            [Some(base), Some(head)] => base.id == head.id && base.kind == head.kind,
            _ => false,
        };
        if sides.iter().flatten().any(|one| one.kind.is_file()) && !is_same_file {
            changed.add(path, budget)?;
        }
        compare(repository, sides.map(folder), path, depth + 1, changed)?;
        path.pop();
    }
    Ok(())
}

pub(crate) fn too_deep(path: &Path) -> Error {
    let message = format!("the folder {} is nested more than {MAX_DEPTH} levels deep", path.display());
    Error::new(message, "folders that are nested deeper are not compared")
}
