//! Quoted strings without sequences, such as labels.

use std::sync::Arc;

use super::Parser;
use crate::columns::ColumnRule;
use crate::literal::unescape;
use crate::scanner::{Token, TokenKind};
use crate::{Problem, Range, Span};

const INVALID: &str = "Invalid string literal";

impl<'a> Parser<'a> {
    /// Parses a quoted string, from its opening quote, and returns its text and its span.
    pub(super) fn quoted_literal(&mut self) -> (Arc<str>, Span) {
        let open = self.read();
        let mut text = String::new();
        let end = loop {
            let token = self.read();
            let context = open.span().to(token.span());
            match token.kind {
                TokenKind::CloseQuote => break token,
                TokenKind::QuotedText => {
                    let part = self.text_of(token);
                    // Most labels are a single literal, and most of them occur repeatedly.
                    if text.is_empty()
                        && self.peek_kind() == TokenKind::CloseQuote
                        && part.as_bytes() == self.bytes(token)
                    {
                        let label = self.name(token);
                        let close = self.read();
                        return (label, open.span().to(close.span()));
                    }
                    text.push_str(&part);
                }
                TokenKind::Directive | TokenKind::Interpolation => {
                    let sign = if token.kind == TokenKind::Directive { '%' } else { '$' };
                    let detail = format!(
                        "Template sequences are not allowed in this string. To include a literal \"{sign}\", double it (as \
                         \"{sign}{sign}\") to escape it."
                    );
                    self.error_within(token.span(), context, INVALID, detail);
                    text.push(sign);
                    text.push_str("{ ... }");
                    self.recover(TokenKind::SequenceEnd);
                }
                TokenKind::Eof => {
                    self.error_within(
                        token.span(),
                        context,
                        "Unterminated string literal",
                        "Unable to find the closing quote mark before the end of the file.",
                    );
                    break token;
                }
                _ => {
                    self.error_within(token.span(), context, INVALID, "This item is not valid in a string literal.");
                    self.recover(TokenKind::CloseQuote);
                    break token;
                }
            }
        };
        (text.into(), open.span().to(end.span()))
    }

    /// Decodes a literal token and reports the errors in its escapes.
    pub(crate) fn text_of(&mut self, token: Token) -> std::borrow::Cow<'a, str> {
        let (text, faults) =
            unescape(self.text.get(token.span().range()).unwrap_or_default(), token.kind == TokenKind::QuotedText);
        for (span, detail) in faults {
            let subject = Span { start: token.start + span.start, end: token.start + span.end };
            let range = Range::counted_by(ColumnRule::Escape(token.start), self.source.clone(), subject);
            self.problems.push(Problem::error("Invalid escape sequence", detail).at_range(range));
        }
        text
    }
}
