//! [`Changed`]: the names that stand for something else on two sides.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice;
use gix::hash::ObjectId;
use gix::index::entry::{Mode, Stage};
use gix::objs::tree::EntryKind;

use crate::error::Error;
use crate::repository::{Commit, Repository};
use crate::revision::{Name, find_folder, names_in, read_folder};

/// The names of files and links that stand for something else on two sides, and what cannot be compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The names, relative to the root.
    pub paths: BTreeSet<PathBuf>,
    /// What could not be compared, a sentence each.
    pub notes: Vec<String>,
}

/// How deep folders may lie in each other.
const DEEPEST: usize = 256;
/// The size of the largest file of the working tree that is compared by its content; a larger one counts as changed.
const LARGEST: u64 = 256 << 20;

impl Repository {
    /// What differs between two commits.
    ///
    /// # Errors
    /// A commit cannot be read.
    pub fn changed(&self, base: Commit, head: Commit) -> Result<Changed, Error> {
        let local = self.local();
        let (base, head) = (self.tree_id(&local, base)?, self.tree_id(&local, head)?);
        let mut changed = Changed::default();
        compare(&local, Some(base), Some(head), &mut PathBuf::new(), &mut changed)
            .map_err(|error| Error::unreadable("a tree of the repository", &error))?;
        Ok(changed)
    }

    /// What differs between a commit and the working tree: what is staged, what is not, and files that git does not know yet and
    /// `.gitignore` does not name.
    ///
    /// # Errors
    /// The commit or the index cannot be read.
    pub fn changed_in_worktree(&self, base: Commit) -> Result<Changed, Error> {
        let local = self.local();
        let mut changed = Changed::default();
        let mut committed = BTreeMap::new();
        let tree = self.tree_id(&local, base)?;
        flatten(&local, tree, &mut PathBuf::new(), &mut committed)
            .map_err(|error| Error::unreadable("a tree of the repository", &error))?;
        let index = local.index_or_empty().map_err(|error| Error::unreadable("the index", &error))?;
        let written = index.timestamp();
        let mut known = BTreeSet::new();
        let mut submodules: BTreeSet<PathBuf> =
            committed.iter().filter(|(_, name)| name.kind == EntryKind::Commit).map(|(path, _)| path.clone()).collect();
        for entry in index.entries() {
            let Ok(path) = entry.path(&index).to_path().map(Path::to_owned) else { continue };
            if entry.stage() != Stage::Unconflicted {
                if known.insert(path.clone()) {
                    changed.notes.push(format!("{} has a conflict that is not solved", path.display()));
                }
                changed.paths.insert(path);
                continue;
            }
            let in_base = committed.get(&path);
            known.insert(path.clone());
            if entry.mode == Mode::COMMIT {
                let now = self.commit_of_submodule(&path).unwrap_or(entry.id);
                if in_base.is_none_or(|name| name.id != now) {
                    changed.notes.push(moved(&path));
                }
                submodules.insert(path);
                continue;
            }
            let is_same_in_index = in_base.is_some_and(|name| name.id == entry.id);
            let whole = self.root().join(&path);
            let is_as_in_index = || {
                let about = fs::symlink_metadata(&whole).ok()?;
                let modified = filetime(&about)?;
                let is_same = u64::from(entry.stat.size) == about.len()
                    && (entry.stat.mtime.secs, entry.stat.mtime.nsecs) == modified
                    // What was written when the index was may have been written again since.
                    && modified.0 < u32::try_from(written.unix_seconds()).unwrap_or(u32::MAX);
                is_same.then_some(())
            };
            if is_same_in_index && is_as_in_index().is_some() {
                continue;
            }
            if content(&whole, &local) != in_base.map(|name| name.id) {
                changed.paths.insert(path);
            }
        }
        // What was taken out of the index is there no more, or there without git's knowledge.
        for (path, name) in &committed {
            if known.contains(path) {
                continue;
            }
            match name.kind {
                EntryKind::Commit => changed.notes.push(moved(path)),
                _ if content(&self.root().join(path), &local) != Some(name.id) => {
                    _ = changed.paths.insert(path.clone())
                }
                _ => {}
            }
        }
        for path in self.untracked(&known, submodules) {
            if !committed.contains_key(&path) {
                changed.paths.insert(path);
            }
        }
        Ok(changed)
    }

    /// The commit of which the files of a submodule are; none if it is not there, or if its repository is neither in it nor in this one.
    fn commit_of_submodule(&self, path: &Path) -> Option<ObjectId> {
        let whole = self.root().join(path);
        whole.join(".git").exists().then_some(())?;
        let submodule = Repository::open(&whole).ok()?;
        let real = |folder: &Path| folder.canonicalize().ok();
        let (own, local) = (real(submodule.local().git_dir())?, self.local());
        let is_near = [real(local.git_dir())?, real(&whole)?].iter().any(|folder| own.starts_with(folder));
        is_near.then(|| submodule.commit("HEAD").ok().map(|commit| commit.0)).flatten()
    }

