//! Hints in code: the types of what variables are set to.

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, Range};

use super::infer::Types;
use crate::document::Document;
use crate::world::World;

/// The maximum length of a type in a hint, in characters.
const SHORT: usize = 40;

/// The hints of a part of a document.
pub(crate) fn hints(world: &World, document: &Document, range: Range) -> Vec<InlayHint> {
    let outline = world.outline_of(&document.path);
    let types = Types::new(world.view_of(&document.path), &outline, document);
    let wanted = document.lines.span(&document.text, range);
    let hint = |(at, kind): (usize, hieratic::Type)| {
        let whole = kind.to_string();
        let label = match whole.chars().count() > SHORT {
            true => whole.chars().take(SHORT).chain(['…']).collect(),
            false => whole,
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
    types.of_variables(wanted).into_iter().map(hint).collect()
}
