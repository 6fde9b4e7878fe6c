//! [`line_template`]: the address of a line at a forge, from the remote of a repository.

use hieratic_git::Repository;
use hieratic_report::ForgeLinks;

/// Returns the template of the address of a line at the commit of `HEAD`, with `{path}` and `{line}` in it; `None` if no
/// remote is at a known forge.
pub(crate) fn line_template(repository: &Repository) -> Option<String> {
    // Without a commit, no line is at the forge.
    let commit = repository.commit("HEAD").ok()?;
    Some(ForgeLinks::new(repository.remote_urls(), &commit.to_string())?.template())
}
