//! Keys that no lookup can find, and keys whose lookups fail.

mod failures;
mod no_data;
mod shapes;

use std::path::PathBuf;

use super::nodes::SampleNodes;
use super::{Code, Repository};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;

/// Keys of modules outside of their namespace, and keys that no lookup finds.
pub(super) fn check(repository: &Repository, code: &Code, _: &SampleNodes<'_>, _: &Options) -> Vec<Finding> {
    let mut findings = foreign(repository);
    findings.extend(shapes::check(repository, code));
    findings.extend(no_data::check(repository));
    findings
}

/// The keys of which lookups fail, and those of which that is not known, each with the first file that has it.
pub(super) fn failing(repository: &Repository, known: &SampleNodes<'_>) -> (Vec<Finding>, Vec<(PathBuf, String)>) {
    failures::check(repository, known)
}

/// Keys of modules outside of their namespace.
fn foreign(repository: &Repository) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &repository.files {
        let Some(module) = repository.module_of(file) else { continue };
        for (key, _) in file.entries() {
            if key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::")) {
                continue;
            }
            let message = format!("The key '{key}' is in the data of the module '{module}', which never answers it");
            let help = match key.split_once("::") {
                Some((other, _)) => format!("move it to the data of the module '{other}' or of the environment"),
                None => format!("write '{module}::{key}', or move it to the data of the environment"),
            };
            findings
                .push(Finding::new(&rules::FOREIGN_KEY, message).at(&file.source, file.key_span(key), "").help(help));
        }
    }
    findings
}