    /// The files of the working tree that are not in the index and that `.gitignore` does not name. What is in submodules is another
    /// repository's.
    fn untracked(&self, known: &BTreeSet<PathBuf>, submodules: BTreeSet<PathBuf>) -> Vec<PathBuf> {
        let root = self.root().to_owned();
        let is_own = {
            let root = root.clone();
            move |path: &Path| path.strip_prefix(&root).is_ok_and(|path| !submodules.contains(path))
        };
        let walk = ignore::WalkBuilder::new(&root)
            .hidden(false)
            .parents(false)
            .git_global(false)
            .ignore(false)
            .follow_links(false)
            .max_depth(Some(DEEPEST))
            .filter_entry(move |entry| entry.file_name() != ".git" && is_own(entry.path()))
            .build();
        walk.flatten()
            .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file() || kind.is_symlink()))
            .filter_map(|entry| Some(entry.path().strip_prefix(&root).ok()?.to_owned()))
            .filter(|path| !known.contains(path))
            .collect()
    }
}

fn moved(path: &Path) -> String {
    format!("the submodule {} is at another commit: what is in it is not compared", path.display())
}

/// The seconds and nanoseconds at which a file was changed, as the index has them.
fn filetime(about: &fs::Metadata) -> Option<(u32, u32)> {
    let since = about.modified().ok()?.duration_since(std::time::SystemTime::UNIX_EPOCH).ok()?;
    Some((u32::try_from(since.as_secs()).ok()?, since.subsec_nanos()))
}

/// The name that git would give to what is at a path; none if it is no file and no link.
fn content(path: &Path, local: &gix::Repository) -> Option<ObjectId> {
    let about = fs::symlink_metadata(path).ok()?;
    let bytes = match about.file_type() {
        kind if kind.is_symlink() => fs::read_link(path).ok()?.to_str()?.as_bytes().to_vec(),
        kind if kind.is_file() && about.len() <= LARGEST => fs::read(path).ok()?,
        _ => return None,
    };
    gix::objs::compute_hash(local.object_hash(), gix::objs::Kind::Blob, &bytes).ok()
}

/// Adds the files and links of a folder, each under its name.
fn flatten(
    local: &gix::Repository,
    folder: ObjectId,
    path: &mut PathBuf,
    into: &mut BTreeMap<PathBuf, Name>,
) -> std::io::Result<()> {
    if path.components().count() > DEEPEST {
        return Err(std::io::Error::other(format!("folders lie more than {DEEPEST} deep in each other")));
    }
    for name in read_folder(local, folder)? {
        path.push(&name.name);
        match name.kind {
            EntryKind::Tree => flatten(local, name.id, path, into)?,
            _ => _ = into.insert(path.clone(), name.clone()),
        }
        path.pop();
    }
    Ok(())
}

/// Adds the names that differ in two folders; what is equal is not read.
pub(crate) fn compare(
    local: &gix::Repository,
    base: Option<ObjectId>,
    head: Option<ObjectId>,
    path: &mut PathBuf,
    changed: &mut Changed,
) -> std::io::Result<()> {
    if base == head {
        return Ok(());
    }
    if path.components().count() > DEEPEST {
        return Err(std::io::Error::other(format!("folders lie more than {DEEPEST} deep in each other")));
    }
    let find = |folder: Option<ObjectId>| folder.map(|folder| find_folder(local, folder)).transpose();
    let (base, head) = (find(base)?, find(head)?);
    let (base, head) = (sorted_names(base.as_ref())?, sorted_names(head.as_ref())?);
    let (mut base, mut head) = (base.iter().peekable(), head.iter().peekable());
    // Both are sorted: the smaller name is not in the other one.
    while let Some(name) = base.peek().map(|one| one.0).into_iter().chain(head.peek().map(|one| one.0)).min() {
        let sides = [base.next_if(|one| one.0 == name), head.next_if(|one| one.0 == name)];
        if sides[0] == sides[1] {
            continue;
        }
        path.push(name);
        let is = |side: usize, wanted: fn(EntryKind) -> bool| sides[side].is_some_and(|one| wanted(one.1));
        let folder = |side: usize| sides[side].filter(|one| one.1 == EntryKind::Tree).map(|one| one.2);
        let is_commit = |kind: EntryKind| kind == EntryKind::Commit;
        let is_file = |kind: EntryKind| !matches!(kind, EntryKind::Tree | EntryKind::Commit);
        if is(0, is_commit) || is(1, is_commit) {
            changed.notes.push(moved(path));
        }
        let is_link = |kind: EntryKind| kind == EntryKind::Link;
        let is_same_file = match sides {
            [Some(base), Some(head)] => base.2 == head.2 && is_link(base.1) == is_link(head.1),
            _ => false,
        };
        if (is(0, is_file) || is(1, is_file)) && !is_same_file {
            changed.paths.insert(path.clone());
        }
        compare(local, folder(0), folder(1), path, changed)?;
        path.pop();
    }
    Ok(())
}

/// The names in a folder by name. Git sorts them a little differently, and whoever made the folder perhaps not at all.
fn sorted_names<'t>(folder: Option<&'t gix::Tree<'_>>) -> std::io::Result<Vec<(&'t str, EntryKind, ObjectId)>> {
    let mut names = folder.map_or(Ok(Vec::new()), names_in)?;
    names.sort_by_key(|one| one.0);
    // The last of equal names counts.
    names.dedup_by(|later, kept| {
        let is_same = later.0 == kept.0;
        if is_same {
            *kept = *later;
        }
        is_same
    });
    Ok(names)
}
