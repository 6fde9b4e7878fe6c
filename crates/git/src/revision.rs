//! [`Revision`]: the files of a commit.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hieratic_sandbox::{DirEntry, FileKind, Tree, TreeEntry};

use crate::changed::escape_path;
use crate::error::Error;
use crate::folder::{EntryKind, Folder, FolderEntry};
use crate::id::Id;
use crate::objects;
use crate::reads::Reads;
use crate::repository::Repository;

/// The files of a commit as a tree. Its folders are cached.
///
/// Only a path that the commit does not contain is "not found". Every other failure is an error: a missing object is
/// not a missing file.
pub struct Revision {
    repository: Repository,
    root: Id,
    folders: Mutex<HashMap<PathBuf, Arc<Folder>>>,
    reads: Option<Arc<Reads>>,
}

/// The cost of a folder and of each of its names: the caller looks up the kind of each name, and stores nearly two
/// kilobytes for each file that it checks. A few folders that are all the same one can have any number of paths.
const STEPS_OF_FOLDER: u64 = 128;
const STEPS_OF_NAME: u64 = 128;
/// The limit of the length of a link, as on Linux.
const LONGEST_LINK: u64 = 4096;

impl fmt::Debug for Revision {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Revision").field("repository", &self.repository).field("tree", &self.root).finish()
    }
}

impl Revision {
    pub(crate) fn new(repository: Repository, root: Id) -> Revision {
        Revision { repository, root, folders: Mutex::default(), reads: None }
    }

    /// Returns the revision with a record of all later reads.
    #[must_use]
    pub fn recording(self, reads: Arc<Reads>) -> Revision {
        Revision { reads: Some(reads), ..self }
    }

    /// The names in a folder.
    fn folder(&self, path: &Path) -> io::Result<Arc<Folder>> {
        let known = || self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().get(path) {
            return Ok(known.clone());
        }
        let id = match path.parent() {
            None => self.root,
            Some(_) => match self.name(path)? {
                (EntryKind::Tree, id) => id,
                _ => return Err(ErrorKind::NotADirectory.into()),
            },
        };
        let folder = self.read_folder(id).map_err(|error| error.within(escape_path(path)).into_io())?;
        known().insert(path.to_owned(), folder.clone());
        Ok(folder)
    }

    /// Reads a folder and caches it.
    fn read_folder(&self, id: Id) -> Result<Arc<Folder>, Error> {
        let folder = self.repository.folder(id)?;
        self.repository.budget().bytes(folder.memory)?;
        self.repository.budget().steps(STEPS_OF_FOLDER + folder.len() as u64 * STEPS_OF_NAME)?;
        Ok(folder)
    }

    /// The kind and the id of the entry of a path.
    fn name(&self, path: &Path) -> io::Result<(EntryKind, Id)> {
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
            return Err(ErrorKind::NotFound.into());
        };
        let folder = self.folder(parent)?;
        let found = name.to_str().and_then(|name| folder.get(name));
        found.map(|one| (one.kind, one.id)).ok_or_else(|| ErrorKind::NotFound.into())
    }

    fn bytes(&self, path: &Path, id: Id, largest: u64) -> io::Result<Arc<[u8]>> {
        self.repository
            .read(id, objects::ObjectKind::Blob, largest)
            .map_err(|error| error.within(escape_path(path)).into_io())
    }
}

impl Tree for Revision {
    fn entry(&self, path: &Path) -> io::Result<TreeEntry> {
        self.reads.iter().for_each(|reads| reads.record_entry(path));
        if path.as_os_str().is_empty() {
            return Ok(TreeEntry::folder());
        }
        let (kind, id) = self.name(path)?;
        Ok(match kind {
            // The content of a submodule is in another repository.
            EntryKind::Tree | EntryKind::Commit => TreeEntry::folder(),
            EntryKind::Blob => {
                let size = match self.repository.header(id) {
                    Ok(header) => header.size,
                    // Partial clones leave out large files. The tree names the file; reading it is the error.
                    Err(error) if error.is_missing() => 0,
                    Err(error) => return Err(error.within(escape_path(path)).into_io()),
                };
                TreeEntry::file(size, identity(id))
            }
            EntryKind::Link => {
                let target = self.bytes(path, id, LONGEST_LINK)?;
                // A link to a name that is not Unicode leads to nothing that can be read here.
                let target = std::str::from_utf8(&target).map_err(|_| io::Error::from(ErrorKind::NotFound))?;
                TreeEntry::Link(target.into())
            }
        })
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.reads.iter().for_each(|reads| reads.record_entry(path));
        let (kind, id) = self.name(path)?;
        if !kind.is_file() {
            return Err(ErrorKind::IsADirectory.into());
        }
        // The caller has compared the size with the limit for files. This limit bounds the size in the header.
        let largest = self.repository.budget().limits().file;
        self.bytes(path, id, largest).map(|bytes| bytes.to_vec())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<DirEntry>> {
        self.reads.iter().for_each(|reads| reads.record_list(path));
        if !path.as_os_str().is_empty() && self.name(path)?.0 == EntryKind::Commit {
            return Ok(Vec::new());
        }
        let folder = self.folder(path)?;
        let entry = |name: FolderEntry<'_>| DirEntry {
            name: name.name.to_owned(),
            kind: match name.kind {
                EntryKind::Tree | EntryKind::Commit => FileKind::Folder,
                EntryKind::Blob => FileKind::File,
                EntryKind::Link => FileKind::Link,
            },
        };
        Ok(folder.iter().map(entry).collect())
    }

    fn unnamed(&self, path: &Path) -> io::Result<Vec<String>> {
        self.reads.iter().for_each(|reads| reads.record_list(path));
        if path.as_os_str().is_empty() || self.name(path)?.0 != EntryKind::Commit {
            self.folder(path).map(|folder| folder.foreign.clone())
        } else {
            Ok(Vec::new())
        }
    }
}

/// The identity of a content, like the inode number of a file. Half of the bits would not be enough: an attacker could
/// search for a collision.
fn identity(id: Id) -> u128 {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&id.bytes()[..16]);
    u128::from_le_bytes(bytes)
}
