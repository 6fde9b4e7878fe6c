//! [`Revision`]: the files of a commit.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use gix::hash::ObjectId;
use gix::objs::tree::EntryKind;
use hieratic_powers::{Entry, Kind, Known, Tree};

use crate::repository::Repository;

/// The files of a commit as a tree. What was read of its folders is kept.
pub struct Revision {
    repository: Repository,
    root: ObjectId,
    folders: Mutex<HashMap<PathBuf, Option<Arc<Folder>>>>,
}

/// The names in a folder of a commit, sorted as git sorts them.
pub(crate) type Folder = Vec<Name>;

/// A name in a folder of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) name: String,
    pub(crate) kind: EntryKind,
    pub(crate) id: ObjectId,
}

/// How large the list of a folder may be; 64 MiB are half a million names.
const LARGEST_FOLDER: u64 = 64 << 20;
/// How long a link may be, as on Linux.
const LONGEST_LINK: u64 = 4096;

impl fmt::Debug for Revision {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Revision").field("repository", &self.repository).field("tree", &self.root).finish()
    }
}

impl Revision {
    pub(crate) fn new(repository: Repository, root: ObjectId) -> Revision {
        Revision { repository, root, folders: Mutex::default() }
    }

    fn folder(&self, path: &Path) -> Option<Arc<Folder>> {
        if let Some(known) = self.folders.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return known.clone();
        }
        let id = match path.parent() {
            None => Some(self.root),
            Some(_) => self.name(path).filter(|name| name.kind == EntryKind::Tree).map(|name| name.id),
        };
        let folder = id.and_then(|id| read_folder(&self.repository.local(), id).ok()).map(Arc::new);
        self.folders.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), folder.clone());
        folder
    }

    pub(crate) fn name(&self, path: &Path) -> Option<Name> {
        let folder = self.folder(path.parent()?)?;
        let wanted = path.file_name()?.to_str()?;
        folder.iter().find(|name| name.name == wanted).cloned()
    }
}

/// The names in a folder.
pub(crate) fn read_folder(local: &gix::Repository, id: ObjectId) -> io::Result<Folder> {
    let tree = find_folder(local, id)?;
    let owned = |(name, kind, id): (&str, EntryKind, ObjectId)| Name { name: name.to_owned(), kind, id };
    Ok(names_in(&tree)?.into_iter().map(owned).collect())
}

/// A folder, unless it is too large.
pub(crate) fn find_folder(local: &gix::Repository, id: ObjectId) -> io::Result<gix::Tree<'_>> {
    let size = local.find_header(id).map_err(io::Error::other)?.size();
    if size > LARGEST_FOLDER {
        return Err(io::Error::other(format!("the list of a folder has more than {LARGEST_FOLDER} bytes")));
    }
    local.find_tree(id).map_err(io::Error::other)
}

/// The names in a folder; those that are no Unicode are left out, as everywhere.
pub(crate) fn names_in<'t>(tree: &'t gix::Tree<'_>) -> io::Result<Vec<(&'t str, EntryKind, ObjectId)>> {
    let mut names = Vec::new();
    for entry in tree.iter() {
        let entry = entry.map_err(io::Error::other)?;
        let Ok(name) = std::str::from_utf8(entry.inner.filename) else { continue };
        // Git refuses such names; whoever made this tree did not ask git.
        if name.is_empty() || matches!(name, "." | "..") || name.contains(['/', '\\', '\0']) {
            continue;
        }
        names.push((name, entry.mode().kind(), entry.object_id()));
    }
    Ok(names)
}

impl Tree for Revision {
    fn entry(&self, path: &Path) -> io::Result<Known> {
        if path.as_os_str().is_empty() {
            return Ok(Known::folder());
        }
        let name = self.name(path).ok_or(ErrorKind::NotFound)?;
        Ok(match name.kind {
            // What is in a submodule is in another repository.
            EntryKind::Tree | EntryKind::Commit => Known::folder(),
            EntryKind::Blob | EntryKind::BlobExecutable => {
                let local = self.repository.local();
                let header = local.find_header(name.id).map_err(io::Error::other)?;
                Known::file(header.size(), identity(name.id))
            }
            EntryKind::Link => {
                let target = self.bytes(name.id, LONGEST_LINK)?;
                let target = String::from_utf8(target).map_err(|_| io::Error::from(ErrorKind::NotFound))?;
                Known::Link(target.into())
            }
        })
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let name = self.name(path).ok_or(ErrorKind::NotFound)?;
        self.bytes(name.id, u64::MAX)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        if self.name(path).is_some_and(|name| name.kind == EntryKind::Commit) {
            return Ok(Vec::new());
        }
        let folder = self.folder(path).ok_or(ErrorKind::NotFound)?;
        let entry = |name: &Name| Entry {
            name: name.name.clone(),
            kind: match name.kind {
                EntryKind::Tree | EntryKind::Commit => Kind::Folder,
                EntryKind::Blob | EntryKind::BlobExecutable => Kind::File,
                EntryKind::Link => Kind::Link,
            },
        };
        Ok(folder.iter().map(entry).collect())
    }
}

impl Revision {
    fn bytes(&self, id: ObjectId, largest: u64) -> io::Result<Vec<u8>> {
        let local = self.repository.local();
        if local.find_header(id).map_err(io::Error::other)?.size() > largest {
            return Err(io::Error::other(format!("it has more than {largest} bytes")));
        }
        let mut object = local.find_object(id).map_err(io::Error::other)?;
        Ok(std::mem::take(&mut object.data))
    }
}

/// What tells a content from others, as the number of a file does. Half of the bits would be few: somebody could look for a file that has
/// them in common with another.
fn identity(id: ObjectId) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&id.as_bytes()[..16]);
    u128::from_le_bytes(bytes)
}
