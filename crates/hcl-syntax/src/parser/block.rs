//! Blocks.

use super::Parser;
use super::body::UNCLOSED;
use crate::Span;
use crate::ast::{Block, Body, Label};
use crate::scanner::{Token, TokenKind};

const INVALID: &str = "Invalid block definition";
const INVALID_SINGLE: &str = "Invalid single-argument block definition";

impl Parser<'_> {
    /// Parses a block after its type.
    pub(super) fn block(&mut self, kind: Token) -> Block {
        let mut labels = Vec::new();
        let open = loop {
            let next = self.peek();
            match next.kind {
                TokenKind::OpenBrace => break self.read(),
                TokenKind::OpenQuote => {
                    let (text, span) = self.quoted_literal();
                    labels.push(Label { text, span });
                }
                TokenKind::Identifier => {
                    self.read();
                    labels.push(Label { text: self.name(next), span: next.span() });
                }
                _ => {
                    self.bad_header(kind, next);
                    self.recover_after_item();
                    let span = kind.span();
                    return Block {
                        kind: self.name(kind),
                        labels,
                        body: Body::new(span, span),
                        kind_span: span,
                        open_span: span,
                        close_span: span,
                    };
                }
            }
        };
        let body = self.deeper(|parser| parser.block_body(kind, open), |_| None);
        let close_span = self.previous_span();
        let next = self.peek();
        if matches!(next.kind, TokenKind::Newline | TokenKind::Eof) {
            self.read();
        } else {
            if !self.recovery {
                self.error_within(
                    next.span(),
                    kind.span().to(next.span()),
                    "Missing newline after block definition",
                    "A block definition must end with a newline.",
                );
            }
            self.recover_after_item();
        }
        Block {
            kind: self.name(kind),
            labels,
            body: body.unwrap_or_else(|| Body::new(open.span().to(close_span), close_span)),
            kind_span: kind.span(),
            open_span: open.span(),
            close_span,
        }
    }

    fn bad_header(&mut self, kind: Token, next: Token) {
        let detail = match next.kind {
            TokenKind::Equal => {
                "The equals sign \"=\" indicates an argument definition, and must not be used when defining a block."
            }
            TokenKind::Newline => {
                "A block definition must have block content delimited by \"{\" and \"}\", starting on the same line as the \
                 block header."
            }
            _ if self.recovery => return,
            _ => "Either a quoted string block label or an opening brace (\"{\") is expected here.",
        };
        self.error_within(next.span(), kind.span().to(next.span()), INVALID, detail);
    }

    /// Parses the content of a block and its closing brace; `None` after some errors.
    fn block_body(&mut self, kind: Token, open: Token) -> Option<Body> {
        if matches!(self.peek_kind(), TokenKind::Newline | TokenKind::Eof | TokenKind::CloseBrace) {
            return Some(self.body(TokenKind::CloseBrace));
        }
        let mark = self.mark();
        let body = self.single_attribute();
        let inner = self.mark() - mark;
        self.single_attribute_end(kind, open);
        // An error at the closing brace is reported before the errors within the block.
        if self.abandoned.is_none()
            && let Some(messages) = self.problems.get_mut(mark..)
        {
            messages.rotate_left(inner);
        }
        body
    }

    fn single_attribute_end(&mut self, kind: Token, open: Token) {
        let next = self.peek();
        match next.kind {
            TokenKind::CloseBrace => {
                self.read();
                return;
            }
            TokenKind::Comma => self.error(
                next.span(),
                INVALID_SINGLE,
                "Single-line block syntax can include only one argument definition. To define multiple arguments, use the \
                 multi-line block syntax with one argument definition per line.",
            ),
            TokenKind::Newline => self.error(
                next.span(),
                INVALID_SINGLE,
                "An argument definition on the same line as its containing block creates a single-line block definition, which \
                 must also be closed on the same line. Place the block's closing brace immediately after the argument \
                 definition.",
            ),
            _ if self.recovery => {}
            TokenKind::Eof => {
                let context: Span = kind.span().to(open.span());
                self.error_within(open.span(), context, UNCLOSED.0, UNCLOSED.1);
            }
            _ => self.error(
                next.span(),
                INVALID_SINGLE,
                "A single-line block definition must end with a closing brace immediately after its single argument \
                 definition.",
            ),
        }
        self.recover(TokenKind::CloseBrace);
    }
}
