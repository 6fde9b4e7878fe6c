//! Columns of native syntax and of templates: grapheme clusters, token by token.
//!
//! The tokens are scanned again, but only for sources with characters beyond ASCII, and once per source.

use hieratic_source::Span;

use super::ColumnRule;
use crate::Source;
use crate::graphemes::grapheme_count;
use crate::scanner::{BYTE_ORDER_MARK, Scanner, TokenKind};

/// A token with characters beyond ASCII.
#[derive(Debug)]
pub(crate) struct WideToken {
    start: u32,
    end: u32,
    /// The bytes of the preceding tokens minus their columns.
    extra_before: u32,
}

/// The number of columns from the start of a line to a byte of it.
pub(super) fn columns(source: &Source, line_start: u32, offset: u32) -> u32 {
    let text = source.slice(Span { start: line_start, end: offset });
    if text.len() < super::LONG_LINE && text.is_ascii() {
        return offset - line_start;
    }
    let tokens = source.wide.get_or_init(|| wide_tokens(source));
    let mut at = line_start;
    if line_start == 0 && source.bytes().starts_with(BYTE_ORDER_MARK) {
        at = offset.min(3);
    }
    let first = tokens.partition_point(|token| token.end <= at);
    let last = tokens.partition_point(|token| token.start < offset);
    // The first and the last token may be only partly in the line. The sum for the tokens between them is precomputed.
    let saved = match tokens.get(first..last).unwrap_or_default() {
        [] => 0,
        [only] => extra_bytes(source, only, at, offset),
        [first, between @ .., last] => {
            let known = between.first().map_or(0, |next| last.extra_before - next.extra_before);
            extra_bytes(source, first, at, offset) + known + extra_bytes(source, last, at, offset)
        }
    };
    offset - at - saved
}

/// The bytes of a token between two offsets minus its columns there.
fn extra_bytes(source: &Source, token: &WideToken, from: u32, to: u32) -> u32 {
    let span = Span { start: token.start.max(from), end: token.end.min(to) };
    let text = source.slice(span);
    text.len() as u32 - grapheme_count(text)
}

fn wide_tokens(source: &Source) -> Vec<WideToken> {
    let mut scanner = Scanner::new(source.bytes(), source.columns == ColumnRule::Template);
    let mut tokens = Vec::new();
    let mut before = 0;
    loop {
        let token = scanner.next();
        if token.kind == TokenKind::Eof {
            return tokens;
        }
        let text = source.slice(token.span());
        if !text.is_ascii() {
            tokens.push(WideToken { start: token.start, end: token.end, extra_before: before });
            before += text.len() as u32 - grapheme_count(text);
        }
    }
}
