//! Code actions: fixes of findings, and other edits at the cursor.

use std::collections::HashMap;
use std::path::PathBuf;

use hieratic_lint::Fix;
use lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Diagnostic, TextEdit, Url, WorkspaceEdit};

use crate::document::Document;
use crate::snapshot::Snapshot;
use crate::{code, data};

/// Returns the code actions for a range of a document.
pub(crate) fn actions(snapshot: &Snapshot, document: &Document, asked: &CodeActionParams) -> Vec<CodeAction> {
    let wanted = |kind: &CodeActionKind| {
        asked.context.only.as_ref().is_none_or(|only| only.iter().any(|only| kind.as_str().starts_with(only.as_str())))
    };
    let mut found = Vec::new();
    let shown = snapshot.publisher.shown(&document.path).unwrap_or_default();
    let touches = |diagnostic: &Diagnostic| {
        diagnostic.range.start <= asked.range.end && asked.range.start <= diagnostic.range.end
    };
    let fixable = shown.fixable(snapshot.capabilities.encoding);
    if wanted(&CodeActionKind::QUICKFIX) {
        for (diagnostic, fixes) in fixable.iter().filter(|(diagnostic, _)| touches(diagnostic)) {
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
    let all: Vec<Fix> = fixable.iter().flat_map(|(_, fixes)| fixes.iter().cloned()).collect();
    if wanted(&CodeActionKind::SOURCE_FIX_ALL) && !all.is_empty() {
        found.extend(edit(snapshot, document, &all).map(|edit| CodeAction {
            title: "Fix everything in this file that has one safe fix".to_owned(),
            kind: Some(CodeActionKind::SOURCE_FIX_ALL),
            edit: Some(edit),
            ..CodeAction::default()
        }));
    }
    // The fix of a finding is offered once.
    if document.language.is_code() && found.iter().all(|one| one.kind != Some(CodeActionKind::QUICKFIX)) {
        let offered = code::actions::actions(document, document.offset(asked.range.start));
        found.extend(offered.into_iter().filter(|one| one.kind.as_ref().is_none_or(wanted)));
    }
    if document.language.has_keys() {
        let offset = document.offset(asked.range.start);
        let offered = data::actions::actions(snapshot, document, offset);
        found.extend(offered.into_iter().filter(|one| one.kind.as_ref().is_none_or(wanted)));
    }
    found
}

/// Returns the edit of fixes; `None` if a file has changed since the findings.
fn edit(snapshot: &Snapshot, document: &Document, fixes: &[Fix]) -> Option<WorkspaceEdit> {
    let mut changes: HashMap<Url, Vec<TextEdit>> = HashMap::new();
    let mut sorted: Vec<&Fix> = fixes.iter().collect();
    sorted.sort_by_key(|fix| (fix.source.name().to_owned(), fix.span.start));
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
