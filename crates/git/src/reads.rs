//! [`Reads`] records the paths that were read from a revision, and compares them with a commit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use crate::changed::{MAX_DEPTH, escape_path, too_deep};
use crate::error::Error;
use crate::folder::EntryKind;
use crate::history::Step;
use crate::id::Id;
use crate::objects::ObjectKind;
use crate::repository::Repository;
use crate::tree_difference::{Side, TreeBytes, TreeDifference, readable_name};

/// The paths that were read from a [`Revision`](crate::Revision), including those that do not exist.
///
/// An answer depends on nothing else in the revision. If a commit changes none of these paths, the answers before and
/// after it are equal, which takes a comparison of only a few folder ids.
#[derive(Debug, Default)]
pub struct Reads(Mutex<ReadNode>);

/// The parts of one name that were read.
#[derive(Debug, Default)]
struct ReadNode {
    /// The kind of the entry, and the content of a file, were read.
    is_entry_read: bool,
    /// The names in the folder were read.
    is_listed: bool,
    /// The names in the folder that were read, in the order of their bytes.
    children: BTreeMap<String, ReadNode>,
}

impl Reads {
    /// Records that the entry of a name was read, or that it is missing.
    pub(crate) fn record_entry(&self, path: &Path) {
        self.record(path, |node| node.is_entry_read = true);
    }

    /// Records that a file was read that a commit has and its successor has not.
    pub fn record_file(&self, file: &Path) {
        self.record_entry(file);
    }

    /// Records that the names in a folder were read.
    pub(crate) fn record_list(&self, path: &Path) {
        self.record(path, |node| (node.is_entry_read, node.is_listed) = (true, true));
    }

    fn record(&self, path: &Path, mark: impl FnOnce(&mut ReadNode)) {
        let mut root = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut node = &mut *root;
        for name in path {
            // A revision has no names that are not Unicode: whatever a commit does, the answer is that it is missing.
            let Some(name) = name.to_str() else { return };
            // Most names are there already.
            if !node.children.contains_key(name) {
                node.children.insert(name.to_owned(), ReadNode::default());
            }
            let Some(child) = node.children.get_mut(name) else { return };
            node = child;
        }
        mark(node);
    }
}

/// The changes of a commit to the recorded paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadsChange {
    /// No recorded path changes.
    Nothing,
    /// Only these files change: their content, or whether they exist.
    Contents(ChangedContents),
    /// Other changes: folders that were read, links, or too many files.
    More,
}

/// The recorded files that a commit changes, and the names that it changes in recorded folders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedContents {
    /// The files.
    pub files: Vec<ChangedContent>,
    /// The folders that come or go where names were read. Nothing in them was read.
    pub folders: Vec<PathBuf>,
}

impl ChangedContents {
    fn len(&self) -> usize {
        self.files.len() + self.folders.len()
    }
}

/// A file that a commit changes, adds or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedContent {
    /// The path of the file, relative to the root.
    pub path: PathBuf,
    /// The content before the commit, if the file existed.
    pub base: Option<ContentId>,
    /// The content after the commit, if the file exists.
    pub head: Option<ContentId>,
    /// Whether the file, or that it is missing, was read.
    pub is_read: bool,
    /// Whether the names in its folder were read, and the commit changes them.
    pub is_listed: bool,
}

/// The id of the content of a file. Files with equal ids have equal content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ContentId(Id);

/// The most files and folders of one commit that are named.
const MOST_CONTENTS: usize = 64;

impl Repository {
    /// Returns the changes of a commit to the recorded paths. Only the folders that contain them are compared.
    ///
    /// # Errors
    /// A folder cannot be read, or the budget is exhausted.
    pub fn change_of_reads(&self, step: &Step, reads: &Reads) -> Result<ReadsChange, Error> {
        let node = reads.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(base) = step.base else { return Ok(ReadsChange::More) };
        let root = |id: Id| Some((EntryKind::Tree, id));
        let within = |error: Error| error.within(format_args!("commit {}", step.commit.short()));
        let sides = [root(base), root(step.head)];
        let mut contents = ChangedContents::default();
        let differs = self.as_one_commit(|| self.differs(&node, sides, &mut PathBuf::new(), 0, &mut contents));
        Ok(match (differs.map_err(within)?, contents.len() == 0) {
            (true, _) => ReadsChange::More,
            (false, true) => ReadsChange::Nothing,
            (false, false) => ReadsChange::Contents(contents),
        })
    }

