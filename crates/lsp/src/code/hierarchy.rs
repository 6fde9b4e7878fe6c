//! The call hierarchy: the classes, defined types and functions that declare or call a definition, and those that it
//! uses.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hieratic_diagnostics::Span;
use lsp_server::ResponseError;
use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Location, Range, SymbolKind, Url,
};

use super::references::places;
use super::symbol_at::{CodeWords, Symbol};
use crate::document::{Document, Language};
use crate::outline::{Definition, DefinitionKind, Outline, definitions};
use crate::paths::path_of;
use crate::snapshot::Snapshot;
use crate::symbols::kind_of;

/// Returns the definitions that the word at an offset names.
pub(crate) fn prepare(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<CallHierarchyItem>> {
    let words = CodeWords::new(document);
    let symbol = words.symbol(words.index_at(offset)?)?;
    let outline = snapshot.outline_of(&document.path);
    let found: Vec<_> = defined(&outline, &symbol).filter_map(|one| item(snapshot, one)).collect();
    (!found.is_empty()).then_some(found)
}

/// Returns where the definition of an item is used, by the definitions around.
pub(crate) fn incoming(
    snapshot: &Snapshot,
    item: &CallHierarchyItem,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, ResponseError> {
    let Some((path, definition)) = definition_of(snapshot, item) else { return Ok(None) };
    let Some(view) = snapshot.view_of(&path) else { return Ok(None) };
    let symbol = symbol_of(&definition);
    let mut callers: BTreeMap<(Url, u32), CallHierarchyIncomingCall> = BTreeMap::new();
    for place in places(snapshot, view, &symbol)? {
        snapshot.check_cancelled()?;
        // The definition itself is not a call.
        if place.uri == item.uri && place.range == item.selection_range {
            continue;
        }
        let Some(caller) = around(snapshot, &place) else { continue };
        let key = (caller.uri.clone(), caller.selection_range.start.line);
        let call = callers.entry(key).or_insert(CallHierarchyIncomingCall { from: caller, from_ranges: Vec::new() });
        call.from_ranges.push(place.range);
    }
    Ok(Some(callers.into_values().collect()))
}

/// Returns the definitions that the definition of an item uses.
pub(crate) fn outgoing(
    snapshot: &Snapshot,
    item: &CallHierarchyItem,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, ResponseError> {
    let Some((path, definition)) = definition_of(snapshot, item) else { return Ok(None) };
    let Some(document) = snapshot.document(&path) else { return Ok(None) };
    let outline = snapshot.outline_of(&path);
    let words = CodeWords::new(&document);
    let mut callees: BTreeMap<(Url, u32), CallHierarchyOutgoingCall> = BTreeMap::new();
    for index in words.first_behind(definition.span.first())..words.len() {
        let span = words.extent(index);
        if span.first() >= definition.span.behind() {
            break;
        }
        if span == definition.name_span {
            continue;
        }
        let Some(symbol) = words.symbol(index) else { continue };
        let Some(callee) = defined(&outline, &symbol).find_map(|one| self::item(snapshot, one)) else { continue };
        let key = (callee.uri.clone(), callee.selection_range.start.line);
        let call = callees.entry(key).or_insert(CallHierarchyOutgoingCall { to: callee, from_ranges: Vec::new() });
        call.from_ranges.push(document.range(span));
    }
    Ok(Some(callees.into_values().collect()))
}

/// The definitions that a symbol names.
fn defined<'o>(outline: &'o Outline, symbol: &'o Symbol) -> impl Iterator<Item = &'o Definition> {
    let (name, kinds): (&str, &[DefinitionKind]) = match symbol {
        Symbol::Class(name) => (name, &[DefinitionKind::Class]),
        Symbol::ResourceType(name) => (name, &[DefinitionKind::Define]),
        Symbol::Function(name) => (name, &[DefinitionKind::Function, DefinitionKind::Plan]),
        Symbol::Type(name) => (name, &[DefinitionKind::TypeAlias, DefinitionKind::Define]),
        _ => ("", &[]),
    };
    outline.named(name).filter(move |one| kinds.contains(&one.kind))
}

/// The symbol that calls of a definition have.
fn symbol_of(definition: &Definition) -> Symbol {
    let name = definition.name.clone();
    match definition.kind {
        DefinitionKind::Class => Symbol::Class(name),
        DefinitionKind::Define => Symbol::ResourceType(name),
        DefinitionKind::Function | DefinitionKind::Plan => Symbol::Function(name),
        DefinitionKind::TypeAlias => Symbol::Type(name),
    }
}

fn item(snapshot: &Snapshot, one: &Definition) -> Option<CallHierarchyItem> {
    let document = snapshot.document(&one.path)?;
    Some(item_in(&document, one))
}

fn item_in(document: &Document, one: &Definition) -> CallHierarchyItem {
    CallHierarchyItem {
        name: one.name.clone(),
        kind: kind_of(one.kind),
        tags: None,
        detail: Some(one.kind.word().to_owned()),
        uri: document.uri.clone(),
        range: document.range(one.span),
        selection_range: document.range(one.name_span),
        data: None,
    }
}

/// The definition around a place or, outside of definitions, the file.
fn around(snapshot: &Snapshot, place: &Location) -> Option<CallHierarchyItem> {
    let document = snapshot.document(&path_of(&place.uri)?)?;
    let offset = document.offset(place.range.start);
    let all = document.program().map(|program| definitions(&document.path, program)).unwrap_or_default();
    let inside = all.iter().filter(|one| one.span.range().contains(&offset));
    if let Some(one) = inside.min_by_key(|one| one.span.end - one.span.start) {
        return Some(item_in(&document, one));
    }
    let name = document.path.file_name()?.to_string_lossy().into_owned();
    let detail = if document.language == Language::Epp { "template" } else { "file" };
    Some(CallHierarchyItem {
        name,
        kind: SymbolKind::FILE,
        tags: None,
        detail: Some(detail.to_owned()),
        uri: document.uri.clone(),
        range: document.range(0..document.text.len()),
        selection_range: Range::default(),
        data: None,
    })
}

/// The definition of an item. The document may have changed since.
fn definition_of(snapshot: &Snapshot, item: &CallHierarchyItem) -> Option<(PathBuf, Definition)> {
    let path = path_of(&item.uri)?;
    let document = snapshot.document(&path)?;
    let all = definitions(&path, document.program()?);
    let offset = document.offset(item.selection_range.start);
    let touched = |one: &Definition| Span::touches(one.name_span, offset);
    let found =
        all.into_iter().find(|one| one.name == item.name && (touched(one) || kind_of(one.kind) == item.kind))?;
    Some((path, found))
}
