//! Columns.
//!
//! The reference counts grapheme clusters token by token while it scans. Here they are counted only for lines that
//! messages refer to, and only if these contain characters beyond ASCII: [`columns_between`].

use crate::graphemes::grapheme_count;
use crate::json::columns as json;
use crate::scanner::{Scanner, TokenKind};
use hieratic_source::Span;

use crate::source::{Source, Syntax};

/// A token with characters beyond ASCII.
#[derive(Debug)]
pub(crate) struct WideToken {
    start: u32,
    end: u32,
    /// The bytes of the preceding tokens minus their columns.
    extra_before: u32,
}

/// The length in bytes from which a line is long. A file may be a single line with a message for each of its columns,
/// so counting from the start of the line for each message would take quadratic time.
const LONG_LINE: usize = 4096;

/// The number of columns from the start of a line to a byte of it.
pub(crate) fn columns_between(source: &Source, line_start: u32, offset: u32) -> u32 {
    let Some(text) = source.bytes().get(line_start as usize..offset as usize) else { return 0 };
    match source.syntax {
        Syntax::Json => {
            let line = source.bytes().get(line_start as usize..).unwrap_or_default();
            let from = if text.len() < LONG_LINE {
                LinePosition::default()
            } else {
                nearest_position(source, line_start, text.len())
            };
            json(line, from, text.len(), |_| {})
        }
        _ if text.len() < LONG_LINE && text.is_ascii() => offset - line_start,
        _ => native(source, line_start, offset),
    }
}

fn native(source: &Source, line_start: u32, offset: u32) -> u32 {
    let tokens = source.wide.get_or_init(|| wide_tokens(source));
    let mut at = line_start;
    if line_start == 0 && source.bytes().starts_with(crate::scanner::BYTE_ORDER_MARK) {
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

/// A position in a line of JSON, with the number of columns before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LinePosition {
    /// The number of bytes before the position.
    pub(crate) offset: usize,
    /// The number of columns before the position.
    pub(crate) columns: u32,
}

/// The last cached position of a line that precedes `length` bytes.
fn nearest_position(source: &Source, line_start: u32, length: usize) -> LinePosition {
    let mut lines = source.long_lines.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let places = lines.entry(line_start).or_insert_with(|| {
        let line = source.bytes().get(line_start as usize..).unwrap_or_default();
        let end = memchr::memchr(b'\n', line).unwrap_or(line.len());
        let mut places = vec![LinePosition::default()];
        json(line, LinePosition::default(), end, |place| {
            if places.last().is_none_or(|last| place.offset >= last.offset + LONG_LINE / 32) {
                places.push(place);
            }
        });
        places
    });
    let behind = places.partition_point(|place| place.offset <= length);
    places.get(behind.saturating_sub(1)).copied().unwrap_or_default()
}

fn wide_tokens(source: &Source) -> Vec<WideToken> {
    let mut scanner = Scanner::new(source.bytes(), source.syntax == Syntax::Template);
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
