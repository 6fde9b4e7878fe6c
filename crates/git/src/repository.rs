//! [`Repository`]: the git repository in a folder.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use hieratic_budget::Budget;

use crate::commit::{CommitObject, CommitText, object_of_tag};
use crate::error::Error;
use crate::folder::{self, Folder};
use crate::id::Id;
use crate::objects::{ObjectHeader, ObjectKind, Objects};
use crate::refs::References;
use crate::repository_paths::RepositoryPaths;
use crate::revision::Revision;

/// A git repository, with the budget for reading it. Clones share both.
#[derive(Clone)]
pub struct Repository {
    inner: Arc<Inner>,
    budget: Budget,
}

struct Inner {
    place: RepositoryPaths,
    references: References,
    objects: Objects,
    /// Commits whose parents are not here, though they are named.
    shallow: OnceLock<BTreeSet<Id>>,
    /// Objects in whose place others are read.
    replaced: OnceLock<HashMap<Id, Id>>,
}

/// The id of a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Commit(pub(crate) Id);

impl std::fmt::Display for Commit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl Commit {
    /// Returns the first twelve digits of the hash.
    pub fn short(&self) -> String {
        self.0.short()
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Repository").field(&self.root()).finish()
    }
}

/// The size of the largest file that names the commits at which the history ends.
const LARGEST_SHALLOW: u64 = 16 << 20;
/// The limit of the length of a chain of tags.
const MAX_TAGS: usize = 100;
/// The help if the history ends too early.
pub(crate) const SHALLOW: &str =
    "the history here is shallow: fetch more of it (`git fetch --unshallow`, or `fetch-depth: 0`)";

impl Repository {
    /// Opens the repository whose working tree has this folder as its root (the folder that has `.git`), or the bare
    /// repository in this folder. Parent folders are not searched. Nothing outside of the folder is read, and the
    /// default limits apply.
    ///
    /// ```no_run
    /// use hieratic_git::Repository;
    ///
    /// let repository = Repository::open("/srv/control-repo".as_ref())?;
    /// let commit = repository.commit("main~1")?;
    /// // The files of the commit, which `Settings::tree` of the library takes in the place of a folder.
    /// let tree = repository.tree(commit)?;
    /// # Ok::<(), hieratic_git::Error>(())
    /// ```
    ///
    /// # Errors
    /// The folder is not a git repository, refers to files outside of itself, or cannot be read. [`Error::remedy`]
    /// returns the setting that would permit it.
    pub fn open(root: &Path) -> Result<Repository, Error> {
        Repository::open_within(root, false, &Budget::default())
    }

    /// Like [`open`](Self::open), with a budget. `outside` allows paths out of the repository, for trusted
    /// repositories.
    ///
    /// # Errors
    /// As [`open`](Self::open), or a limit is reached.
    pub fn open_within(root: &Path, outside: bool, budget: &Budget) -> Result<Repository, Error> {
        let place = RepositoryPaths::find(root, outside, budget)?;
        let objects = Objects::new(place.config.is_partial());
        let (shallow, replaced) = (OnceLock::new(), OnceLock::new());
        let inner = Inner { place, references: References::default(), objects, shallow, replaced };
        Ok(Repository { inner: Arc::new(inner), budget: budget.clone() })
    }

    /// Returns the repository with another budget for its reads.
    #[must_use]
    pub fn within(&self, budget: &Budget) -> Repository {
        Repository { inner: self.inner.clone(), budget: budget.clone() }
    }

    /// Returns the root of the working tree, or the folder of a bare repository.
    pub fn root(&self) -> &Path {
        &self.inner.place.root
    }

    /// Returns the folder in which git keeps the head of this working tree and its log. A working tree beside another
    /// one has its own.
    pub fn head_folder(&self) -> &Path {
        &self.inner.place.own
    }

    /// Returns the URLs of the remotes in the configuration.
    pub fn remote_urls(&self) -> impl Iterator<Item = &str> {
        self.inner.place.config.all("remote", "url")
    }

    /// Returns whether the repository has no working tree.
    pub fn is_bare(&self) -> bool {
        self.inner.place.is_bare
    }

    /// Returns the budget for reading the repository.
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Returns the files of a commit.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn tree(&self, commit: Commit) -> Result<Revision, Error> {
        Ok(Revision::new(self.clone(), self.commit_object(commit.0)?.tree))
    }

    pub(crate) fn place(&self) -> &RepositoryPaths {
        &self.inner.place
    }

    pub(crate) fn references(&self) -> &References {
        &self.inner.references
    }

    pub(crate) fn commit_object(&self, id: Id) -> Result<CommitObject, Error> {
        let bytes = self.read(id, ObjectKind::Commit, u64::MAX)?;
        CommitObject::parse(&bytes).map_err(|reason| Error::damaged(format!("commit {id}"), reason))
    }

    /// The author and the message of a commit.
    pub(crate) fn commit_text(&self, id: Id) -> Result<CommitText, Error> {
        let bytes = self.read(id, ObjectKind::Commit, u64::MAX)?;
        CommitText::parse(&bytes).map_err(|reason| Error::damaged(format!("commit {id}"), reason))
    }

