//! Features by the language of a document.

use hieratic_diagnostics::Span;
use lsp_server::ResponseError;
use lsp_types::{CompletionItem, DocumentHighlight, Location};

use crate::document::{Document, Language};
use crate::project::ProjectFile;
use crate::snapshot::Snapshot;
use crate::{code, configuration, data, directives, jobs, project, templates};

/// The hover at an offset, and the span that it is about.
pub(super) fn hover(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<(String, Span)> {
    if let Some(kind) = ProjectFile::of(document) {
        return project::hover(kind, snapshot, document, offset);
    }
    match document.language {
        Language::Manifest | Language::Epp => code::hover::hover(snapshot, document, offset),
        Language::Hcl if jobs::is_job(document) => jobs::hover(snapshot, document, offset),
        Language::Hcl | Language::Hocon => data::hover::hover(snapshot, document, offset),
        Language::Jinja => templates::jinja::hover(document, offset),
        Language::Erb => templates::erb::hover(snapshot, document, offset),
        Language::Yaml if configuration::is(document) => configuration::hover(snapshot, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::hover(snapshot, document, offset)).flatten();
            found.or_else(|| data::hover::hover(snapshot, document, offset))
        }
        Language::Other => None,
    }
}

/// The completions at an offset, and whether there are more.
pub(super) fn complete(snapshot: &Snapshot, document: &Document, offset: usize) -> (Vec<CompletionItem>, bool) {
    if let Some(kind) = ProjectFile::of(document) {
        return (project::complete(kind, snapshot, document, offset), false);
    }
    match document.language {
        Language::Manifest | Language::Epp => code::complete::complete(snapshot, document, offset),
        Language::Hcl => (jobs::complete(snapshot, document, offset), false),
        Language::Hocon => data::complete::complete(snapshot, document, offset),
        Language::Jinja => (templates::jinja::complete(document, offset), false),
        Language::Erb => (templates::erb::complete(snapshot, document, offset), false),
        Language::Yaml if configuration::is(document) => (configuration::complete(snapshot, document, offset), false),
        Language::Yaml | Language::Json => match directives::complete(document, offset) {
            Some(found) => (found, false),
            None => data::complete::complete(snapshot, document, offset),
        },
        Language::Other => (Vec::new(), false),
    }
}

/// The definitions of the symbol at an offset.
pub(super) fn definition(snapshot: &Snapshot, document: &Document, offset: usize) -> Option<Vec<Location>> {
    match document.language {
        Language::Manifest | Language::Epp => code::define::definition(snapshot, document, offset),
        Language::Hcl => {
            jobs::definition(document, offset).or_else(|| data::define::definition(snapshot, document, offset))
        }
        Language::Hocon => data::define::definition(snapshot, document, offset),
        Language::Jinja => templates::jinja::definition(snapshot, document, offset),
        Language::Erb => templates::erb::definition(snapshot, document, offset),
        Language::Yaml | Language::Json => {
            let directive = directives::has_directives(document);
            let found = directive.then(|| directives::definition(snapshot, document, offset)).flatten();
            found.or_else(|| data::define::definition(snapshot, document, offset))
        }
        Language::Other => None,
    }
}

/// The references to the symbol at an offset.
pub(super) fn references(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<Location>>, ResponseError> {
    match document.language {
        Language::Manifest | Language::Epp => code::references::references(snapshot, document, offset, declaration),
        Language::Jinja => Ok(templates::same_names(document, offset).map(|spans| {
            let spans = spans.into_iter();
            spans.map(|span| Location { uri: document.uri.clone(), range: document.range(span) }).collect()
        })),
        Language::Erb => Ok(templates::erb::references(snapshot, document, offset, declaration)),
        Language::Hcl => match jobs::references(document, offset) {
            Some(found) => Ok(Some(found)),
            None => data_references(snapshot, document, offset, declaration),
        },
        Language::Yaml | Language::Json | Language::Hocon => data_references(snapshot, document, offset, declaration),
        Language::Other => Ok(None),
    }
}

fn data_references(
    snapshot: &Snapshot,
    document: &Document,
    offset: usize,
    declaration: bool,
) -> Result<Option<Vec<Location>>, ResponseError> {
    let Some(key) = data::define::key_at(document, offset) else { return Ok(None) };
    let Some((view, _)) = snapshot.data_of(&document.path) else { return Ok(None) };
    let Some(analysis) = snapshot.analysis_of(&document.path) else { return Ok(None) };
    data::define::references(snapshot, view, analysis, &key, declaration).map(Some)
}

/// The occurrences of the symbol at an offset in its document.
pub(super) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    match document.language {
        Language::Manifest | Language::Epp => code::references::highlights(document, offset),
        Language::Jinja | Language::Erb => templates::highlights(document, offset),
        _ => data::highlights::highlights(document, offset),
    }
}
