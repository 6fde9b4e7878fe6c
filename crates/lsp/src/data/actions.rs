//! Changes of data that an editor offers at a key or a value.

use std::collections::HashMap;

use hieratic_audit::{Reader, View};
use lsp_types::{CodeAction, CodeActionKind, Position, Range, TextEdit, Url, WorkspaceEdit};

use super::secrets;
use crate::document::{Document, Language};
use crate::keys::{Name, Value};
use crate::world::World;

/// How many other files are offered.
const MOST: usize = 8;

/// What is offered at a place.
pub(crate) fn actions(world: &World, document: &Document, offset: usize) -> Vec<CodeAction> {
    let mut found = Vec::new();
    let keys = document.keys();
    let Some((index, is_key)) = keys.at(offset) else { return found };
    if document.language == Language::Yaml && !is_key {
        found.extend(scalar(document, index));
    }
    if document.language == Language::Yaml && keys.is_whole {
        found.extend(secrets::actions(world, document, index));
    }
    if let Some((view, file)) = world.data_of(&document.path)
        && let Some(top) = keys.top_of(index)
        && document.language == Language::Yaml
        && keys.is_whole
    {
        found.extend(copies(world, view, file.path(), document, top));
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
        offered.push((format!("Write the string '{text}' (this is the number {number})"), format!("'{text}'")));
        offered.push((format!("Write the number {number}, which this is"), number.to_string()));
    }
    let is_true = ["yes", "Yes", "YES", "on", "On", "ON"].contains(&text.as_str());
    let is_false = ["no", "No", "NO", "off", "Off", "OFF"].contains(&text.as_str());
    if is_true || is_false {
        offered.push((format!("Write {is_true}, which '{text}' is"), is_true.to_string()));
        offered.push((format!("Write the string '{text}'"), format!("'{text}'")));
    }
    let range = document.range(node.span.start, node.span.end);
    let edit = |(title, text)| action(title, CodeActionKind::QUICKFIX, document.uri.clone(), range, text);
    offered.into_iter().map(edit).collect()
}

/// The key with its value in other files that the same hierarchy reads and that do not have it.
fn copies(world: &World, view: &View, path: &std::path::Path, document: &Document, top: usize) -> Vec<CodeAction> {
    let keys = document.keys();
    let Some(Name::Key(key, _)) = keys.node(top).map(|node| &node.name) else { return Vec::new() };
    let span = keys.whole(top);
    let line = document.lines.line_of(span.start);
    let start = document.lines.line(&document.text, line).start;
    // In braces a key is no line of its own, and what aliases mean is elsewhere.
    let written = document.slice(span.start, span.end);
    let has_alias = keys
        .nodes()
        .iter()
        .skip(top)
        .take_while(|node| node.span.start < span.end)
        .any(|node| matches!(node.value, Value::Alias(_)) || node.anchor.is_some());
    if start != span.start || has_alias {
        return Vec::new();
    }
    let module = view.file(path).and_then(|file| view.module_of(file));
    let others = view.files().iter().filter(|other| {
        let is_yaml = matches!(other.reader(), Reader::Yaml);
        let has = other.entries().any(|(name, _)| name == key);
        other.path() != path && is_yaml && !has && view.module_of(other) == module
    });
    // The most general files are offered first: every node reads them.
    let mut others: Vec<_> = others.collect();
    others.sort_by_key(|other| (other.path().components().count(), other.path().to_owned()));
    let mut found = Vec::new();
    for other in others.into_iter().take(MOST) {
        let Some(target) = world.document(other.path()) else { continue };
        let end = target.lines.position(&target.text, target.text.len());
        let has_end = target.text.is_empty() || target.text.ends_with('\n');
        let breaks = if target.text.contains("\r\n") { "\r\n" } else { "\n" };
        let lines = written.trim_end().replace("\r\n", "\n").replace('\n', breaks);
        let text = format!("{}{lines}{breaks}", if has_end { "" } else { breaks });
        let name = other.path().strip_prefix(view.root()).unwrap_or(other.path()).display().to_string();
        let title = format!("Copy '{key}' to {name}");
        let at = Range { start: Position { ..end }, end };
        found.push(action(title, CodeActionKind::REFACTOR, target.uri.clone(), at, text));
    }
    found
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
