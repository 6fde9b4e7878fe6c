//! The branches and tags of a repository.

use crate::error::Error;
use crate::repository::{Commit, Repository};

/// A branch, and the commit that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The name without `refs/heads/` or `refs/remotes/`.
    pub name: String,
    /// The latest commit of the branch.
    pub commit: Commit,
    /// Whether it is a remote-tracking branch.
    pub is_remote: bool,
}

impl Repository {
    /// Returns the name of the checked-out branch, without `refs/heads/`. Returns `None` if `HEAD` names a commit.
    ///
    /// # Errors
    /// `HEAD` cannot be read.
    pub fn head_branch(&self) -> Result<Option<String>, Error> {
        let name = self.references().head_branch(self.place(), self.budget())?;
        Ok(name.and_then(|name| name.strip_prefix("refs/heads/").map(String::from)))
    }

    /// Returns the names of the tags, without `refs/tags/`, sorted.
    ///
    /// # Errors
    /// The references cannot be read.
    pub fn tags(&self) -> Result<Vec<String>, Error> {
        let found = self.references().below(self.place(), "refs/tags/", self.budget())?;
        Ok(found.into_iter().filter_map(|tag| tag.name.strip_prefix("refs/tags/").map(String::from)).collect())
    }

    /// Returns the branches, sorted by name. Local branches are first.
    ///
    /// # Errors
    /// The references cannot be read.
    pub fn branches(&self) -> Result<Vec<Branch>, Error> {
        let mut branches = Vec::new();
        for (prefix, is_remote) in [("refs/heads/", false), ("refs/remotes/", true)] {
            for target in self.references().below(self.place(), prefix, self.budget())? {
                // `HEAD` of a remote is another name of one of its branches, whose name it has here.
                let Some(name) = target.name.strip_prefix(prefix) else { continue };
                let is_known = branches.iter().any(|known: &Branch| known.is_remote == is_remote && known.name == name);
                if !is_known && !name.ends_with("/HEAD") {
                    branches.push(Branch { name: name.into(), commit: Commit(target.id), is_remote });
                }
            }
        }
        Ok(branches)
    }
}
