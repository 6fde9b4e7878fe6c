//! Columns.
//!
//! The reference counts grapheme clusters token by token while it scans. Here that is done for the lines that messages speak
//! of, and only if there is more than ASCII in them: [`between`].

use crate::graphemes::grapheme_count;
use crate::json::columns as json;
use crate::scanner::{Scanner, TokenKind};
use crate::source::{Source, Syntax};

/// A token that holds more than ASCII.
#[derive(Debug)]
pub(crate) struct WideToken {
    start: u32,
    end: u32,
}

/// The number of columns from the start of a line to a byte of it.
pub(crate) fn between(source: &Source, line_start: u32, offset: u32) -> u32 {
    let Some(text) = source.bytes().get(line_start as usize..offset as usize) else { return 0 };
    match source.syntax {
        Syntax::Json => json(source.bytes().get(line_start as usize..).unwrap_or_default(), text.len()),
        _ if text.is_ascii() => offset - line_start,
        _ => native(source, line_start, offset),
    }
}

fn native(source: &Source, line_start: u32, offset: u32) -> u32 {
    let tokens = source.wide.get_or_init(|| wide_tokens(source));
    let first = tokens.partition_point(|token| token.end <= line_start);
    let mut columns = 0;
    let mut at = line_start;
    if line_start == 0 && source.bytes().starts_with(crate::scanner::BYTE_ORDER_MARK) {
        at = offset.min(3);
    }
    for token in tokens.get(first..).unwrap_or_default().iter().take_while(|token| token.start < offset) {
        let start = token.start.max(at);
        columns += start - at;
        let end = token.end.min(offset);
        let text = source.bytes().get(start as usize..end as usize).unwrap_or_default();
        columns += grapheme_count(text);
        at = end;
    }
    columns + (offset - at)
}

fn wide_tokens(source: &Source) -> Vec<WideToken> {
    let mut scanner = Scanner::new(source.bytes(), source.syntax == Syntax::Template);
    let mut tokens = Vec::new();
    loop {
        let token = scanner.next();
        if token.kind == TokenKind::Eof {
            return tokens;
        }
        if !source.slice(token.span()).is_ascii() {
            tokens.push(WideToken { start: token.start, end: token.end });
        }
    }
}
