//! # unread-level
//!
//! No node reads a level. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: a path of the level has variables, and no file in the repository belongs to the level, in any
//! environment. With `--all-nodes`, also: none of the nodes reads a file of the level.
//!
//! Levels whose files are not in git, such as private data, are not reported: paths that `.gitignore` names, and a
//! folder that is not in the checkout although several levels read it, one of them by a path without variables.
//!
//! ## Why it matters
//!
//! Every lookup goes through every level, and so does every reader of the hierarchy.
//!
//! ## How to fix it
//!
//! Remove the level, unless files will follow.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml, without a folder data/virtual
//! hierarchy:
//!   - {name: Virtual, path: 'virtual/%{facts.virtual}.yaml'}
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! hierarchy:
//!   - {name: Common, path: common.yaml}
//! ```
//!
//! A comment `# hieratic: ignore unread-level` on the same line or the line before accepts the finding.

use super::RuleContext;
use crate::finding::Finding;
use crate::hygiene::{LevelFiles, shorter, size_of_level};
use crate::rules;
use crate::workspace::data::Reader;
use crate::workspace::hierarchy::at_level;
use crate::workspace::list;

/// Finds the levels of the environment without files or, if all nodes are known, those whose files none of them reads.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, known) = (cx.workspace, cx.nodes);
    let level_files = LevelFiles::new(workspace);
    for (config_index, config) in workspace.configs.iter().enumerate().filter(|(_, config)| config.module.is_none()) {
        for (index, level) in config.levels.iter().enumerate() {
            if level.reader == Reader::Other || level.patterns.is_empty() {
                continue;
            }
            // Data that is deployed to other folders cannot be checked.
            let root = workspace.root();
            if level.patterns.iter().any(|pattern| !pattern.root.starts_with(&root)) {
                continue;
            }
            if workspace.incomplete_levels.contains(&(config_index, index)) {
                continue;
            }
            // An unread file may belong to the level.
            if workspace.unreadable.iter().any(|path| {
                let text = path.to_str().unwrap_or_default();
                level.patterns.iter().any(|pattern| pattern.lead_to(text, workspace.environment.name()).is_some())
            }) {
                continue;
            }
            let files = level_files.of(config_index, index);
            let name = &level.level.name;
            let message = if files.is_empty() {
                // A path that is written out is there for a file that something else brings, such as secrets.
                if level.patterns.iter().all(|pattern| !pattern.varies()) {
                    continue;
                }
                format!("No node reads the level '{name}': there is no file for it")
            } else if cx.options.all_nodes
                && known.has_all_facts()
                && known.faults.is_empty()
                && !files.iter().any(|file| known.readers_of(*file).next().is_some())
            {
                format!("None of the {} nodes reads the level '{name}'", known.nodes.len())
            } else {
                continue;
            };
            let paths: Vec<&str> = level.level.sources.iter().map(|source| source.text.as_str()).collect();
            let root = format!("{}/", root.display());
            let shown: Vec<&str> = paths.iter().map(|path| path.strip_prefix(&root).unwrap_or(path)).collect();
            let finding = Finding::new(&rules::UNREAD_LEVEL, message);
            let finding = at_level(finding, &level.level, config.source.as_ref(), &config.root);
            let finding = finding.note(format!("it reads {}", list(&shown)));
            let bytes = config.source.as_ref().and_then(|source| size_of_level(source.text(), name));
            let finding = match bytes {
                Some(bytes) => finding.note(shorter(bytes)),
                None => finding,
            };
            cx.report(finding.help("remove it, unless files will follow"));
        }
    }
}
