//! Keys that code looks up without a default, and that no data has.

use crate::finding::Finding;
use crate::repository::asked::Asks;
use crate::repository::{Code, Repository};
use crate::rules;

/// Calls that fail for every node, because no level has the key.
pub(super) fn check(repository: &Repository, code: &Code) -> Vec<Finding> {
    // What cannot be seen may have any key.
    if repository.has_hidden_keys() || repository.has_unseen_levels() || !repository.unread.is_empty() {
        return Vec::new();
    }
    if repository.files.is_empty() || repository.files.iter().any(|file| !file.is_plain()) {
        return Vec::new();
    }
    let keys = repository.keys();
    let mut findings = Vec::new();
    let mut all: Vec<_> = code.asked.by_key().collect();
    all.sort_by_key(|(key, _)| *key);
    for (key, requests) in all {
        if key.is_empty() || keys.contains(key) || repository.is_of_missing_module(key) {
            continue;
        }
        for request in requests {
            let (Some((source, span)), Asks::Key(_), false) = (&request.place, &request.key, request.has_default)
            else {
                continue;
            };
            // Plans have a hierarchy of their own.
            if std::path::Path::new(source.name()).components().any(|part| part.as_os_str() == "plans") {
                continue;
            }
            let finding = Finding::new(
                &rules::UNDEFINED_KEY,
                format!("No level has the key '{key}', and the lookup has no default"),
            )
            .at(source, *span, "")
            .note("the catalog of every node that comes to this call fails");
            let near = hieratic_diagnostics::nearest(key, keys.iter().copied());
            findings.push(match near {
                Some(near) => finding.help(format!("did you mean '{near}'?")),
                None => finding.help("add the key to the data, or a default to the call"),
            });
        }
    }
    findings
}
