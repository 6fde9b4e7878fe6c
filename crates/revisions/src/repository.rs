//! [`Repository`]: the repository of git that a folder is in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::ThreadSafeRepository;
use gix::hash::ObjectId;

use crate::error::Error;
use crate::revision::Revision;

/// A repository of git. Clones share it.
#[derive(Clone)]
pub struct Repository {
    inner: Arc<ThreadSafeRepository>,
    root: PathBuf,
}

/// A commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Commit(pub(crate) ObjectId);

impl std::fmt::Display for Commit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.0)
    }
}

impl Commit {
    /// The first twelve digits of its name.
    pub fn short(&self) -> String {
        self.0.to_hex_with_len(12).to_string()
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Repository").field(&self.root).finish()
    }
}

impl Repository {
    /// Opens the repository whose working tree has this folder as its root, or the bare repository in this folder.
    ///
    /// # Errors
    /// There is no repository of git, or none that can be read.
    pub fn open(root: &Path) -> Result<Repository, Error> {
        let root = hieratic_powers::plain(root);
        // Nothing but the repository itself says how it is to be read.
        let options = gix::open::Options::isolated().strict_config(false);
        let inner = ThreadSafeRepository::open_opts(&root, options).map_err(|error| {
            Error::new(
                format!("{} is no repository of git that can be read: {error}", root.display()),
                "compare with a folder instead: --against FOLDER",
            )
        })?;
        Ok(Repository { inner: Arc::new(inner), root })
    }

    /// The root of its working tree; of a bare repository, its own folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Whether it has no working tree.
    pub fn is_bare(&self) -> bool {
        self.local().is_bare()
    }

    /// A view of it for one thread.
    pub(crate) fn local(&self) -> gix::Repository {
        let mut local = self.inner.to_thread_local();
        local.object_cache_size_if_unset(8 << 20);
        local
    }

    /// The commit that a revision names: a branch, a tag, `HEAD~3`, a part of a name.
    ///
    /// # Errors
    /// There is no such commit here.
    pub fn commit(&self, revision: &str) -> Result<Commit, Error> {
        let local = self.local();
        let missing = || {
            let shallow = local.is_shallow().unwrap_or(false);
            let help = match shallow {
                true => "the history here is shallow: fetch more of it (`git fetch --unshallow`, or `fetch-depth: 0`)",
                false => {
                    "name a branch, a tag or a commit that `git rev-parse` knows here; fetch it if it is elsewhere"
                }
            };
            Error::new(format!("there is no revision '{revision}' in {}", self.root.display()), help)
        };
        if revision.is_empty() {
            return Err(missing());
        }
        let found = local.rev_parse_single(revision).map_err(|_| missing())?;
        let object = found.object().map_err(|_| missing())?;
        let commit = object.peel_to_commit().map_err(|_| missing())?;
        Ok(Commit(commit.id))
    }

    /// The best commit that two have in common.
    ///
    /// # Errors
    /// They have none here.
    pub fn merge_base(&self, one: Commit, other: Commit) -> Result<Commit, Error> {
        let local = self.local();
        let found = local.merge_base(one.0, other.0).ok().flatten().ok_or_else(|| {
            let help = match local.is_shallow().unwrap_or(false) {
                true => "the history here is shallow: fetch more of it (`git fetch --unshallow`, or `fetch-depth: 0`)",
                false => "name both sides with two dots: BASE..HEAD",
            };
            Error::new(format!("{} and {} have no commit in common here", one.short(), other.short()), help)
        })?;
        Ok(Commit(found.detach()))
    }

    /// The files of a commit.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn tree(&self, commit: Commit) -> Result<Revision, Error> {
        Ok(Revision::new(self.clone(), self.tree_id(&self.local(), commit)?))
    }

    pub(crate) fn tree_id(&self, local: &gix::Repository, commit: Commit) -> Result<ObjectId, Error> {
        let unreadable = |error: &dyn std::fmt::Display| {
            Error::unreadable(&format!("commit {}", commit.short()), &error.to_string())
        };
        let commit = local.find_object(commit.0).map_err(|error| unreadable(&error))?;
        let commit = commit.try_into_commit().map_err(|error| unreadable(&error))?;
        Ok(commit.tree_id().map_err(|error| unreadable(&error))?.detach())
    }
}
