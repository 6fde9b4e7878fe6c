//! [`References`]: the commits of branches, tags and other references.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::sync::OnceLock;

use hieratic_budget::Budget;
use hieratic_sandbox::is_absence;

use crate::error::Error;
use crate::id::{Id, LENGTH};
use crate::repository_paths::{RepositoryPaths, file_error};

/// The size of the largest file of one reference.
const LARGEST: u64 = 64 << 10;
/// The size of the largest file of packed references; half a million have 32 MiB.
const LARGEST_PACKED: u64 = 128 << 20;
/// The size of the largest log of a reference.
const LARGEST_LOG: u64 = 64 << 20;
/// The limit of the length of a chain of symbolic references, as in git.
const MAX_CHAIN: usize = 5;

/// The references of a repository.
#[derive(Debug, Default)]
pub(crate) struct References {
    packed: OnceLock<BTreeMap<Vec<u8>, Id>>,
}

/// The target of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReferenceTarget {
    /// The name of the last reference on the way.
    pub(crate) name: String,
    pub(crate) id: Id,
}

enum RefContent {
    Id(Id),
    Name(String),
}

impl References {
    /// The target of a full name such as `HEAD` or `refs/heads/main`. Returns `None` if there is no such reference.
    pub(crate) fn find(
        &self,
        place: &RepositoryPaths,
        name: &str,
        budget: &Budget,
    ) -> Result<Option<ReferenceTarget>, Error> {
        let mut name = name.to_owned();
        for _ in 0..=MAX_CHAIN {
            budget.step()?;
            match self.read_ref(place, &name, budget)? {
                Some(RefContent::Id(id)) => return Ok(Some(ReferenceTarget { name, id })),
                Some(RefContent::Name(next)) => name = next,
                None => return Ok(None),
            }
        }
        Err(Error::damaged(
            format!("the reference {name}"),
            format!("more than {MAX_CHAIN} symbolic references in one chain"),
        ))
    }

    /// The branch of `HEAD`. Returns `None` if it is detached.
    pub(crate) fn head_branch(&self, place: &RepositoryPaths, budget: &Budget) -> Result<Option<String>, Error> {
        Ok(match self.read_ref(place, "HEAD", budget)? {
            Some(RefContent::Name(name)) => Some(name),
            Some(RefContent::Id(_)) | None => None,
        })
    }

    /// The targets of the references whose names begin with a prefix, in the order of the names.
    pub(crate) fn below(
        &self,
        place: &RepositoryPaths,
        prefix: &str,
        budget: &Budget,
    ) -> Result<Vec<ReferenceTarget>, Error> {
        let mut found: BTreeMap<String, Id> = BTreeMap::new();
        for (name, id) in self.packed(place, budget)?.range(prefix.as_bytes().to_vec()..) {
            budget.step()?;
            if !name.starts_with(prefix.as_bytes()) {
                break;
            }
            if let Ok(name) = std::str::from_utf8(name) {
                found.insert(name.to_owned(), *id);
            }
        }
        let mut folders = vec![prefix.trim_end_matches('/').to_owned()];
        while let Some(folder) = folders.pop() {
            let path = place.common.join(&folder);
            let entries = match place.files.list(&path) {
                Ok(entries) => entries,
                Err(error) if is_absence(&error) => continue,
                Err(error) => return Err(file_error(&path, &error)),
            };
            budget.steps(entries.len() as u64)?;
            for entry in entries {
                let name = format!("{folder}/{}", entry.name);
                if entry.kind == hieratic_sandbox::FileKind::Folder {
                    budget.depth(name.matches('/').count())?;
                    folders.push(name);
                } else if is_name(&name)
                    && let Some(target) = self.find(place, &name, budget)?
                {
                    found.insert(name, target.id);
                }
            }
        }
        Ok(found.into_iter().map(|(name, id)| ReferenceTarget { name, id }).collect())
    }

    /// The entries of the log of a reference: the old target and the message of each change, newest first.
    pub(crate) fn log(&self, place: &RepositoryPaths, name: &str, budget: &Budget) -> Result<Vec<(Id, String)>, Error> {
        let path = folder_of(place, name).join("logs").join(name);
        let bytes = place.read(&path, LARGEST_LOG)?.unwrap_or_default();
        let mut entries = Vec::new();
        for line in bytes.split(|byte| *byte == b'\n').rev().filter(|line| !line.is_empty()) {
            budget.step()?;
            budget.bytes(line.len())?;
            let id = line.get(2 * LENGTH + 1..4 * LENGTH + 1).and_then(Id::from_hex);
            let id = id.ok_or_else(|| Error::damaged(path.display(), "a line has no valid object ids"))?;
            let message = line.splitn(2, |byte| *byte == b'\t').nth(1).unwrap_or_default();
            entries.push((id, String::from_utf8_lossy(message).into_owned()));
        }
        Ok(entries)
    }

