//! Code actions: fixes of findings, and other edits at the cursor.

use std::collections::HashMap;
use std::path::PathBuf;

use hieratic::value::ErasedSort as _;
use hieratic_lint::{Fix, restyle};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionParams, Diagnostic, DiagnosticSeverity, Range, TextEdit, Url, WorkspaceEdit,
};

use crate::document::{Document, Language};
use crate::snapshot::Snapshot;
use crate::{code, data};

/// Returns the code actions for a range of a document.
pub(crate) fn actions(snapshot: &Snapshot, document: &Document, params: &CodeActionParams) -> Vec<CodeAction> {
    let is_selected = |kind: &CodeActionKind| {
        params.context.only.as_ref().is_none_or(|only| only.iter().any(|only| kind.as_str().starts_with(only.as_str())))
    };
    let mut found = Vec::new();
    let shown = snapshot.publisher.shown(&document.path).unwrap_or_default();
    let touches = |diagnostic: &Diagnostic| {
        diagnostic.range.start <= params.range.end && params.range.start <= diagnostic.range.end
    };
    let fixable = shown.fixable(snapshot.capabilities.encoding);
    if is_selected(&CodeActionKind::QUICKFIX) {
        let mut touched: Vec<_> = fixable.iter().filter(|(diagnostic, _)| touches(diagnostic)).collect();
        // The worse finding comes first, then the one about the smaller part.
        touched.sort_erased_by_key(|(diagnostic, _)| (severity_order(diagnostic), extent(diagnostic)));
        for (diagnostic, fixes) in touched {
            let first = diagnostic.message.lines().next().unwrap_or_default();
            found.extend(edit(snapshot, document, fixes).map(|edit| CodeAction {
                title: format!("Fix: {first}"),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(edit),
                is_preferred: Some(true),
                ..CodeAction::default()
            }));
        }
    }
    if is_selected(&CodeActionKind::QUICKFIX) {
        let suggested = shown.suggested(snapshot.capabilities.encoding);
        for (diagnostic, suggestion) in suggested.iter().filter(|(diagnostic, _)| touches(diagnostic)) {
            found.extend(edit(snapshot, document, &suggestion.fixes).map(|edit| CodeAction {
                title: suggestion.title.clone(),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(edit),
                ..CodeAction::default()
            }));
        }
    }
    let all: Vec<Fix> = fixable.iter().flat_map(|(_, fixes)| fixes.iter().cloned()).collect();
    if is_selected(&CodeActionKind::SOURCE_FIX_ALL) && !all.is_empty() {
        found.extend(edit(snapshot, document, &all).map(|edit| CodeAction {
            title: "Fix everything in this file that has one safe fix".to_owned(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(edit),
            ..CodeAction::default()
        }));
    }
    if is_selected(&CodeActionKind::SOURCE_FIX_ALL) {
        found.extend(restyled(snapshot, document));
    }
    // The fix of a finding is offered once.
    if document.language.is_code() && found.iter().all(|one| one.kind != Some(CodeActionKind::QUICKFIX)) {
        let offered = code::actions::actions(document, document.offset(params.range.start));
        found.extend(offered.into_iter().filter(|one| one.kind.as_ref().is_none_or(is_selected)));
    }
    if document.language.has_keys() {
        let offset = document.offset(params.range.start);
        let offered = data::actions::actions(snapshot, document, offset);
        found.extend(offered.into_iter().filter(|one| one.kind.as_ref().is_none_or(is_selected)));
    }
    // Menus list the first action first, and editors apply the preferred one with a key.
    found.sort_erased_by_key(order);
    found
}

/// Returns the action that fixes the style of a manifest, if its style is judged and something can be fixed.
fn restyled(snapshot: &Snapshot, document: &Document) -> Option<CodeAction> {
    let style = snapshot.style.as_ref().filter(|_| document.language == Language::Manifest)?;
    let text = restyle(&document.path, &document.text, style, &snapshot.limits)?;
    if text == *document.text {
        return None;
    }
    let edit = TextEdit { range: document.range(0..document.text.len()), new_text: text };
    let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
    Some(CodeAction {
        title: "Fix the style of this file".to_owned(),
        kind: Some(CodeActionKind::SOURCE_FIX_ALL),
        edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
        ..CodeAction::default()
    })
}

/// The severity of a diagnostic: smaller is worse.
fn severity_order(diagnostic: &Diagnostic) -> u8 {
    match diagnostic.severity {
        Some(DiagnosticSeverity::ERROR) => 0,
        Some(DiagnosticSeverity::WARNING) => 1,
        Some(DiagnosticSeverity::INFORMATION) => 2,
        _ => 3,
    }
}

/// The lines and columns that a diagnostic spans.
fn extent(diagnostic: &Diagnostic) -> (u32, u32) {
    let Range { start, end } = diagnostic.range;
    (end.line.saturating_sub(start.line), end.character.saturating_sub(start.character))
}

/// The order of actions: fixes of findings at the cursor, other fixes, refactorings, and what changes the whole file.
fn order(action: &CodeAction) -> u8 {
    let is_kind =
        |kind: &CodeActionKind| action.kind.as_ref().is_some_and(|own| own.as_str().starts_with(kind.as_str()));
    match action.is_preferred {
        Some(true) => 0,
        _ if is_kind(&CodeActionKind::QUICKFIX) => 1,
        _ if is_kind(&CodeActionKind::SOURCE) => 3,
        _ => 2,
    }
}

/// Returns the edit of fixes; `None` if a file has changed since the findings.
fn edit(snapshot: &Snapshot, document: &Document, fixes: &[Fix]) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    let mut sorted: Vec<&Fix> = fixes.iter().collect();
    sorted.sort_erased_by_key(|fix| (fix.source.name().to_owned(), fix.span.start));
    let mut last: Option<(PathBuf, usize)> = None;
    for fix in sorted {
        let path = std::path::absolute(fix.source.name()).ok()?;
        let other;
        let file = if path == document.path {
            document
        } else {
            other = snapshot.document(&path)?;
            &*other
        };
        if fix.source.text() != &*file.text {
            return None;
        }
        // Two findings may fix the same range.
        if last.as_ref().is_some_and(|(before, end)| *before == path && fix.span.first() < *end) {
            continue;
        }
        let range = file.range(fix.span);
        changes.entry(file.uri.clone()).or_default().push(TextEdit { range, new_text: fix.text.clone() });
        last = Some((path, fix.span.behind().max(fix.span.first() + 1)));
    }
    Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}
