//! Folding ranges and selection ranges of documents.

use hieratic::value::ErasedSort as _;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::TokenKind;
use lsp_types::{FoldingRange, FoldingRangeKind, Position, SelectionRange};

use crate::document::{Document, Language};
use crate::keys::Value;
use crate::positions::to_u32;

/// The parts of a document that can be folded.
pub(crate) fn folds(document: &Document) -> Vec<FoldingRange> {
    let mut found: Vec<(usize, usize, Option<FoldingRangeKind>)> = Vec::new();
    let line = |offset: usize| document.lines.line_of(offset);
    if document.language.is_template() {
        for (span, is_comment) in crate::templates::folds(document) {
            let std::ops::Range { start, end } = span.range();
            let last = line(end.saturating_sub(1).max(start));
            if last > line(start) {
                found.push((line(start), last, is_comment.then_some(FoldingRangeKind::Comment)));
            }
        }
        return ranges(found);
    }
    for span in extents(document) {
        let std::ops::Range { start, end } = span.range();
        // The line of what closes stays.
        let last = line(end.saturating_sub(1).max(start));
        let closes = matches!(document.text.as_bytes().get(end.wrapping_sub(1)), Some(b'}' | b']' | b')'));
        let last = if closes { last.saturating_sub(1) } else { last };
        if last > line(start) {
            found.push((line(start), last, None));
        }
    }
    found.extend(comments(document).into_iter().map(|(first, last)| (first, last, Some(FoldingRangeKind::Comment))));
    ranges(found)
}

/// The first and last lines of parts; of those that begin on one line, the longest.
fn ranges(mut found: Vec<(usize, usize, Option<FoldingRangeKind>)>) -> Vec<FoldingRange> {
    found.sort_erased_by_key(|(first, last, _)| (*first, std::cmp::Reverse(*last)));
    found.dedup_by_key(|(first, ..)| *first);
    let ranges = found.into_iter().map(|(first, last, kind)| FoldingRange {
        start_line: to_u32(first),
        end_line: to_u32(last),
        kind,
        ..FoldingRange::default()
    });
    ranges.collect()
}

/// Lines of comments that follow each other.
fn comments(document: &Document) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for line in 0..document.lines.count() {
        let range = document.lines.line(&document.text, line);
        let is_comment = document.slice(range).trim_start().starts_with('#');
        match (&mut open, is_comment) {
            (Some((_, last)), true) => *last = line,
            (None, true) => open = Some((line, line)),
            (Some(_), false) => found.extend(open.take()),
            (None, false) => {}
        }
    }
    found.extend(open);
    found.retain(|(first, last)| last > first);
    found
}

/// The parts of a document that belong together.
fn extents(document: &Document) -> Vec<Span> {
    match document.language {
        Language::Manifest | Language::Epp => brackets(document),
        Language::Yaml | Language::Json | Language::Hocon => {
            let keys = document.keys();
            let of = |(index, node): (usize, &crate::keys::KeyNode)| match node.value {
                Value::Map(_) | Value::List(_) => Some(keys.whole(index)),
                Value::Scalar(..) => Some(keys.whole(index)),
                Value::Alias(_) => None,
            };
            keys.nodes().iter().enumerate().filter(|(_, node)| node.parent.is_some()).filter_map(of).collect()
        }
        Language::Hcl => {
            let mut found = Vec::new();
            let mut open = vec![&document.hcl().tree];
            while let Some(body) = open.pop() {
                found.extend(body.attributes().iter().map(|one| one.span));
                for block in &body.blocks {
                    found.push(block.span());
                    open.push(&block.body);
                }
            }
            found
        }
        Language::Jinja | Language::Erb => crate::templates::extents(document),
        Language::Other => Vec::new(),
    }
}

/// Brackets that fit, from the one that opens to the one that closes.
fn brackets(document: &Document) -> Vec<Span> {
    let mut open = Vec::new();
    let mut found = Vec::new();
    for token in document.tokens().iter().filter(|token| token.kind == TokenKind::Bracket) {
        let (start, end) = (token.span.first(), token.span.behind());
        match document.slice(start..end) {
            "{" | "(" | "[" | "<|" | "<<|" => open.push(start),
            _ => found.extend(open.pop().map(|begin| Span::new(begin, end))),
        }
    }
    found
}

/// In how many steps a selection grows to all of a document.
const MAX_STEPS: usize = 100;

/// Returns the ranges to which a selection at a position expands, from the inside out.
pub(crate) fn selection(document: &Document, position: Position) -> SelectionRange {
    let offset = document.offset(position);
    let mut parts: Vec<Span> = extents(document);
    if document.language.is_code() {
        parts.extend(document.tokens().iter().map(|token| token.span));
        if let Some(program) = document.program() {
            let found = crate::outline::definitions(&document.path, program);
            parts.extend(found.iter().map(|one| one.span));
        }
        // The content of brackets is also a range.
        let inside: Vec<Span> =
            brackets(document).iter().map(|one| Span { start: one.start + 1, end: one.end - 1 }).collect();
        parts.extend(inside);
    }
    if document.language.has_keys() {
        parts.extend(document.keys().nodes().iter().flat_map(|node| {
            let key = match &node.name {
                crate::keys::Name::Key(_, span) => Some(*span),
                _ => None,
            };
            key.into_iter().chain([node.span])
        }));
    }
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    parts.push(Span::from(line.clone()));
    parts.push(Span::new(0, document.text.len()));
    parts.retain(|part| part.touches(offset) && part.end > part.start);
    parts.sort_erased_by_key(|part| part.end - part.start);
    parts.dedup();
    // Each range contains the previous one. Ranges that only overlap are left out.
    let mut way: Vec<Span> = Vec::new();
    for part in parts {
        if way.last().is_none_or(|last| part.start <= last.start && last.end <= part.end && part != *last) {
            way.push(part);
        }
    }
    // An answer is as deep as there are steps, and clients read it by calls in calls.
    if way.len() > MAX_STEPS {
        way.drain(MAX_STEPS - 1..way.len() - 1);
    }
    let mut grown: Option<SelectionRange> = None;
    for part in way.into_iter().rev() {
        let range = document.range(part);
        grown = Some(SelectionRange { range, parent: grown.map(Box::new) });
    }
    grown.unwrap_or(SelectionRange { range: document.range(offset..offset), parent: None })
}
