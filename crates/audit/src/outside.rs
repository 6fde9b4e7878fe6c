//! What leads out of a repository by a link or a relative path, and was therefore not looked at. An absolute path names a folder of the
//! servers that the repository is for: that it is not here is no mistake, and is told with the rest that is [not here](crate::unseen).

use std::path::Path;

use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;
use crate::walk::shown;

const HELP: &str = "put it into the repository, or allow files outside of it with --allow-outside";

/// A link that leads out.
pub(crate) fn link(path: &Path) -> Finding {
    let path = shown(path);
    let message = format!("The link {path} leads out of the repository, and was not followed");
    Finding::new(&rules::OUTSIDE, message).in_file(path).help(HELP)
}

/// A level whose data lies elsewhere.
pub(crate) fn level(name: &str, folder: &Path, source: Option<&Source>, span: Option<Span>, config: &Path) -> Finding {
    let message =
        format!("The level '{name}' reads {}, which is outside of the repository and was not looked at", shown(folder));
    let finding = Finding::new(&rules::OUTSIDE, message).help(HELP);
    match (source, span) {
        (Some(source), Some(span)) => finding.at(source, span, ""),
        _ => finding.in_file(shown(config)),
    }
}
