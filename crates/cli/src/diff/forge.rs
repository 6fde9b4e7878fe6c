//! The addresses of changed lines at the forge of the repository.

use hieratic::Error;
use hieratic_git::{Commit, Repository};
use hieratic_impact::Diff;
use hieratic_report::{ForgeLinks, Sides};

use super::{DiffArguments, Format};
use crate::revisions;

/// The links to the lines of both sides, for formats that have links. A working tree with changes has none: its lines
/// are not at the forge.
pub(super) fn links(arguments: &DiffArguments, sides: &Sides) -> Result<Diff<Option<ForgeLinks>>, Error> {
    if !matches!(arguments.format, Format::Markdown | Format::Html) || arguments.against.is_some() {
        return Ok(Diff::default());
    }
    let (settings, folder) = revisions::environment(&arguments.place);
    let limits = arguments.limits.limits();
    let repository = revisions::repository(&folder, settings.permissions.outside, limits, "")?;
    if repository.remote_urls().next().is_none() {
        return Ok(Diff::default());
    }
    let mut commits = sides.commits;
    if commits.head.is_none() {
        commits.head = clean_head(&repository).map_err(revisions::failed)?;
    }
    let links = |commit: Commit| ForgeLinks::new(repository.remote_urls(), &commit.to_string());
    Ok(commits.map(|commit| commit.and_then(links)))
}

/// The commit of `HEAD`, if the working tree is equal to it.
fn clean_head(repository: &Repository) -> Result<Option<Commit>, hieratic_git::Error> {
    let head = repository.commit("HEAD")?;
    Ok(repository.changed_in_worktree(head)?.paths.is_empty().then_some(head))
}
