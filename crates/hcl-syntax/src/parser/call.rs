//! Function calls.

use std::sync::Arc;

use super::Parser;
use crate::Span;
use crate::ast::{Expression, FunctionCall};
use crate::scanner::{Token, TokenKind};

impl Parser<'_> {
    /// Parses a call after the first word of its name.
    pub(super) fn call(&mut self, first: Token) -> Expression {
        let mut open = self.read();
        let mut name: Arc<str> = self.name(first);
        let mut name_span = first.span();
        while open.kind == TokenKind::DoubleColon {
            let next = self.read();
            if next.kind != TokenKind::Identifier {
                return self.bad_name(
                    first.span().to(next.span()),
                    next.span(),
                    "Missing function name",
                    "Function scope resolution symbol :: must be followed by a function name in this scope.",
                );
            }
            name = format!("{name}::{}", self.text(next)).into();
            name_span = name_span.to(next.span());
            open = self.read();
        }
        if open.kind != TokenKind::OpenParen {
            return self.bad_name(
                first.span().to(open.span()),
                open.span(),
                "Missing open parenthesis",
                "Function selector must be followed by an open parenthesis to begin the function call.",
            );
        }
        let newlines = self.set_newlines(false);
        let mut call = FunctionCall {
            name,
            arguments: Vec::new(),
            expand_final: false,
            name_span,
            open_span: open.span(),
            close_span: open.span(),
        };
        self.arguments(&mut call, first, open);
        call.close_span = self.previous_span();
        self.set_newlines(newlines);
        Expression::FunctionCall(Box::new(call))
    }

    fn bad_name(&mut self, span: Span, subject: Span, summary: &'static str, detail: &'static str) -> Expression {
        self.error_within(subject, span, summary, detail);
        self.recover_over(TokenKind::OpenParen);
        self.placeholder(span)
    }

    /// The arguments and the closing parenthesis.
    fn arguments(&mut self, call: &mut FunctionCall, first: Token, open: Token) {
        let mut height = 0;
        loop {
            if self.peek_kind() == TokenKind::CloseParen {
                self.read();
                break;
            }
            let mark = self.mark();
            let argument = self.expression();
            call.arguments.push(argument);
            height = height.max(self.height);
            if self.is_lost(mark) {
                self.recover(TokenKind::CloseParen);
                break;
            }
            let separator = self.read();
            let context = first.span().to(separator.span());
            match separator.kind {
                TokenKind::CloseParen => break,
                TokenKind::Comma => {}
                TokenKind::Ellipsis => {
                    call.expand_final = true;
                    if self.peek_kind() == TokenKind::CloseParen {
                        self.read();
                        break;
                    }
                    if !self.recovery {
                        self.error_within(
                            separator.span(),
                            context,
                            "Missing closing parenthesis",
                            "An expanded function argument (with ...) must be immediately followed by closing parentheses.",
                        );
                    }
                    self.recover(TokenKind::CloseParen);
                    break;
                }
                TokenKind::Eof => {
                    self.error(
                        first.span().to(open.span()),
                        "Unterminated function call",
                        "There is no closing parenthesis for this function call before the end of the file. This may be \
                         caused by incorrect parenthesis nesting elsewhere in this file.",
                    );
                    self.recover(TokenKind::CloseParen);
                    break;
                }
                _ => {
                    self.error_within(
                        separator.span(),
                        context,
                        "Missing argument separator",
                        "A comma is required to separate each function argument from the next.",
                    );
                    self.recover(TokenKind::CloseParen);
                    break;
                }
            }
        }
        self.rise(height);
    }
}
