//! The changes between a commit and the working tree.
//!
//! The files are those of `git status`: links are not followed, and nothing outside of the root and no device is
//! opened.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

use hieratic_sandbox::{Disk, Stat, Tree, TreeEntry, is_absence};
use sha1::Digest;

use crate::changed::{Changed, FolderReader, MAX_DEPTH, submodule_note, too_deep, unreadable_name_note};
use crate::error::Error;
use crate::folder::EntryKind;
use crate::id::Id;
use crate::index::{Index, IndexEntry};
use crate::objects::{BYTES_PER_STEP, ObjectKind, hash};
use crate::repository::{Commit, Repository};
use crate::repository_paths::file_error;
use crate::untracked::untracked;

/// The size of the largest index; a million files have 100 MB.
const LARGEST_INDEX: u64 = 256 << 20;
/// The number of bytes of a file that are read at once.
const CHUNK: usize = 64 << 10;
/// The overhead of a file in bytes, in addition to its path.
const FILE_OVERHEAD: usize = 128;
/// The cost of a recorded file in steps. A few folders can have any number of paths; the limit must be reached long
/// before memory is full.
const STEPS_PER_FILE: u64 = 24;
/// The number of bytes of a path that cost one more step.
const PATH_BYTES_PER_STEP: u64 = 4;

/// The files of a commit, by full paths.
type CommittedFiles = BTreeMap<String, File>;

/// A file, a link or a submodule of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct File {
    kind: EntryKind,
    id: Id,
}

impl Repository {
    /// Returns the changes between a commit and the working tree: staged, unstaged and untracked files, without those
    /// in `.gitignore`.
    ///
    /// # Errors
    /// The commit, the index or a file cannot be read, or the budget is exhausted.
    pub fn changed_in_worktree(&self, base: Commit) -> Result<Changed, Error> {
        let before = self.budget().used_bytes();
        let changed = self.compare_with_worktree(base);
        // Only the differences stay in memory.
        let count = self.budget().used_bytes().saturating_sub(before);
        self.budget().give_back(0, usize::try_from(count).unwrap_or(usize::MAX));
        changed
    }

    fn compare_with_worktree(&self, base: Commit) -> Result<Changed, Error> {
        let mut changed = Changed::default();
        let mut committed = CommittedFiles::new();
        self.flatten(self.commit_object(base.0)?.tree, &mut String::new(), 0, &mut committed, &mut changed)?;
        let (index, written) = self.index()?;
        let disk = Disk::new(self.root()).at_one_moment();
        let mut known = BTreeSet::new();
        let is_submodule = |(_, file): &(&String, &File)| file.kind == EntryKind::Commit;
        let mut submodules: BTreeSet<String> =
            committed.iter().filter(is_submodule).map(|(path, _)| path.clone()).collect();
        for entry in &index.entries {
            self.budget().step()?;
            let Ok(path) = std::str::from_utf8(&entry.path) else {
                let note = unreadable_name_note(Path::new(""), &entry.path.escape_ascii().to_string());
                if !changed.notes.contains(&note) {
                    changed.note(note, self.budget())?;
                }
                continue;
            };
            let path = path.trim_end_matches('/').to_owned();
            self.budget().bytes(path.len() + FILE_OVERHEAD)?;
            self.budget().steps(STEPS_PER_FILE + path.len() as u64 / PATH_BYTES_PER_STEP)?;
            if entry.is_in_conflict {
                if known.insert(path.clone()) {
                    changed.note(format!("{path} has an unresolved merge conflict"), self.budget())?;
                }
                changed.add(Path::new(&path), self.budget())?;
                continue;
            }
            known.insert(path.clone());
            match entry.kind {
                // A folder that a sparse working tree does not have.
                EntryKind::Tree => {
                    let mut staged = CommittedFiles::new();
                    self.flatten(entry.id, &mut path.clone(), 0, &mut staged, &mut changed)?;
                    for (path, name) in &staged {
                        if committed.get(path).is_none_or(|base| (base.id, base.kind) != (name.id, name.kind)) {
                            changed.add(Path::new(path), self.budget())?;
                        }
                    }
                    known.extend(staged.into_keys());
                }
                EntryKind::Commit => {
                    let now = self.commit_of_submodule(&disk, Path::new(&path), entry.id, &mut changed)?;
                    if committed.get(&path).is_none_or(|name| name.id != now) {
                        changed.note(submodule_note(Path::new(&path)), self.budget())?;
                    }
                    submodules.insert(path);
                }
                EntryKind::Blob | EntryKind::Link => {
                    if !self.is_unchanged(&disk, Path::new(&path), entry, committed.get(&path), written)? {
                        changed.add(Path::new(&path), self.budget())?;
                    }
                }
            }
        }
        // Files that were removed from the index are deleted or untracked.
        for (path, name) in &committed {
            self.budget().step()?;
            if known.contains(path) {
                continue;
            }
            let path = Path::new(path);
            match name.kind {
                EntryKind::Commit => changed.note(submodule_note(path), self.budget())?,
                _ if self.content(&disk, path)? != Some(name.id) => changed.add(path, self.budget())?,
                _ => {}
            }
        }
        for path in untracked(self, &disk, &known, &submodules, &mut changed)? {
            if !committed.contains_key(&path) {
                changed.add(Path::new(&path), self.budget())?;
            }
        }
        Ok(changed)
    }

