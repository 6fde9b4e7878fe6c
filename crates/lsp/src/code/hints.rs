//! Inlay hints in code: the types of variables.

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range};

use super::infer::TypeInference;
use crate::document::Document;
use crate::snapshot::Snapshot;

/// The maximum length of a type in a hint, in characters.
const MAX_TYPE_LENGTH: usize = 40;

/// The hints of a part of a document.
pub(crate) fn hints(snapshot: &Snapshot, document: &Document, range: Range) -> Vec<InlayHint> {
    let outline = snapshot.outline_of(&document.path);
    let types = TypeInference::new(snapshot.view_of(&document.path), &outline, document);
    let visible = document.lines.span(&document.text, range);
    let hint = |(at, kind): (usize, hieratic::puppet_types::Type)| {
        let whole = kind.to_string();
        let label = if whole.chars().count() > MAX_TYPE_LENGTH {
            whole.chars().take(MAX_TYPE_LENGTH).chain(['…']).collect()
        } else {
            whole
        };
        InlayHint {
            position: document.lines.position(&document.text, at),
            label: InlayHintLabel::String(format!(": {label}")),
            kind: Some(InlayHintKind::TYPE),
            text_edits: None,
            tooltip: None,
            padding_left: None,
            padding_right: None,
            data: None,
        }
    };
    types.variable_types(visible).into_iter().map(hint).collect()
}
