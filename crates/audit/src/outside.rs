//! What leads out of a repository: links, levels and folders of modules that were therefore not looked at.

use std::path::{Path, PathBuf};

use hieratic::Environment;
use hieratic::powers::Outside;
use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;
use crate::texts;
use crate::walk::shown;

const HELP: &str = "put it into the repository, or allow files outside of it with --allow-outside";

/// A link that leads out.
pub(crate) fn link(path: &Path) -> Finding {
    let path = shown(path);
    let message = format!("The link {path} leads out of the repository, and was not followed");
    Finding::new(&rules::OUTSIDE, message).in_file(path).help(HELP)
}

/// The folders of modules that an `environment.conf` places elsewhere.
pub(crate) fn modules(environment: &Environment) -> Vec<Finding> {
    let config = environment.layers().environment.root.join("environment.conf");
    let files = &environment.powers().data;
    if files.outside() != Outside::Never {
        return Vec::new();
    }
    let source = texts::read(&config, files).ok();
    let unseen = environment.modulepath().filter(|folder| !files.holds(folder));
    let finding = |folder: PathBuf| {
        let folder = shown(&folder);
        let message = format!("The modules in {folder} are outside of the repository and were not looked at");
        let finding = Finding::new(&rules::OUTSIDE, message).help(HELP);
        match source.as_ref().and_then(|source| Some((source, source.text().find("modulepath")?))) {
            Some((source, at)) => finding.at(source, Span { start: at, end: at + "modulepath".len() }, ""),
            None => finding.in_file(shown(&config)),
        }
    };
    unseen.map(finding).collect()
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