    /// The index, and the time at which it was written.
    fn index(&self) -> Result<(Index, u64), Error> {
        let path = self.place().own.join("index");
        let (bytes, about) = match self.place().files.with_largest(LARGEST_INDEX).read_with_stat(&path, false) {
            Ok(read) => read,
            // There is no index before the first file is staged.
            Err(error) if is_absence(&error) => return Ok((Index::default(), 0)),
            Err(error) => return Err(file_error(&path, &error)),
        };
        self.budget().bytes(bytes.len())?;
        let index = Index::parse(&bytes, self.budget()).map_err(|error| error.within(path.display()))?;
        Ok((index, since_1970(about.modified).map_or(0, |(seconds, _)| seconds)))
    }

    /// Returns whether a file equals that of a commit.
    fn is_unchanged(
        &self,
        disk: &Disk,
        path: &Path,
        entry: &IndexEntry,
        in_base: Option<&File>,
        written: u64,
    ) -> Result<bool, Error> {
        let is_same_in_index = in_base.is_some_and(|file| file.id == entry.id && file.kind == entry.kind);
        if entry.is_left_out && entry_of(disk, path)?.is_none() {
            return Ok(is_same_in_index);
        }
        if is_same_in_index && is_as_in_index(entry_of(disk, path)?.as_ref(), entry, written) {
            return Ok(true);
        }
        Ok(self.content(disk, path)? == in_base.map(|file| file.id))
    }

    /// The id that git would give to the content of a path. Returns `None` if it is neither a file nor a link.
    fn content(&self, disk: &Disk, path: &Path) -> Result<Option<Id>, Error> {
        let unreadable = |error: std::io::Error| Error::from_file(&self.root().join(path), &error);
        let hash = match entry_of(disk, path)? {
            Some(TreeEntry::Link(target)) => {
                let target = target.as_os_str().as_encoded_bytes();
                hash(ObjectKind::Blob, target.len() as u64).chain_update(target)
            }
            Some(TreeEntry::Stat(about)) if about.is_file() => {
                let mut hash = hash(ObjectKind::Blob, about.len);
                let mut file = disk.reader(path).map_err(unreadable)?.take(about.len.saturating_add(1));
                let mut chunk = vec![0; CHUNK];
                loop {
                    let read = match file.read(&mut chunk) {
                        Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                        read => read.map_err(unreadable)?,
                    };
                    if read == 0 {
                        break;
                    }
                    self.budget().steps(read as u64 / BYTES_PER_STEP + 1)?;
                    hash.update(chunk.get(..read).unwrap_or_default());
                }
                hash
            }
            Some(TreeEntry::Stat(_)) | None => return Ok(None),
        };
        Ok(Some(Id::new(hash.finalize().into())))
    }

    /// The checked-out commit of a submodule. If it is not checked out, the staged one. A `.git` that points to a path
    /// that is neither in the submodule nor in this repository is not followed.
    fn commit_of_submodule(&self, disk: &Disk, path: &Path, staged: Id, changed: &mut Changed) -> Result<Id, Error> {
        if entry_of(disk, &path.join(".git"))?.is_none() {
            return Ok(staged);
        }
        let submodule = Repository::open_within(&self.root().join(path), false, self.budget());
        match submodule.and_then(|submodule| submodule.commit("HEAD")) {
            Ok(commit) => Ok(commit.0),
            Err(error) if error.limit().is_some() => Err(error),
            Err(error) => {
                let note = format!("the submodule {} cannot be read, and is not compared: {error}", path.display());
                changed.note(note, self.budget())?;
                Ok(staged)
            }
        }
    }

    /// Adds the files, links and submodules of a folder, each under its name.
    fn flatten(
        &self,
        folder: Id,
        path: &mut String,
        depth: usize,
        into: &mut CommittedFiles,
        changed: &mut Changed,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            return Err(too_deep(Path::new(path)));
        }
        let reader = FolderReader::read(self, Some(folder), Path::new(path))?;
        for name in &reader.folder.foreign {
            changed.note(unreadable_name_note(Path::new(path), name), self.budget())?;
        }
        for name in reader.folder.iter() {
            let length = path.len();
            if length > 0 {
                path.push('/');
            }
            path.push_str(name.name);
            if name.kind == EntryKind::Tree {
                self.flatten(name.id, path, depth + 1, into, changed)?;
            } else {
                self.budget().bytes(path.len() + FILE_OVERHEAD)?;
                self.budget().steps(STEPS_PER_FILE + path.len() as u64 / PATH_BYTES_PER_STEP)?;
                into.insert(path.clone(), File { kind: name.kind, id: name.id });
            }
            path.truncate(length);
        }
        Ok(())
    }
}

/// The entry of a path of the working tree. Returns `None` if it does not exist.
fn entry_of(disk: &Disk, path: &Path) -> Result<Option<TreeEntry>, Error> {
    match disk.entry(path) {
        Ok(known) => Ok(Some(known)),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(Error::from_file(&disk.root().join(path), &error)),
    }
}

/// Returns whether the metadata of a file are those that git recorded.
fn is_as_in_index(known: Option<&TreeEntry>, entry: &IndexEntry, written: u64) -> bool {
    let Some(TreeEntry::Stat(Stat { kind: hieratic_sandbox::FileKind::File, len, modified, .. })) = known else {
        return false;
    };
    let Some((seconds, nanoseconds)) = since_1970(*modified) else { return false };
    entry.kind == EntryKind::Blob
        && u64::from(entry.size) == *len
        && (u64::from(entry.modified.0), entry.modified.1) == (seconds, nanoseconds)
        // A file that was written at the time of the index may have been written again since.
        && seconds < written
}

/// The seconds and nanoseconds of a moment, as the index has them.
fn since_1970(moment: Option<SystemTime>) -> Option<(u64, u32)> {
    // Moments before 1970 are not in an index.
    let since = moment?.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some((since.as_secs(), since.subsec_nanos()))
}
