//! [`Cursor`]: the symbol under the cursor in a data file.

use hieratic::hiera::inspect::{Interpolation, InterpolationKind, interpolations};
use hieratic_diagnostics::Span;
use hieratic_lint::LOOKUP_OPTIONS;

use crate::document::Document;
use crate::keys::{Name, Value};

/// The symbol under the cursor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cursor {
    /// An interpolation, and its span.
    Interpolation(InterpolationKind, Span),
    /// A key of the data, and its span.
    Key(String, Span),
    /// A key of `lookup_options`, and its span.
    Options(String, Span),
    /// A value under a key of the data: the name of the key, the path to the value that starts with that key, and the
    /// span.
    Inside(String, Vec<String>, Span),
    /// An alias of YAML, and its span.
    Alias(String, Span),
}

/// Returns the symbol at an offset of a document.
pub(crate) fn at(document: &Document, offset: usize) -> Option<Cursor> {
    if let Some((kind, span)) = interpolation_at(document, offset) {
        return Some(Cursor::Interpolation(kind, span));
    }
    let keys = document.keys();
    let (index, is_key) = keys.at(offset)?;
    let node = keys.node(index)?;
    if let (Value::Alias(name), false) = (&node.value, is_key) {
        return Some(Cursor::Alias(name.clone(), node.span));
    }
    let path = keys.path(index);
    let top = path.first()?.clone();
    let span = match (&node.name, is_key) {
        (Name::Key(_, span), true) => *span,
        _ => node.span,
    };
    if top == LOOKUP_OPTIONS {
        let Name::Key(_, key) = &keys.nodes().iter().enumerate().find_map(|(at, one)| {
            (keys.path(at).len() == 2 && keys.path(at).get(..2) == path.get(..2)).then_some(&one.name)
        })?
        else {
            return None;
        };
        return Some(Cursor::Options(path.get(1)?.clone(), *key));
    }
    match (path.len(), is_key) {
        (1, true) => Some(Cursor::Key(top, span)),
        _ => Some(Cursor::Inside(top, path, span)),
    }
}

/// Returns the interpolation at an offset, as written on its line.
pub(crate) fn interpolation_at(document: &Document, offset: usize) -> Option<(InterpolationKind, Span)> {
    let line = document.lines.line(&document.text, document.lines.line_of(offset));
    let text = document.slice(line.clone());
    if !text.contains("%{") || is_comment(text, offset - line.start) {
        return None;
    }
    let touched = |text: &str, place: &dyn Fn(usize) -> usize| {
        interpolations(text).into_iter().find_map(|Interpolation { range, kind }| {
            let span = Span::new(line.start + place(range.start), line.start + place(range.end));
            span.touches(offset).then_some((kind, span))
        })
    };
    match touched(text, &|at| at) {
        // Quotation marks in quotes are written as two characters.
        None | Some((InterpolationKind::Malformed(_), _)) if text.contains("''") || text.contains("\\\"") => {
            let (decoded, dropped) = unescaped(text);
            touched(&decoded, &|at| at + dropped.partition_point(|dropped| *dropped < at))
        }
        found => found,
    }
}

/// Replaces each doubled quotation mark in a line by one, and returns their offsets in the result.
fn unescaped(line: &str) -> (String, Vec<usize>) {
    let (mut decoded, mut dropped) = (String::with_capacity(line.len()), Vec::new());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, letters.peek()) {
            ('\\', Some('"')) | ('\'', Some('\'')) => {
                dropped.push(decoded.len());
                decoded.extend(letters.next());
            }
            _ => decoded.push(letter),
        }
    }
    (decoded, dropped)
}

/// Returns whether an offset of a line is in a comment, judging by this line alone.
fn is_comment(line: &str, at: usize) -> bool {
    let before = line.get(..at).unwrap_or(line);
    before.trim_start().starts_with('#') || before.contains(" #")
}

#[cfg(test)]
mod tests {
    use lsp_types::Url;

    use super::*;
    use crate::document::Language;
    use crate::positions::Encoding;

    #[test]
    fn every_part_of_data_has_a_symbol() {
        let text = "g: '\u{e9} %{lookup(''h.i'')} j'\na::b: 'x %{facts.os} y'\nc:\n  d: 1\nlookup_options:\n  a::b:\n    merge: deep\ne: *f\n";
        let uri = Url::parse("file:///a.yaml").unwrap();
        let document = Document::new("/a.yaml".into(), uri, None, Language::Yaml, text, Encoding::Utf8);
        let at = |part: &str| at(&document, text.find(part).unwrap()).unwrap();
        assert!(matches!(at("a::b: 'x"), Cursor::Key(key, _) if key == "a::b"));
        assert!(
            matches!(at("facts"), Cursor::Interpolation(InterpolationKind::Variable(name), _) if name == "facts.os")
        );
        let span = Span::new(text.find("%{lookup").unwrap(), text.find(" j'").unwrap());
        assert_eq!(at("h.i"), Cursor::Interpolation(InterpolationKind::Lookup("h.i".into()), span));
        assert!(matches!(at("d: 1"), Cursor::Inside(key, path, _) if key == "c" && path == ["c", "d"]));
        assert!(matches!(at("merge"), Cursor::Options(key, _) if key == "a::b"));
        assert!(matches!(at("*f"), Cursor::Alias(name, _) if name == "f"));
    }
}
