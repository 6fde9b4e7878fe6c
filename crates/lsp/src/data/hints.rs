//! Inlay hints after keys of data: the effect of each value for the chosen node.

use hieratic::Query;
use hieratic::explain::PartStatus;
use lsp_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

use super::markdown;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum number of keys of a file that are looked up at once.
const MAX_KEYS: usize = 400;

/// The hints of a part of a file.
pub(crate) fn hints(snapshot: &Snapshot, document: &Document, range: Range) -> Vec<InlayHint> {
    let Some((view, file)) = snapshot.data_of(&document.path) else { return Vec::new() };
    let Some(context) = snapshot.node_for(view, Some(file)) else { return Vec::new() };
    // A node that was chosen may not read the file at all.
    let reads = context.node.sources().is_ok_and(|sources| sources.iter().any(|source| source == file.path()));
    if !reads {
        return Vec::new();
    }
    let visible = document.lines.span(&document.text, range);
    let top =
        document.keys().top().filter(|(_, _, span, _)| span.first() >= visible.start && span.first() <= visible.end);
    let mut hints = Vec::new();
    for (_, key, span, _) in top.take(MAX_KEYS) {
        if key == hieratic_lint::LOOKUP_OPTIONS || snapshot.check_cancelled().is_err() {
            continue;
        }
        let quoted = hieratic::lookup::quoted_key(key);
        let why = context.node.why(&Query::new(&quoted));
        let own = |layer: &&hieratic::explain::WhyLayer| matches!(&layer.place, Some(hieratic::lookup::Origin::File { file: at, .. }) if **at == *file.path());
        let label = if let Some(layer) = why.layers.iter().find(own) {
            let all_gone = !layer.parts.is_empty() && layer.parts.iter().all(|part| part.status != PartStatus::Kept);
            let docs = markdown::describe_status(&context, layer);
            let converted = why.convert_to.as_ref().map(|to| format!("converted to {}", markdown::short(to)));
            match (all_gone || !docs.is_empty(), converted) {
                (true, _) => docs,
                (false, Some(converted)) => converted,
                (false, None) => continue,
            }
        } else if why.hidden.iter().any(|layer| own(&layer)) {
            match why.layers.first().and_then(|layer| layer.place.as_ref()) {
                Some(origin) => format!("overridden by {}", markdown::place(&context, origin)),
                None => "overridden".to_owned(),
            }
        } else {
            continue;
        };
        if label.is_empty() {
            continue;
        }
        let line = document.lines.line(&document.text, document.lines.line_of(span.first()));
        hints.push(InlayHint {
            position: document.lines.position(&document.text, line.end),
            label: InlayHintLabel::String(label),
            kind: None,
            text_edits: None,
            tooltip: Some(InlayHintTooltip::String(format!("For {}", context.described()))),
            padding_left: Some(true),
            padding_right: None,
            data: None,
        });
    }
    hints
}
