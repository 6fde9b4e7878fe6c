//! Data files that no node reads: the rules `unreachable-file` and `unreached-file`.

use std::path::Path;

use super::nodes::SampleNodes;
use super::{Code, Repository, named};
use crate::finding::Finding;
use crate::options::Options;
use crate::rules;
use crate::texts;

/// Finds files that no level can reach and, if all nodes are known, those that none of them reads.
pub(super) fn check(repository: &Repository, _: &Code, known: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    let mut findings = Vec::new();
    for path in &repository.unreachable {
        let message = format!("No level of the hierarchy can reach {}", named(path));
        let finding = Finding::new(&rules::UNREACHABLE_FILE, message);
        let finding = match texts::read(path, repository.readable()) {
            Ok(source) => finding.at(&source, texts::written_at(&source, 1, 1), ""),
            Err(_) => finding.in_file(named(path)),
        };
        findings.push(finding.help(match meant(repository, path) {
            Some(name) => format!("did you mean '{name}'? Else remove the file, or add a level that reads it"),
            None => "remove the file, rename it, or add a level that reads it".to_owned(),
        }));
    }
    if !options.all_nodes || !known.has_all_facts() {
        return findings;
    }
    for file in &repository.files {
        let always = file.reached.iter().any(|reach| {
            let level = &repository.config(file).levels[reach.level];
            reach.bindings.is_empty() && level.patterns.iter().any(|pattern| !pattern.varies())
        });
        if always || known.nodes.iter().any(|node| node.files.contains(&file.path)) {
            continue;
        }
        let needs = file.reached.first().map(|reach| {
            let needs = reach.bindings.iter().map(|(name, value)| format!("{name} = '{value}'"));
            needs.collect::<Vec<_>>().join(", ")
        });
        let message = format!("None of the {} nodes reads {}", known.nodes.len(), named(&file.path));
        let finding = Finding::new(&rules::UNREACHED_FILE, message)
            .at(&file.source, texts::written_at(&file.source, 1, 1), "")
            .help("remove the file, unless a future node will read it");
        findings.push(match needs.filter(|needs| !needs.is_empty()) {
            Some(needs) => finding.note(format!("a node with {needs} would")),
            None => finding,
        });
    }
    findings
}

/// The probable intended name: that of a missing file in the same folder which a level reads by a path without
/// variables, if it is similar.
fn meant<'r>(repository: &'r Repository, path: &Path) -> Option<&'r str> {
    let name = path.file_name()?.to_str()?;
    let levels = repository.configs.iter().flat_map(|config| &config.levels);
    let paths = levels.flat_map(|level| &level.level.sources).map(|source| Path::new(&source.text));
    let beside = paths.filter(|other| other.parent() == path.parent() && !repository.readable().exists(other));
    let names = beside.filter_map(|other| other.file_name()?.to_str()).filter(|name| !name.contains("%{"));
    hieratic_diagnostics::nearest(name, names)
}