    fn read_ref(&self, place: &RepositoryPaths, name: &str, budget: &Budget) -> Result<Option<RefContent>, Error> {
        if !is_name(name) {
            return Ok(None);
        }
        let path = folder_of(place, name).join(name);
        match place.files.with_largest(LARGEST).read(&path) {
            Ok(bytes) => {
                return parse(&bytes).map(Some).ok_or_else(|| {
                    Error::damaged(
                        format!("the reference {}", path.display()),
                        "it contains neither an object id nor a reference",
                    )
                });
            }
            // `refs/heads/a` is a folder where there is a branch `a/b`.
            Err(error) if is_absence(&error) || error.kind() == ErrorKind::IsADirectory => {}
            Err(error) => return Err(file_error(&path, &error)),
        }
        Ok(self.packed(place, budget)?.get(name.as_bytes()).copied().map(RefContent::Id))
    }

    /// The references in one file, by name.
    fn packed(&self, place: &RepositoryPaths, budget: &Budget) -> Result<&BTreeMap<Vec<u8>, Id>, Error> {
        if let Some(known) = self.packed.get() {
            return Ok(known);
        }
        let path = place.common.join("packed-refs");
        let mut packed = BTreeMap::new();
        let bytes = place.read(&path, LARGEST_PACKED)?.unwrap_or_default();
        for line in bytes.split(|byte| *byte == b'\n') {
            budget.step()?;
            // `^` is the object that the tag before it leads to.
            if matches!(line.first(), None | Some(b'#' | b'^')) {
                continue;
            }
            let id = line.get(..2 * LENGTH).and_then(Id::from_hex);
            let name = line.get(2 * LENGTH..).and_then(|rest| rest.strip_prefix(b" "));
            let (Some(id), Some(name)) = (id, name) else {
                return Err(Error::damaged(path.display(), "a line is not an object id with the name of a reference"));
            };
            budget.bytes(name.len() + 64)?;
            packed.insert(name.strip_suffix(b"\r").unwrap_or(name).to_vec(), id);
        }
        Ok(self.packed.get_or_init(|| packed))
    }
}

/// Parses the file of one reference.
fn parse(bytes: &[u8]) -> Option<RefContent> {
    if let Some(name) = bytes.strip_prefix(b"ref:") {
        let name = std::str::from_utf8(name).ok()?.trim();
        return is_name(name).then(|| RefContent::Name(name.to_owned()));
    }
    let digits = bytes.get(..2 * LENGTH)?;
    let is_end = bytes.get(2 * LENGTH).is_none_or(u8::is_ascii_whitespace);
    Id::from_hex(digits).filter(|_| is_end).map(RefContent::Id)
}

/// Each working tree has some references for itself.
fn folder_of(place: &RepositoryPaths, name: &str) -> PathBuf {
    let is_own = ["refs/bisect/", "refs/worktree/", "refs/rewritten/"].iter().any(|start| name.starts_with(start));
    if is_own || !name.starts_with("refs/") { place.own.clone() } else { place.common.clone() }
}

/// Returns whether a string can be the full name of a reference. See <https://git-scm.com/docs/git-check-ref-format>.
fn is_name(name: &str) -> bool {
    let is_refused = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock");
    if name.contains("..") || name.contains("@{") || name.ends_with('.') || name.contains(is_refused) {
        return false;
    }
    match name.strip_prefix("refs/") {
        Some(rest) => rest.split('/').all(is_part),
        // Next to `HEAD` are `FETCH_HEAD`, `ORIG_HEAD` and such, and files that are not references.
        None => !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_git_allows() {
        for name in ["HEAD", "FETCH_HEAD", "refs/heads/a/b", "refs/heads/ä", "refs/tags/v1.2"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            "config",
            "../HEAD",
            "refs/",
            "refs/heads/",
            "refs/heads/../../config",
            "refs/heads/.a",
            "refs/a//b",
            "refs/heads/a.lock",
            "refs/heads/a.",
            "refs/heads/a b",
            "refs/heads/a\\b",
            "/refs/heads/a",
            "refs/a\0b",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
