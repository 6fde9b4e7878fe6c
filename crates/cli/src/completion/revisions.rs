//! Candidates for revisions: branches, tags, and other beginnings of a range.

use std::collections::BTreeSet;
use std::path::Path;

use hieratic::Limits;
use hieratic::budget::Budget;
use hieratic_git::{Error, Repository};

/// The most names that are offered.
const MOST: usize = 5_000;

/// The branches and tags of the repository around a folder, and `HEAD`. Without a repository there are none.
pub(super) fn names(folder: &Path) -> Vec<String> {
    let folder = hieratic::sandbox::plain(folder);
    let Some(root) = hieratic::layers::repository_of(&folder) else { return Vec::new() };
    // A shell shows no messages: what cannot be read is reported by the verb that is completed.
    let found = references(&root).unwrap_or_default();
    std::iter::once("HEAD".to_owned()).chain(found.into_iter().take(MOST)).collect()
}

fn references(root: &Path) -> Result<BTreeSet<String>, Error> {
    let repository = Repository::open_within(root, false, &Budget::new(Limits::default()))?;
    let branches = repository.branches()?.into_iter().map(|branch| branch.name);
    Ok(branches.chain(repository.tags()?).collect())
}
