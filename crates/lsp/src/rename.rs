//! Renaming of keys: the refactoring of the command, with its proof, for unsaved files.
//!
//! A rename succeeds only if it is safe: every occurrence of the name can be changed, and the answers of all nodes stay
//! the same. Otherwise the request fails with the reason, and nothing changes.

use std::sync::Arc;

use hieratic::hiera::inspect::InterpolationKind;
use hieratic::lookup::Key;
use hieratic_diagnostics::Span;
use hieratic_lint::View;
use hieratic_refactor::rename as planned;
use lsp_server::ResponseError;
use lsp_types::{PrepareRenameResponse, WorkspaceEdit};

use crate::client::failed;
use crate::code::symbol_at::{CodeWords, Symbol};
use crate::code::{locals, scope};
use crate::data::cursor::{Cursor, at};
use crate::directives_rename;
use crate::document::{Document, Language};
use crate::edits::workspace_edit;
use crate::jobs;
use crate::outline::DefinitionKind;
use crate::plans;
use crate::snapshot::Snapshot;

/// A key where its name is written.
#[derive(Debug, PartialEq)]
struct RenameTarget {
    key: String,
    /// The name, or its last part, without quotes.
    span: Span,
    /// The prefix of the key that is not written there: the class of a parameter.
    class: Option<String>,
}

/// Returns the range that would be renamed at an offset, and its current name.
pub(crate) fn prepare(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
) -> Result<PrepareRenameResponse, ResponseError> {
    if document.language == Language::Hcl && !is_data(snapshot, document) {
        return jobs::prepare_rename(document, offset);
    }
    if let Some(prepared) = directives_rename::prepare(snapshot, document, offset) {
        return Ok(prepared);
    }
    let target = match find_target(snapshot, document, offset) {
        Err(_) if document.language.is_code() => {
            let (span, name) = locals::at(document, offset)?;
            let range = document.range(span);
            return Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: name });
        }
        target => target?,
    };
    Ok(PrepareRenameResponse::RangeWithPlaceholder {
        range: document.range(target.span),
        placeholder: target.shown().to_owned(),
    })
}

/// Returns the edit that renames the symbol at an offset.
pub(crate) fn rename(
    snapshot: &Snapshot,
    document: &Arc<Document>,
    offset: usize,
    to: &str,
) -> Result<WorkspaceEdit, ResponseError> {
    if document.language == Language::Hcl && !is_data(snapshot, document) {
        return jobs::rename(snapshot, document, offset, to);
    }
    if directives_rename::prepare(snapshot, document, offset).is_some() {
        return directives_rename::rename(snapshot, document, offset, to);
    }
    let target = match find_target(snapshot, document, offset) {
        Err(_) if document.language.is_code() => return locals::rename(snapshot, document, offset, to),
        target => target?,
    };
    let new = match &target.class {
        Some(class) if !to.contains("::") => format!("{class}::{}", to.trim_start_matches('$')),
        _ => to.to_owned(),
    };
    let view = view_of(snapshot, document)?;
    let settings = plans::settings(snapshot, view)?;
    let plan = planned(&settings, &target.key, &new).map_err(plans::refusal_to_error)?;
    snapshot.check_cancelled()?;
    if !plan.warnings.is_empty() {
        return Err(refused(&target.key, "may mean the key", plan.warnings.clone()));
    }
    let edits = plans::edits(snapshot, &plan)?;
    let unexpected = plans::unexpected_changes(snapshot, view, &settings, &plan, &[&target.key, &new])?;
    if unexpected.is_empty() {
        return Ok(workspace_edit(snapshot, edits));
    }
    Err(refused(&target.key, "would change", unexpected))
}

/// Returns whether a level of a hierarchy reads a file.
fn is_data(snapshot: &Snapshot, document: &Document) -> bool {
    snapshot.data_of(&document.path).is_some()
}

impl RenameTarget {
    /// The name as written there.
    fn shown(&self) -> &str {
        match &self.class {
            Some(_) => self.key.rsplit_once("::").map_or(self.key.as_str(), |(_, name)| name),
            None => &self.key,
        }
    }

