//! Refactoring plans for unsaved files, converted to edits. A plan changes no answer.

use std::sync::Arc;

use hieratic::{Facts, Redactor, Settings};
use hieratic_lint::{View, nodes_of_data_about, shown_node};
use hieratic_refactor::{FileChange, Plan, Proof};
use lsp_server::ResponseError;
use lsp_types::TextEdit;

use crate::client::failed;
use crate::document::Document;
use crate::edits::Edits;
use crate::snapshot::Snapshot;

/// The maximum number of reasons against a plan that are listed, and of nodes for each.
const MAX_REASONS: usize = 5;

/// Returns the settings for opening an environment with its unsaved files.
pub(crate) fn settings(snapshot: &Snapshot, view: &View) -> Result<Settings, ResponseError> {
    let root = snapshot.root_of(view.root()).ok_or_else(|| failed("the file is not in an open folder"))?;
    let tree = Some(snapshot.mount_edits(root));
    Ok(Settings { tree, ..view.settings().clone() })
}

/// Converts the reason why a plan is impossible to an error response.
pub(crate) fn refusal_to_error(refusal: hieratic_refactor::PlanError) -> ResponseError {
    failed(format!("{}; {}", refusal.message, refusal.help))
}

/// Returns the answers that a plan about some keys would change.
pub(crate) fn unexpected_changes(
    snapshot: &Snapshot,
    view: &View,
    settings: &Settings,
    plan: &Plan,
    keys: &[&str],
) -> Result<Vec<String>, ResponseError> {
    let nodes = nodes(snapshot, plan, keys);
    let redactor = Redactor::new(view.environment().secrets(), false);
    let proof =
        plan.proof(settings, &nodes, snapshot.limits, &redactor, &()).map_err(|error| failed(error.to_string()))?;
    Ok(describe_changes(&proof, &nodes))
}

/// The nodes whose answers are compared: those of the files of facts, and those that the paths of the data describe. Of the latter, one
/// for those that read the same files about the keys.
fn nodes(snapshot: &Snapshot, plan: &Plan, keys: &[&str]) -> Vec<Facts> {
    let mut nodes = snapshot.chosen.nodes.clone();
    if let Some(facts) = &snapshot.chosen.facts
        && !nodes.iter().any(|known| known.node() == facts.node())
    {
        nodes.push(facts.clone());
    }
    // A plan is checked in all environments that read the changed files.
    let changed = plan.changes().map(|(path, _)| path).collect();
    nodes.extend(nodes_of_data_about(&plan.environments().iter().collect::<Vec<_>>(), keys, &changed));
    nodes
}

/// Converts a plan to edits of documents.
pub(crate) fn edits(snapshot: &Snapshot, plan: &Plan) -> Result<Vec<Edits>, ResponseError> {
    let mut all = Vec::new();
    for (path, change) in plan.changes() {
        let refused = |reason: &str| failed(format!("{} {reason}", plan.shown(path)));
        let document = snapshot.document(path).ok_or_else(|| refused("is not in an open folder"))?;
        if change.before.as_deref() != Some(&*document.text) {
            return Err(refused("changed meanwhile; try again"));
        }
        all.push(to_edits(document, change));
    }
    Ok(all)
}

/// Converts a change of a file to edits of its document.
pub(crate) fn to_edits(document: Arc<Document>, change: &FileChange) -> Edits {
    let document = without_byte_order_mark(document);
    let skipped = change.before.as_ref().map_or(0, |before| before.len() - document.text.len());
    let edit = |(range, text): (std::ops::Range<usize>, &str)| TextEdit {
        range: document.range(range.start.saturating_sub(skipped)..range.end.saturating_sub(skipped)),
        new_text: text.to_owned(),
    };
    let edits = change.edits().into_iter().map(edit).collect();
    Edits::new(document, edits)
}

/// A document of the disk as an editor opens it: without the mark of its encoding.
fn without_byte_order_mark(document: Arc<Document>) -> Arc<Document> {
    match document.text.strip_prefix('\u{feff}') {
        Some(text) if document.version.is_none() => Arc::new(document.with_text(text)),
        _ => document,
    }
}

/// The answers that would be others, and those that cannot be judged.
fn describe_changes(proof: &Proof, nodes: &[Facts]) -> Vec<String> {
    let describe = |surprise: &hieratic_refactor::UnexpectedChange| {
        let mut names: Vec<String> =
            surprise.nodes.iter().filter_map(|node| nodes.get(*node)).map(shown_node).collect();
        names.dedup();
        let more = names.len().saturating_sub(MAX_REASONS);
        names.truncate(MAX_REASONS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let key = if surprise.key.is_empty() { String::new() } else { format!("'{}': ", surprise.key) };
        let within = match surprise.environments.as_slice() {
            [] => String::new(),
            names => format!(" in environment {}", names.join(", ")),
        };
        format!("{key}{} on {}{more}{within}", surprise.what, names.join(", "))
    };
    let unopened =
        proof.unchecked.iter().map(|(name, reason)| format!("the environment {name} cannot be opened: {reason}"));
    let failing = proof.failing.iter().map(|(reason, nodes)| {
        let nouns = if nodes.len() == 1 { "node" } else { "nodes" };
        format!("{} {nouns} cannot be looked up: {reason}", nodes.len())
    });
    proof.unexpected.iter().map(describe).chain(unopened).chain(failing).collect()
}

/// The first of many reasons, one in a line.
pub(crate) fn list_reasons(mut reasons: Vec<String>) -> String {
    let more = reasons.len().saturating_sub(MAX_REASONS);
    reasons.truncate(MAX_REASONS);
    let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
    format!("{}{more}", reasons.join("\n"))
}
