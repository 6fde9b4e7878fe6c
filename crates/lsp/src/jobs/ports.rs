//! Ports of a group: their labels in `network`, and their uses in tasks and services.

use hieratic_hcl_syntax::{Block, Span};

use super::docs;
use super::structure::{around, within_quotes};
use crate::document::Document;

/// A port that is named.
pub(super) struct PortReference {
    /// The name, with its quotes.
    pub(super) span: Span,
    /// The label of the port.
    pub(super) label: Span,
    /// The block of the port.
    block: Span,
}

/// The labels of the ports of the group around an offset, with their blocks.
pub(super) fn labels(way: &[&Block]) -> Vec<(String, Span, Span)> {
    let Some(group) = way.iter().find(|block| &*block.kind == "group") else { return Vec::new() };
    // The network of a task has been replaced by that of its group, and is still allowed.
    let tasks = way.iter().filter(|block| &*block.kind == "task").flat_map(|task| &task.body.blocks);
    let resources = tasks.filter(|block| &*block.kind == "resources").flat_map(|resources| &resources.body.blocks);
    let networks = group.body.blocks.iter().chain(resources).filter(|block| &*block.kind == "network");
    let ports = networks.flat_map(|network| &network.body.blocks).filter(|block| &*block.kind == "port");
    let labelled = ports.filter_map(|port| {
        let label = port.labels.first()?;
        Some((label.text.to_string(), label.span, port.span()))
    });
    labelled.collect()
}

/// Returns whether the values of an argument name ports.
pub(super) fn names_ports(argument: &str) -> bool {
    matches!(argument, "port" | "ports")
}

/// The port that is named at an offset.
pub(super) fn at(document: &Document, offset: usize) -> Option<PortReference> {
    let way = around(&document.hcl().tree, offset);
    let attributes = way.last()?.body.attributes();
    let attribute = attributes.iter().find(|one| one.span.touches(offset) && names_ports(&one.name))?;
    if attribute.name_span.touches(offset) {
        return None;
    }
    let span = quoted_at(document, offset)?;
    let name = document.slice(within_quotes(document, span));
    let (_, label, block) = labels(&way).into_iter().find(|(label, ..)| label == name)?;
    Some(PortReference { span, label, block })
}

/// The string around an offset on its line, with its quotes.
fn quoted_at(document: &Document, offset: usize) -> Option<Span> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    let quotes: Vec<usize> = document.slice(line.clone()).match_indices('"').map(|(at, _)| line.start + at).collect();
    let pairs = quotes.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1] + 1));
    pairs.into_iter().find(|span| span.touches(offset))
}

/// Describes a port: its block and its kind.
pub(super) fn describe(document: &Document, port: &PortReference) -> String {
    let text = document.slice(port.block).replace("```", "'''");
    let docs = docs::documentation("network", "port").map(|docs| format!("\n\n{docs}")).unwrap_or_default();
    format!("```hcl\n{text}\n```{docs}")
}
