//! Renaming of keys in documents with merge directives, together with the paths of the directives that name them.
//!
//! A rename succeeds only if the expanded document differs only in the name.

use std::sync::Arc;

use hieratic::directives::Record;
use hieratic::value::ErasedSort as _;
use hieratic::{Hash, Value as Plain};
use hieratic_diagnostics::Span;
use lsp_server::ResponseError;
use lsp_types::{PrepareRenameResponse, TextEdit, WorkspaceEdit};

use crate::client::failed;
use crate::directives::{expanded, has_directives};
use crate::document::Document;
use crate::edits::{Edits, workspace_edit};
use crate::keys::{Keys, Name, Value};
use crate::snapshot::Snapshot;

/// A key of a document that is renamed.
struct RenamedKey {
    /// The names from the root of the document.
    path: Vec<String>,
    /// The spans of the name: where the key is written, and in paths of directives.
    spans: Vec<Span>,
}

/// Returns the name at an offset; `None` if it is none that paths of directives can have, or is data of a hierarchy.
pub(crate) fn prepare(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<PrepareRenameResponse> {
    if !has_directives(document) || snapshot.data_of(&document.path).is_some() {
        return None;
    }
    let (key, span) = target(document, offset)?;
    let placeholder = key.path.last()?.clone();
    Some(PrepareRenameResponse::RangeWithPlaceholder { range: document.range(span), placeholder })
}

/// Returns the edit that renames the key at an offset.
pub(crate) fn rename(
    snapshot: &Snapshot,
    document: &Arc<Document>,
    offset: usize,
    to: &str,
) -> Result<WorkspaceEdit, ResponseError> {
    let (key, _) = target(document, offset).ok_or_else(|| failed("only keys of maps can be renamed here"))?;
    let name = key.path.last().map_or("", String::as_str);
    let refused = |reason: String| failed(format!("'{name}' was not renamed: {reason}"));
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if !to.starts_with(char::is_alphanumeric) || !to.chars().all(is_plain) {
        return Err(refused(format!("'{to}' cannot be a part of the path of a directive")));
    }
    if let Some(line) = expression_with(document, name) {
        return Err(refused(format!("line {line} has an expression that may name it")));
    }
    let mut changed = document.text.to_string();
    for span in key.spans.iter().rev() {
        changed.replace_range(span.range(), to);
    }
    let before = expanded_value(snapshot, document).map_err(refused)?;
    let after = expanded_value(snapshot, &document.with_text(&changed)).map_err(refused)?;
    if renamed(&before, &key.path, to) != Some(after) {
        return Err(refused("the expanded document would differ in more than the name".to_owned()));
    }
    let edits = key.spans.iter().map(|span| TextEdit { range: document.range(*span), new_text: to.to_owned() });
    Ok(workspace_edit(snapshot, vec![Edits::new(document.clone(), edits.collect())]))
}

/// Returns a document as it is expanded, or why it cannot be.
fn expanded_value(snapshot: &Snapshot, document: &Document) -> Result<Plain, String> {
    match expanded(snapshot, document, Record::Nothing) {
        Ok(expanded) => Ok(expanded.to_value()),
        Err(failure) => {
            let messages: Vec<&str> = failure.diagnostics().iter().map(|one| one.message.as_str()).collect();
            Err(messages.join("; "))
        }
    }
}

/// Returns the key at an offset, or the one that the part of a directive's path at an offset names, with the span of the name there.
fn target(document: &Document, offset: usize) -> Option<(RenamedKey, Span)> {
    let keys = document.keys();
    let paths = directive_paths(keys, document);
    let in_path = paths.iter().find_map(|path| {
        let index = path.spans.iter().position(|span| span.touches(offset))?;
        Some((path.names.get(..path.base + index + 1)?.to_vec(), path.spans[index]))
    });
    let (path, span) = match in_path {
        Some(found) => found,
        None => {
            let (index, is_key) = keys.at(offset)?;
            let Name::Key(name, span) = &keys.node(index)?.name else { return None };
            let is_written = is_key && !name.starts_with('+') && document.slice(*span) == name;
            let path = plain_path(keys, index).filter(|_| is_written)?;
            (path, *span)
        }
    };
    let written = keys.nodes().iter().enumerate().filter_map(|(index, node)| match &node.name {
        Name::Key(name, span) if document.slice(*span) == name => Some((plain_path(keys, index)?, *span)),
        _ => None,
    });
    let own = written.filter(|(of, _)| *of == path).map(|(_, span)| span);
    let named = paths.iter().filter_map(|named| {
        let at = path.len().checked_sub(named.base + 1)?;
        (named.names.get(..path.len()) == Some(&path)).then(|| named.spans.get(at).copied())?
    });
    let mut spans: Vec<Span> = own.chain(named).collect();
    spans.sort_erased_by_key(|span| span.start);
    spans.dedup();
    Some((RenamedKey { path, spans }, span))
}

/// The path of a directive: `+/a/b`, `+./b`, `+../b`.
struct DirectivePath {
    /// The names from the root of the document.
    names: Vec<String>,
    /// The number of names before those that are written.
    base: usize,
    /// The spans of the written names.
    spans: Vec<Span>,
}

fn directive_paths(keys: &Keys, document: &Document) -> Vec<DirectivePath> {
    let paths = keys.nodes().iter().enumerate().filter_map(|(index, node)| {
        let Name::Key(key, span) = &node.name else { return None };
        let start = span.first() + document.slice(*span).find('+')?;
        let written = key.strip_prefix('+').filter(|_| document.slice(*span).contains(key.as_str()))?;
        let outer = plain_path(keys, keys.node(index)?.parent?)?;
        let (front, path) = written.split_once('/')?;
        let mut names = match front.trim_start_matches('?') {
            "" => Vec::new(),
            "." => outer,
            ".." => outer[..outer.len().checked_sub(1)?].to_vec(),
            _ => return None,
        };
        let base = names.len();
        let mut at = start + 1 + front.len() + 1;
        let mut spans = Vec::new();
        for part in path.split('/') {
            spans.push(Span::new(at, at + part.len()));
            at += part.len() + 1;
            names.push(part.to_owned());
        }
        Some(DirectivePath { names, base, spans })
    });
    paths.collect()
}

/// The names from the root to a value; `None` through a list, or under a directive.
fn plain_path(keys: &Keys, index: usize) -> Option<Vec<String>> {
    let mut path = Vec::new();
    let mut at = Some(index);
    while let Some(index) = at {
        let node = keys.node(index)?;
        match &node.name {
            Name::Key(name, _) if !name.starts_with('+') => path.push(name.clone()),
            Name::Root => {}
            _ => return None,
        }
        at = node.parent;
    }
    path.reverse();
    Some(path)
}

/// The line of an expression that contains a name: expressions find keys by paths, too.
fn expression_with(document: &Document, name: &str) -> Option<usize> {
    let is_word = |text: &str| {
        text.match_indices(name).any(|(at, _)| {
            let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part)
        })
    };
    let is_expression = |text: &str| text.contains("::") || text.contains("{{") || text.contains("SELF");
    let found = document.keys().nodes().iter().find(|node| {
        matches!(&node.value, Value::Scalar(text, _) if is_word(text) && (is_expression(text) || is_in_expression(document.keys(), node.parent)))
    })?;
    Some(document.lines.line_of(found.span.first()) + 1)
}

/// Returns whether a value is below a key whose value is an expression.
fn is_in_expression(keys: &Keys, parent: Option<usize>) -> bool {
    const KEYS: [&str; 7] = ["eval", "q", "ref", "get_property", "get_attribute", "get_input", "foreach"];
    let mut at = parent;
    while let Some(node) = at.and_then(|index| keys.node(index)) {
        if matches!(&node.name, Name::Key(name, _) if KEYS.contains(&name.as_str())) {
            return true;
        }
        at = node.parent;
    }
    false
}

/// Returns a value in which the key at a path has another name, in its place.
fn renamed(value: &Plain, path: &[String], to: &str) -> Option<Plain> {
    let (first, rest) = path.split_first()?;
    let hash = value.as_hash()?;
    let pairs = hash.iter().map(|(key, value)| {
        let is_it = key.as_str() == Some(first);
        Some(match (is_it, rest) {
            (false, _) => (key.clone(), value.clone()),
            (true, []) => (Plain::from(to), value.clone()),
            (true, rest) => (key.clone(), renamed(value, rest, to)?),
        })
    });
    let hash: Option<Hash> = pairs.collect();
    hash.map(Plain::Hash)
}
