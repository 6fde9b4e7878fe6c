//! Links and relative paths that lead out of a repository, and so were not followed. An absolute path names a folder on
//! the servers that the repository is deployed to; a checkout rarely has it, so it is reported as [not
//! seen](crate::missing_parts) instead.

use std::path::Path;

use crate::finding::Finding;
use crate::paths::shown;
use crate::rules;

const HELP: &str = "move it into the repository, or pass --allow-outside";

/// A link that leads out.
pub(crate) fn link(path: &Path) -> Finding {
    let path = shown(path);
    let message = format!("The link {path} leads out of the repository and was not followed");
    Finding::new(&rules::OUTSIDE, message).in_file(path).help(HELP)
}

/// A level whose data is outside of the repository.
pub(crate) fn level(name: &str, folder: &Path) -> Finding {
    let message =
        format!("The level '{name}' reads {}, which is outside of the repository and was not checked", shown(folder));
    Finding::new(&rules::OUTSIDE, message).help(HELP)
}