    /// The parents of a commit that are here.
    pub(crate) fn parents(&self, id: Id, written: &CommitObject) -> Result<Vec<Id>, Error> {
        Ok(if self.is_cut_off(id)? { Vec::new() } else { written.parents.clone() })
    }

    /// Returns whether the history ends at a commit because it is shallow there.
    pub(crate) fn is_cut_off(&self, id: Id) -> Result<bool, Error> {
        Ok(self.shallow()?.contains(&id))
    }

    /// Returns whether older commits are missing because the clone is shallow.
    ///
    /// # Errors
    /// The list of the oldest commits cannot be read.
    pub fn is_shallow(&self) -> Result<bool, Error> {
        Ok(!self.shallow()?.is_empty())
    }

    /// Returns whether the repository is a partial clone, whose objects are loaded only when git needs them.
    pub fn is_partial(&self) -> bool {
        self.place().config.is_partial()
    }

    fn shallow(&self) -> Result<&BTreeSet<Id>, Error> {
        if let Some(known) = self.inner.shallow.get() {
            return Ok(known);
        }
        let path = self.place().common.join("shallow");
        let bytes = self.place().read(&path, LARGEST_SHALLOW)?.unwrap_or_default();
        let mut shallow = BTreeSet::new();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            self.budget.step()?;
            let id = Id::from_hex(line.trim_ascii());
            shallow.insert(id.ok_or_else(|| Error::damaged(path.display(), "a line is not a commit id"))?);
        }
        Ok(self.inner.shallow.get_or_init(|| shallow))
    }

    /// The names in a folder.
    pub(crate) fn folder(&self, id: Id) -> Result<Arc<Folder>, Error> {
        if let Some(known) = self.inner.objects.cache().folder(id) {
            return Ok(known);
        }
        let bytes = self.read(id, ObjectKind::Tree, u64::MAX)?;
        // The caller keeps it. Here, there must be room for it.
        let memory = Folder::memory(bytes.len());
        self.budget.bytes(memory)?;
        self.budget.give_back(0, memory);
        let folder = Folder::parse(&bytes, &self.budget).map_err(|error| match error {
            folder::FolderError::Damaged(reason) => Error::damaged(format!("tree {id}"), reason),
            folder::FolderError::Exhausted(exhausted) => exhausted.into(),
        })?;
        let folder = Arc::new(folder);
        self.inner.objects.cache().insert_folder(id, folder.clone());
        Ok(folder)
    }

    /// The bytes of an object, unless it is larger than allowed.
    pub(crate) fn read(&self, id: Id, kind: ObjectKind, largest: u64) -> Result<Arc<[u8]>, Error> {
        self.budget.ended()?;
        let Inner { place, objects, .. } = &*self.inner;
        objects.read(place, self.replacement(id)?, kind, largest, &self.budget)
    }

    /// The kind and the size of an object.
    pub(crate) fn header(&self, id: Id) -> Result<ObjectHeader, Error> {
        self.budget.ended()?;
        let Inner { place, objects, .. } = &*self.inner;
        objects.header(place, self.replacement(id)?, &self.budget)
    }

    /// The commits whose ids begin with some digits. If there is no such commit, all objects.
    pub(crate) fn with_prefix(&self, digits: &str) -> Result<Vec<Id>, Error> {
        let Inner { place, objects, .. } = &*self.inner;
        objects.with_prefix(place, digits, Some(ObjectKind::Commit), &self.budget)
    }

    /// The object that is read in the place of one. See <https://git-scm.com/docs/git-replace>.
    fn replacement(&self, id: Id) -> Result<Id, Error> {
        let replaced = match self.inner.replaced.get() {
            Some(known) => known,
            None => {
                const PREFIX: &str = "refs/replace/";
                let all = self.references().below(self.place(), PREFIX, &self.budget)?;
                let of = |name: &str| Id::from_hex(name.strip_prefix(PREFIX)?.as_bytes());
                let replaced = all.iter().filter_map(|target| Some((of(&target.name)?, target.id))).collect();
                self.inner.replaced.get_or_init(|| replaced)
            }
        };
        Ok(replaced.get(&id).copied().unwrap_or(id))
    }

    /// The commit of an object: itself, or the target of a tag. Returns `None` for other objects.
    pub(crate) fn peel(&self, id: Id) -> Result<Option<Id>, Error> {
        let mut at = id;
        for _ in 0..MAX_TAGS {
            match self.header(at)?.kind {
                // Reading it reports its error.
                ObjectKind::Commit => return self.commit_object(at).map(|_| Some(at)),
                ObjectKind::Tree | ObjectKind::Blob => return Ok(None),
                ObjectKind::Tag => {
                    let bytes = self.read(at, ObjectKind::Tag, u64::MAX)?;
                    at = object_of_tag(&bytes).map_err(|reason| Error::damaged(format!("tag {at}"), reason))?.0;
                }
            }
        }
        Err(Error::damaged(format!("tag {id}"), format!("more than {MAX_TAGS} tags in one chain")))
    }
}