    /// Reads the content of a file, up to the size limit.
    ///
    /// # Errors
    /// The content cannot be read.
    pub fn read_content(&self, content: ContentId) -> Result<Arc<[u8]>, Error> {
        let largest = self.budget().limits().file;
        self.as_one_commit(|| self.read(content.0, ObjectKind::Blob, largest))
    }

    /// Returns whether sides differ in more than the contents of files, which are added to `contents`.
    fn differs(
        &self,
        node: &ReadNode,
        sides: [Side; 2],
        path: &mut PathBuf,
        depth: usize,
        contents: &mut ChangedContents,
    ) -> Result<bool, Error> {
        let [base, head] = sides;
        if base == head {
            return Ok(false);
        }
        let is_tree = |side: Side| matches!(side, Some((EntryKind::Tree, _)));
        let (base_is_tree, head_is_tree) = (is_tree(base), is_tree(head));
        if node.is_entry_read && !(base_is_tree && head_is_tree) {
            return Ok(true);
        }
        if !node.is_listed && node.children.is_empty() || !(base_is_tree || head_is_tree) {
            return Ok(false);
        }
        if depth > MAX_DEPTH {
            return Err(too_deep(path));
        }
        let tree = |side: Side| side.filter(|(kind, _)| *kind == EntryKind::Tree).map(|(_, id)| id);
        let ids = [tree(base), tree(head)];
        let with_path = |error: Error| error.within(format_args!("the folder {}", escape_path(path)));
        let [base, head] =
            [TreeBytes::read(self, ids[0]).map_err(with_path)?, TreeBytes::read(self, ids[1]).map_err(with_path)?];
        let Some(difference) = TreeDifference::new(&base.bytes, &head.bytes) else {
            ids.into_iter().flatten().try_for_each(|id| self.folder(id).map(drop)).map_err(with_path)?;
            return Ok(true);
        };
        self.budget().steps(difference.passed)?;
        for (name, sides) in &difference.entries {
            self.budget().step()?;
            let name = readable_name(name);
            let child = name.and_then(|name| node.children.get(name));
            let has_same_kinds = matches!(sides, [Some((base, _)), Some((head, _))] if base == head);
            let is_listed = node.is_listed && !has_same_kinds;
            let is_read = child.is_some_and(|child| child.is_entry_read);
            if !is_listed && child.is_none() {
                continue;
            }
            // Names that are not Unicode are counted where a folder is listed.
            let Some(name) = name else { return Ok(true) };
            path.push(name);
            let has_inner = child.is_some_and(|child| child.is_listed || !child.children.is_empty());
            let files = contents_of(*sides).filter(|_| is_listed || is_read);
            let differs = match (files, child) {
                // Reads below a file are absent, and so are those below a missing one, with another error.
                (Some([base, head]), _) if !has_inner || has_same_kinds => {
                    contents.files.push(ChangedContent { path: path.clone(), base, head, is_read, is_listed });
                    contents.len() > MOST_CONTENTS
                }
                (None, None) if is_folder_alone(*sides) => {
                    contents.folders.push(path.clone());
                    contents.len() > MOST_CONTENTS
                }
                (_, Some(child)) if !is_listed => self.differs(child, *sides, path, depth + 1, contents)?,
                _ => true,
            };
            path.pop();
            if differs {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns whether an entry is a folder that exists on one side alone.
fn is_folder_alone(sides: [Side; 2]) -> bool {
    matches!(sides, [None, Some((EntryKind::Tree, _))] | [Some((EntryKind::Tree, _)), None])
}

/// The contents of an entry that is a file on each side on which it exists.
fn contents_of(sides: [Side; 2]) -> Option<[Option<ContentId>; 2]> {
    let content = |side: Side| match side {
        None => Some(None),
        Some((EntryKind::Blob, id)) => Some(Some(ContentId(id))),
        Some(_) => None,
    };
    let [base, head] = sides;
    Some([content(base)?, content(head)?])
}
