//! Levels that no node reads.

use super::findings::{shorter, size_of_level};
use crate::finding::Finding;
use crate::options::Options;
use crate::repository::data::Reader;
use crate::repository::nodes::SampleNodes;
use crate::repository::{Repository, list, named};
use crate::rules;
use crate::texts::written_at;

/// Finds the levels of the environment without files or, if all nodes are known, those whose files none of them reads.
pub(super) fn check(repository: &Repository, known: &SampleNodes<'_>, options: &Options) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (config_index, config) in repository.configs.iter().enumerate().filter(|(_, config)| config.module.is_none()) {
        for (index, level) in config.levels.iter().enumerate() {
            if level.reader == Reader::Other || level.patterns.is_empty() {
                continue;
            }
            // Data that is deployed to other folders cannot be checked.
            let root = repository.root();
            if level.patterns.iter().any(|pattern| !pattern.root.starts_with(&root)) {
                continue;
            }
            if repository.incomplete_levels.contains(&(config_index, index)) {
                continue;
            }
            // An unread file may belong to the level.
            if repository.unreadable.iter().any(|path| {
                let text = path.to_str().unwrap_or_default();
                level.patterns.iter().any(|pattern| pattern.lead_to(text, repository.environment.name()).is_some())
            }) {
                continue;
            }
            let files: Vec<_> = repository
                .files
                .iter()
                .filter(|file| file.config == config_index && file.reached.iter().any(|reach| reach.level == index))
                .collect();
            let name = &level.level.name;
            let message = if files.is_empty() {
                // A path that is written out is there for a file that something else brings, such as secrets.
                if level.patterns.iter().all(|pattern| !pattern.varies()) {
                    continue;
                }
                format!("No node reads the level '{name}': there is no file for it")
            } else if options.all_nodes
                && known.has_all_facts()
                && known.faults.is_empty()
                && !files.iter().any(|file| known.nodes.iter().any(|node| node.files.contains(&file.path)))
            {
                format!("None of the {} nodes reads the level '{name}'", known.nodes.len())
            } else {
                continue;
            };
            let paths: Vec<&str> = level.level.sources.iter().map(|source| source.text.as_str()).collect();
            let root = format!("{}/", root.display());
            let shown: Vec<&str> = paths.iter().map(|path| path.strip_prefix(&root).unwrap_or(path)).collect();
            let finding = Finding::new(&rules::UNREAD_LEVEL, message);
            let place = level.level.place.as_ref();
            let finding = match (&config.source, place.and_then(|place| place.line)) {
                (Some(source), Some(line)) => {
                    let column = place.and_then(|place| place.column).unwrap_or(1);
                    finding.at(source, written_at(source, line, column), "")
                }
                _ => finding.in_file(named(&config.root.join("hiera.yaml"))),
            };
            let finding = finding.note(format!("it reads {}", list(&shown)));
            let bytes = config.source.as_ref().and_then(|source| size_of_level(source.text(), name));
            let finding = match bytes {
                Some(bytes) => finding.note(shorter(bytes)),
                None => finding,
            };
            findings.push(finding.help("remove it, unless files will follow"));
        }
    }
    findings
}
