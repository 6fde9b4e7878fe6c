//! # unreached-file
//!
//! No node reads a data file. (warning)
//!
//! ## What is found
//!
//! With `--all-nodes`, which treats the given nodes as the whole fleet: a level could match the file, but does not for
//! any of them. The note says what a node would need.
//!
//! ## Why it matters
//!
//! The file belongs to a node, role or site that no longer exists.
//!
//! ## How to fix it
//!
//! Remove it, unless you are about to add a node that reads it.
//!
//! ## Example
//!
//! ```yaml
//! # data
//! # data/nodes/old.example.com.yaml, and no node is called old.example.com
//! ```
//!
//! A comment `# hieratic: ignore unreached-file` on the same line or the line before accepts the finding.

use super::RuleContext;
use crate::finding::Finding;
use crate::rules;
use crate::texts;
use crate::workspace::named;

/// Finds the files that none of the nodes reads, if all nodes are known.
pub(super) fn check(cx: &RuleContext<'_>) {
    let (workspace, known) = (cx.workspace, cx.nodes);
    if !cx.options.all_nodes || !known.has_all_facts() {
        return;
    }
    for (number, file) in workspace.files.iter().enumerate() {
        let always = file.reached.iter().any(|reach| {
            let level = &workspace.config(file).levels[reach.level];
            reach.bindings.is_empty() && level.patterns.iter().any(|pattern| !pattern.varies())
        });
        if always || known.readers_of(number).next().is_some() {
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
        cx.report(match needs.filter(|needs| !needs.is_empty()) {
            Some(needs) => finding.note(format!("a node with {needs} would")),
            None => finding,
        });
    }
}
