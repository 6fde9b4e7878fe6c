//! Jinja2 and ERB templates: tags, the words in them, and their definitions.

pub(crate) mod erb;
pub(crate) mod jinja;
mod jinja_docs;
pub(crate) mod lexer;
pub(crate) mod structure;

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use std::path::PathBuf;

use hieratic::value::collections::HashSet;
use lsp_types::{DocumentHighlight, DocumentHighlightKind, DocumentSymbol, SymbolKind};

use crate::document::{Document, Language};
use crate::snapshot::Snapshot;
use crate::symbols::symbol;
use lexer::{TagKind, WordKind};
use structure::{Statement, parts};

/// The maximum length of a symbol's name, in characters of the tag.
const MAX_NAME_LENGTH: usize = 60;

/// The statements of a template, and what Jinja2 gives a name, as symbols in each other.
pub(crate) fn symbols(document: &Document) -> Vec<DocumentSymbol> {
    let template = document.template();
    let mut symbols: Vec<(Span, DocumentSymbol)> = Vec::new();
    let all = parts(template, &document.text, document.language);
    for part in all.iter().filter(|part| part.word != "raw") {
        symbols.push((part.span, statement_symbol(document, part)));
    }
    if document.language == Language::Jinja {
        // Macros, blocks and sets over several tags are statements already.
        let begun: HashSet<usize> = all.iter().map(|part| part.span.first()).collect();
        for one in jinja::defined(document).into_iter().filter(|one| one.is_global && !begun.contains(&one.tag)) {
            symbols.push((one.at, symbol(document, &one.name, None, SymbolKind::VARIABLE, one.at, one.at)));
        }
    }
    symbols.sort_erased_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    nested(symbols)
}

/// Symbols in those that hold them.
fn nested(all: Vec<(Span, DocumentSymbol)>) -> Vec<DocumentSymbol> {
    let mut done: Vec<DocumentSymbol> = Vec::new();
    let mut open: Vec<(Span, DocumentSymbol)> = Vec::new();
    fn close(open: &mut Vec<(Span, DocumentSymbol)>, done: &mut Vec<DocumentSymbol>) {
        let Some((_, symbol)) = open.pop() else { return };
        match open.last_mut() {
            Some((_, outer)) => outer.children.get_or_insert_with(Vec::new).push(symbol),
            None => done.push(symbol),
        }
    }
    for (span, symbol) in all {
        while open.last().is_some_and(|(outer, _)| outer.end < span.end || outer.end <= span.start) {
            close(&mut open, &mut done);
        }
        open.push((span, symbol));
    }
    while !open.is_empty() {
        close(&mut open, &mut done);
    }
    done
}

fn statement_symbol(document: &Document, part: &Statement) -> DocumentSymbol {
    let tag = &document.template().tags[part.tag];
    let written = document.slice(tag.inside).split_whitespace().collect::<Vec<_>>().join(" ");
    let name: String = if written.chars().count() > MAX_NAME_LENGTH {
        written.chars().take(MAX_NAME_LENGTH).chain(['…']).collect()
    } else {
        written
    };
    let kind = match part.word.as_str() {
        "macro" | "def" => SymbolKind::FUNCTION,
        "block" => SymbolKind::CLASS,
        "set" => SymbolKind::VARIABLE,
        _ => SymbolKind::OBJECT,
    };
    symbol(document, &name, Some(part.word.clone()), kind, part.span, tag.span)
}

/// Returns the syntactic ranges of a template: statements, tags, the contents of both, and words.
pub(crate) fn extents(document: &Document) -> Vec<Span> {
    let template = document.template();
    let mut found = Vec::new();
    for part in parts(template, &document.text, document.language) {
        found.extend([part.span, part.inside]);
    }
    for tag in &template.tags {
        found.extend([tag.span, tag.inside]);
        found.extend(tag.words.iter().map(|word| word.span()));
    }
    found
}

/// Returns the foldable ranges: statements over several lines, and comments.
pub(crate) fn folds(document: &Document) -> Vec<(Span, bool)> {
    let template = document.template();
    let statements = parts(template, &document.text, document.language).into_iter().map(|part| (part.span, false));
    let tags = template.tags.iter().map(|tag| (tag.span, tag.kind == TagKind::Comment));
    statements.chain(tags).collect()
}

/// Returns the occurrences of the name at an offset in its document.
pub(crate) fn highlights(document: &Document, offset: usize) -> Option<Vec<DocumentHighlight>> {
    let lit = same_names(document, offset)?
        .into_iter()
        .map(|span| DocumentHighlight { range: document.range(span), kind: Some(DocumentHighlightKind::TEXT) });
    Some(lit.collect())
}

/// Returns the words of a document that equal the name at an offset, except those after a dot.
pub(crate) fn same_names(document: &Document, offset: usize) -> Option<Vec<Span>> {
    let (tag, index) = document.template().word_at(offset)?;
    if tag.words[index].kind != WordKind::Name || tag.before(&document.text, index) == "." {
        return None;
    }
    let name = tag.text(&document.text, index);
    let found = document.template().words().filter(|(tag, index, word)| {
        word.kind == WordKind::Name
            && tag.text(&document.text, *index) == name
            && tag.before(&document.text, *index) != "."
    });
    Some(found.map(|(.., word)| word.span()).collect())
}

/// The files that a template names and that are there, with where they are named.
pub(crate) fn links(snapshot: &Snapshot, document: &Document) -> Vec<(usize, usize, PathBuf)> {
    let file_of = match document.language {
        Language::Erb => erb::file_of,
        _ => jinja::file_of,
    };
    let strings = document.template().words().filter(|(.., word)| word.kind == WordKind::String);
    strings
        .filter_map(|(tag, index, word)| Some((word.start, word.end, file_of(snapshot, document, tag, index)?)))
        .collect()
}
