//! Documents with merge directives: the target of each directive, its definition, and the expanded document.

use std::path::Path;

use hieratic::budget::Budget;
use hieratic::directives::{
    Applied, Document as Source, Effect, Expanded, Failure, Options, Record, ResolvedTarget, expand,
};
use hieratic::documents::IncludedFiles;
use hieratic::yaml_edit::write::{Style, document as written};
use hieratic::{Permissions, Settings};
use hieratic_diagnostics::{Position, Span};
use lsp_server::ResponseError;
use lsp_types::{CompletionItem, CompletionItemKind, Location};

use crate::client::failed;
use crate::data::markdown;
use crate::document::Document;
use crate::keys::{Name, Value};
use crate::snapshot::Snapshot;
use hieratic::sandbox::SlashPath as _;

/// The directives that a key may begin with, and their documentation.
const DIRECTIVES: [(&str, &str); 6] = [
    ("+/", "merges the value at a path from the root of the document"),
    ("+./", "merges the value at a path from this map"),
    ("+../", "merges the value at a path from the map around"),
    ("+*", "merges the value of an anchor"),
    ("+include", "merges another document"),
    ("+%", "the strategy by which this map is merged: merge, whiteout, nullout, error, replace"),
];

/// Returns whether a document seems to have directives.
pub(crate) fn has_directives(document: &Document) -> bool {
    document.language.is_tree() && document.text.contains('+') && hieratic_lint::has_directives(&document.text)
}

/// A document, expanded.
pub(crate) fn expanded(snapshot: &Snapshot, document: &Document, record: Record) -> Result<Expanded, Failure> {
    let folder = document.path.parent().unwrap_or(Path::new("/"));
    let name = document.path.to_slashes();
    let parsed = Source::parse(&document.text, &name, folder)?;
    let permissions = Permissions { confined: true, ..Permissions::default() };
    let tree = snapshot.root_of(&document.path).map(|root| snapshot.mount_edits(root));
    let settings = Settings { permissions, tree, ..Settings::default() };
    let options = Options { record, budget: Budget::new(snapshot.limits), ..Options::default() };
    expand(&parsed, &mut IncludedFiles::with_settings(folder, &settings), &options)
}

/// A document as it is expanded, as text.
pub(crate) fn expanded_text(snapshot: &Snapshot, document: &Document) -> Result<String, ResponseError> {
    match expanded(snapshot, document, Record::Nothing) {
        Ok(expanded) => Ok(written(&expanded.to_value(), &Style::block(0))),
        Err(failure) => {
            let messages: Vec<&str> = failure.diagnostics().iter().map(|one| one.message.as_str()).collect();
            Err(failed(messages.join("\n")))
        }
    }
}

/// Returns the directive whose key is at an offset, and the span of the key.
fn applied(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(Applied, Span)> {
    let keys = document.keys();
    let (index, is_key) = keys.at(offset)?;
    let (Name::Key(key, span), true) = (&keys.node(index)?.name, is_key) else { return None };
    if !key.starts_with('+') {
        return None;
    }
    let expanded = expanded(snapshot, document, Record::Written).ok()?;
    let Position { line, column } = Position::at_offset(document.text.as_bytes(), span.first());
    let is_here = |one: &&Applied| {
        one.origin.as_ref().is_some_and(|origin| {
            Path::new(&origin.file) == document.path && origin.line == line && origin.column == column
        })
    };
    expanded.applied().iter().find(is_here).map(|one| (one.clone(), *span))
}

/// Returns the hover of a directive: its target and its result.
pub(crate) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    let (one, span) = applied(snapshot, document, offset)?;
    let mut text = format!("**{}**\n\n", one.key);
    match &one.found {
        ResolvedTarget::Target(node, origin) => {
            if let Some(origin) = origin {
                let name = Path::new(&origin.file).file_name().map(|name| name.to_string_lossy().into_owned());
                text.push_str(&format!(
                    "Finds {}:\n\n",
                    markdown::code(&format!("{}:{}", name.unwrap_or_default(), origin.line))
                ));
            }
            text.push_str(&markdown::block(&node.to_value()));
        }
        ResolvedTarget::Nothing(reason) => text.push_str(&format!("Finds nothing (allowed): {reason}")),
        ResolvedTarget::Missing => text.push_str("Finds nothing."),
    }
    let of = |effect: Effect| {
        let names: Vec<String> = one
            .keys
            .iter()
            .filter(|(_, of)| *of == effect)
            .map(|(key, _)| markdown::code(&markdown::short(key)))
            .collect();
        names.join(", ")
    };
    for (effect, docs) in
        [(Effect::Added, "Adds"), (Effect::Merged, "Merges"), (Effect::Overridden, "Is overridden in")]
    {
        let names = of(effect);
        if !names.is_empty() {
            text.push_str(&format!("\n\n{docs} {names}."));
        }
    }
    Some((text, span))
}

/// Returns the position of a directive's target.
pub(crate) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    let (one, _) = applied(snapshot, document, offset)?;
    let ResolvedTarget::Target(_, Some(origin)) = &one.found else { return None };
    Some(snapshot.location_at(Path::new(&origin.file), origin.line, origin.column).into_iter().collect())
}

/// Directives, the paths that they may name, and anchors.
pub(crate) fn complete(document: &Document, offset: usize) -> Option<Vec<CompletionItem>> {
    let before = document.before(offset);
    let at = before.rfind(|c: char| c.is_whitespace() || matches!(c, '{' | ',' | '"' | '\'')).map_or(0, |at| at + 1);
    let typed = &before[at..];
    if !typed.starts_with('+') {
        return None;
    }
    let range = document.range(offset - typed.len()..offset);
    let to_item = |label: String, detail: &str, kind| CompletionItem {
        text_edit: Some(lsp_types::CompletionTextEdit::Edit(lsp_types::TextEdit { range, new_text: label.clone() })),
        filter_text: Some(label.clone()),
        label,
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        ..CompletionItem::default()
    };
    let keys = document.keys();
    if typed.starts_with("+*") {
        let anchors = keys.nodes().iter().filter_map(|node| node.anchor.as_ref());
        return Some(
            anchors.map(|name| to_item(format!("+*{name}"), "anchor", CompletionItemKind::REFERENCE)).collect(),
        );
    }
    if let Some(path) = typed.strip_prefix("+/") {
        let (outer, last) = path.rsplit_once('/').unwrap_or(("", path));
        let parts: Vec<&str> = outer.split('/').filter(|part| !part.is_empty()).collect();
        let mut parent = keys.nodes().iter().position(|node| node.parent.is_none())?;
        for part in &parts {
            let inner = keys.children(parent).find(|(_, node)| matches!(&node.name, Name::Key(key, _) if key == part));
            parent = inner?.0;
        }
        let inner = keys.children(parent).filter_map(|(_, node)| match &node.name {
            Name::Key(key, _) if key.starts_with(last) && !key.starts_with('+') => Some((key, &node.value)),
            _ => None,
        });
        let front: String = parts.iter().map(|part| format!("{part}/")).collect();
        return Some(
            inner
                .map(|(key, value)| {
                    let detail = if matches!(value, Value::Map(_)) { "map" } else { "value" };
                    to_item(format!("+/{front}{key}"), detail, CompletionItemKind::REFERENCE)
                })
                .collect(),
        );
    }
    let fits = DIRECTIVES.iter().filter(|(name, _)| name.starts_with(typed));
    Some(fits.map(|(name, docs)| to_item((*name).to_owned(), docs, CompletionItemKind::KEYWORD)).collect())
}
