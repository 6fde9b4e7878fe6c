//! Keys that code looks up without a default, and that no data of any node has.

use super::chain::of_world;
use super::worlds::Worlds;
use crate::finding::Finding;
use crate::repository::asked::Asks;
use crate::repository::{Code, Repository, list, named};
use crate::rules;

/// Calls that fail for every node that comes to them, because no level has the key, or none that one of all nodes reads.
pub(super) fn check(repository: &Repository, code: &Code, worlds: &Worlds) -> Vec<Finding> {
    // What cannot be seen may have any key.
    if repository.has_hidden_keys() || repository.has_unseen_levels() || !repository.unread.is_empty() {
        return Vec::new();
    }
    if repository.files.is_empty() || repository.files.iter().any(|file| !file.is_plain()) {
        return Vec::new();
    }
    let keys = repository.keys();
    let nodes: Vec<&str> = worlds.nodes.iter().map(String::as_str).collect();
    let mut findings = Vec::new();
    let mut all: Vec<_> = code.asked.by_key().collect();
    all.sort_by_key(|(key, _)| *key);
    for (key, requests) in all {
        if key.is_empty() || repository.is_of_missing_module(key) {
            continue;
        }
        let is_nowhere = !keys.contains(key);
        if !is_nowhere && !is_beyond(repository, worlds, key) {
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
            let message = match is_nowhere {
                true => format!("No level has the key '{key}', and the lookup has no default"),
                false => {
                    format!("None of the {} nodes has the key '{key}', and the lookup has no default", nodes.len())
                }
            };
            let finding = Finding::new(&rules::UNDEFINED_KEY, message).at(source, *span, "");
            let finding = match nodes.as_slice() {
                [] => finding.note("the catalog of every node that comes to this call fails"),
                nodes => finding
                    .note(format!("the catalog fails for each of these that comes to this call: {}", list(nodes))),
            };
            findings.push(if is_nowhere {
                match hieratic_diagnostics::nearest(key, keys.iter().copied()) {
                    Some(near) => finding.help(format!("did you mean '{near}'?")),
                    None => finding.help("add the key to the data, or a default to the call"),
                }
            } else {
                let files = repository.files.iter().filter(|file| file.hash.contains(key));
                let files: Vec<String> = files.map(|file| named(&file.path)).collect();
                let files = list(&files.iter().map(String::as_str).collect::<Vec<_>>());
                finding
                    .note(format!("none of them reads {files}, where it is"))
                    .help("add the key to a file that these nodes read, or a default to the call")
            });
        }
    }
    findings
}

/// Whether all nodes are known, and none of them reads a file that has a key.
fn is_beyond(repository: &Repository, worlds: &Worlds, key: &str) -> bool {
    if !worlds.are_all_given() {
        return false;
    }
    let module = key
        .split_once("::")
        .and_then(|(module, _)| repository.configs.iter().position(|config| config.module.as_deref() == Some(module)));
    let has = |file: usize| repository.files[file].hash.contains(key);
    worlds.all.iter().all(|world| of_world(world, module, &has).is_empty())
}
