//! Code actions at a key or a value of data.

use std::collections::HashMap;

use lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Url, WorkspaceEdit};

use super::{moves, secrets};
use crate::document::{Document, Language};
use crate::keys::{Name, Value};
use crate::snapshot::Snapshot;

/// Returns the code actions at an offset.
pub(crate) fn actions(snapshot: &Snapshot, document: &Document, offset: usize) -> Vec<CodeAction> {
    let mut found = Vec::new();
    let keys = document.keys();
    let Some((index, is_key)) = keys.at(offset) else { return found };
    if document.language == Language::Yaml && !is_key {
        found.extend(scalar(document, index));
    }
    if document.language == Language::Yaml && keys.is_whole {
        found.extend(secrets::actions(snapshot, document, index));
    }
    if keys.is_whole
        && let Some(top) = keys.top_of(index)
        && let Some(Name::Key(key, _)) = keys.node(top).map(|node| &node.name)
    {
        found.extend(moves::actions(snapshot, document, key));
    }
    found
}

/// Scalars that Ruby reads as something else than most people mean.
fn scalar(document: &Document, index: usize) -> Vec<CodeAction> {
    let Some(node) = document.keys().node(index) else { return Vec::new() };
    let Value::Scalar(text, false) = &node.value else { return Vec::new() };
    let mut offered: Vec<(String, String)> = Vec::new();
    let digits = text
        .strip_prefix('0')
        .filter(|rest| !rest.is_empty() && rest.bytes().all(|byte| (b'0'..=b'7').contains(&byte)));
    if let Some(digits) = digits {
        let number = i64::from_str_radix(digits, 8).unwrap_or_default();
        offered.push((format!("Write the string '{text}' (unquoted, it is the number {number})"), format!("'{text}'")));
        offered.push((format!("Write the number {number} plainly"), number.to_string()));
    }
    let is_true = ["yes", "Yes", "YES", "on", "On", "ON"].contains(&text.as_str());
    let is_false = ["no", "No", "NO", "off", "Off", "OFF"].contains(&text.as_str());
    if is_true || is_false {
        offered.push((format!("Write '{text}' as {is_true}"), is_true.to_string()));
        offered.push((format!("Write the string '{text}'"), format!("'{text}'")));
    }
    let range = document.range(node.span);
    let edit = |(title, text)| action(title, CodeActionKind::QUICKFIX, document.uri.clone(), range, text);
    offered.into_iter().map(edit).collect()
}

pub(super) fn action(title: String, kind: CodeActionKind, uri: Url, range: Range, text: String) -> CodeAction {
    let edits = HashMap::from([(uri, vec![TextEdit { range, new_text: text }])]);
    CodeAction {
        title,
        kind: Some(kind),
        edit: Some(WorkspaceEdit { changes: Some(edits), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    }
}
