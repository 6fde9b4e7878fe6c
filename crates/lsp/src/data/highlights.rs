//! Highlights of a key in a data file.

use hieratic::hiera::inspect::{InterpolationKind, interpolations};
use hieratic_diagnostics::Span;
use hieratic_lint::LOOKUP_OPTIONS;
use lsp_types::{DocumentHighlight, DocumentHighlightKind};

use super::cursor::{Cursor, at};
use super::define::key_at;
use crate::document::Document;
use crate::keys::Name;

/// Returns the definitions, lookups and options of the key at an offset in a document; for an alias, its anchor and
/// other aliases.
pub(crate) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    let is_data = document.language.has_keys();
    if !is_data {
        return None;
    }
    let mut found: Vec<Span> = Vec::new();
    let keys = document.keys();
    if let Some(Cursor::Alias(name, _)) = at(document, offset) {
        let is_same = |node: &&crate::keys::KeyNode| {
            node.anchor.as_ref() == Some(&name) || matches!(&node.value, crate::keys::Value::Alias(of) if *of == name)
        };
        found.extend(keys.nodes().iter().filter(is_same).map(|node| match (&node.name, &node.anchor) {
            (Name::Key(_, span), Some(_)) => *span,
            _ => node.span,
        }));
    } else {
        let key = key_at(document, offset)?;
        found.extend(keys.top().filter(|(_, name, ..)| *name == key).map(|(_, _, span, _)| span));
        if let Some((options, ..)) = keys.top().find(|(_, name, ..)| *name == LOOKUP_OPTIONS) {
            found.extend(keys.children(options).filter_map(|(_, node)| match &node.name {
                Name::Key(name, span) if *name == key => Some(*span),
                _ => None,
            }));
        }
        if document.text.contains("%{") {
            found.extend(interpolations(&document.text).into_iter().filter_map(|one| match &one.kind {
                InterpolationKind::Lookup(of) | InterpolationKind::Alias { key: of, .. } => {
                    let is_same = hieratic::lookup::Key::parse(of).is_ok_and(|of| **of.root() == *key);
                    is_same.then_some(Span::from(one.range.clone()))
                }
                _ => None,
            }));
        }
    }
    let lit = found
        .into_iter()
        .map(|span| DocumentHighlight { range: document.range(span), kind: Some(DocumentHighlightKind::TEXT) });
    Some(lit.collect())
}
