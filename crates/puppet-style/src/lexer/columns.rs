//! Appends tokens to the list, with their positions as puppet-lint counts them, and their neighbors.

use std::borrow::Cow;
use std::ops::Range;

use super::Lexer;
use crate::kind::{Kind, keyword};
use crate::token::{Token, written};

impl<'s> Lexer<'s, '_> {
    /// Appends a token. A name that is a reserved word becomes one.
    pub(super) fn push(
        &mut self,
        kind: Kind,
        value: impl Into<Cow<'s, str>>,
        raw: Option<Cow<'s, str>>,
        span: Range<usize>,
    ) {
        let value = value.into();
        let kind = match kind {
            Kind::Name => keyword(&value).unwrap_or(kind),
            _ => kind,
        };
        if kind == Kind::UnencVariable {
            // The token before counted the brace that is not there.
            self.column -= 2;
        }
        let id = self.tokens.len();
        let mut token = Token { raw, line: self.line, column: self.column, span, ..Token::new(kind, value) };
        if let Some(last) = id.checked_sub(1) {
            token.prev = Some(last);
            self.tokens[last].next = Some(id);
        }
        if !kind.is_formatting() {
            if let Some(last) = self.last_code {
                self.tokens[last].next_code = Some(id);
                token.prev_code = Some(last);
            }
            self.last_code = Some(id);
        }
        self.tokens.push(token);
        if kind == Kind::Newline {
            self.line += 1;
            self.column = 1;
        } else {
            self.advance(id);
        }
    }

    /// Moves after a token as written.
    fn advance(&mut self, id: usize) {
        let parts = written(&self.tokens, id);
        if parts.iter().all(|part| part.is_empty()) {
            // Nothing has no lines, not one.
            self.line -= 1;
            return;
        }
        for part in parts {
            let (lines, last) = last_line(part);
            let length = if last.is_ascii() { last.len() } else { last.chars().count() };
            if lines > 0 {
                self.line += lines;
                self.column = 1;
            }
            self.column += i64::try_from(length).unwrap_or(0);
        }
    }
}

/// The number of ends of lines in a string, and the text after the last one.
fn last_line(text: &str) -> (i64, &str) {
    let bytes = text.as_bytes();
    let Some(last) = memchr::memrchr2(b'\r', b'\n', bytes) else { return (0, text) };
    let returns =
        memchr::memchr2_iter(b'\r', b'\n', bytes).filter(|at| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
    (i64::try_from(returns.count()).unwrap_or(0), &text[last + 1..])
}