    /// A key that is written within a part of a document; the whole part, if the name is written in another way there.
    fn within(document: &Document, part: Span, key: String, class: Option<String>) -> RenameTarget {
        let mut named = RenameTarget { key, span: part, class };
        let text = document.slice(part);
        if let Some(found) = text.rfind(named.shown()) {
            let start = part.first() + found;
            named.span = Span::new(start, start + named.shown().len());
        }
        named
    }
}

fn view_of<'w>(snapshot: &'w Snapshot, document: &Document) -> Result<&'w View, ResponseError> {
    snapshot.view_of(&document.path).ok_or_else(|| failed("the file is not in a checked control repository"))
}

/// Returns the key at an offset.
fn find_target(snapshot: &Snapshot, document: &Document, offset: usize) -> Result<RenameTarget, ResponseError> {
    let view = view_of(snapshot, document)?;
    let found = match document.language {
        Language::Yaml | Language::Json | Language::Hocon if view.file(&document.path).is_some() => {
            in_data(document, offset)
        }
        Language::Manifest | Language::Epp => in_code(view, document, offset),
        _ => None,
    };
    let touched = found.filter(|named| named.span.touches(offset));
    touched.ok_or_else(locals::not_renamable)
}

fn in_data(document: &Document, offset: usize) -> Option<RenameTarget> {
    match at(document, offset)? {
        Cursor::Key(key, span) | Cursor::Options(key, span) => {
            let is_one = key != hieratic_lint::LOOKUP_OPTIONS && !key.starts_with('^');
            is_one.then(|| RenameTarget::within(document, span, key, None))
        }
        Cursor::Interpolation(InterpolationKind::Lookup(key) | InterpolationKind::Alias { key, .. }, span) => {
            let root = Key::parse(&key).ok()?.root().to_string();
            // The rest of the key after the name selects a part of the value.
            let start = span.first() + document.slice(span).find(key.as_str())?;
            let text = document.slice(start..start + key.len());
            let end = start + text.find(&root)? + root.len();
            Some(RenameTarget::within(document, Span::new(start, end), root, None))
        }
        _ => None,
    }
}

fn in_code(view: &View, document: &Document, offset: usize) -> Option<RenameTarget> {
    let words = CodeWords::new(document);
    let index = words.index_at(offset)?;
    let span = words.extent(index);
    match words.symbol(index)? {
        Symbol::Key(key) => {
            let written = document.slice(span);
            let end = span.first() + written.find(&key)? + key.len();
            Some(RenameTarget::within(document, Span::new(span.first(), end), key, None))
        }
        Symbol::Variable(name) => {
            let key = match name.trim_start_matches("::").rsplit_once("::") {
                Some(_) => name.trim_start_matches("::").to_owned(),
                None if document.language == Language::Manifest => {
                    let outer = scope::definition_around(document, offset)?;
                    let is_parameter = outer.parameters.iter().any(|one| one.name == name);
                    (outer.kind == DefinitionKind::Class && is_parameter).then(|| format!("{}::{name}", outer.name))?
                }
                None => return None,
            };
            parameter(view, document, span, key)
        }
        Symbol::Attribute { of, title: Some(class), name } if of == "class" => {
            parameter(view, document, span, format!("{class}::{name}"))
        }
        _ => None,
    }
}

fn parameter(view: &View, document: &Document, span: Span, key: String) -> Option<RenameTarget> {
    view.parameter(&key)?;
    let class = key.rsplit_once("::").map(|(class, _)| class.to_owned());
    Some(RenameTarget::within(document, span, key, class))
}

/// Returns the error that explains why nothing is renamed.
fn refused(key: &str, subject: &str, reasons: Vec<String>) -> ResponseError {
    let help = "`hieratic refactor rename` shows the change, and writes it with --accept-changes";
    failed(format!("'{key}' was not renamed: something {subject}\n{}\n{help}", plans::list_reasons(reasons)))
}
