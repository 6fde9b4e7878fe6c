//! Tuples and objects.

use super::Parser;
use crate::Span;
use crate::ast::{Expression, ObjectConstructor, ObjectItem, ObjectKey, TupleConstructor};
use crate::scanner::{Token, TokenKind};

const UNTERMINATED_TUPLE: (&str, &str) = (
    "Unterminated tuple constructor expression",
    "There is no corresponding closing bracket before the end of the file. This may be caused by incorrect bracket nesting \
     elsewhere in this file.",
);
const UNTERMINATED_OBJECT: (&str, &str) = (
    "Unterminated object constructor expression",
    "There is no corresponding closing brace before the end of the file. This may be caused by incorrect brace nesting \
     elsewhere in this file.",
);

impl Parser<'_> {
    /// `[`, with what follows.
    pub(super) fn tuple(&mut self) -> Expression {
        let open = self.read();
        let newlines = self.set_newlines(false);
        let next = self.peek();
        let expression = if self.is_word(next, "for") {
            self.for_expression(open)
        } else {
            let (items, close) = self.items(open);
            Expression::Tuple(TupleConstructor { items, span: open.span().to(close.span()) })
        };
        self.set_newlines(newlines);
        expression
    }

    fn items(&mut self, open: Token) -> (Vec<Expression>, Token) {
        let mut items = Vec::new();
        let mut height = 0;
        let close = loop {
            if self.peek_kind() == TokenKind::CloseBracket {
                break self.read();
            }
            let mark = self.mark();
            items.push(self.expression());
            height = height.max(self.height);
            if self.is_lost(mark) {
                break self.recover(TokenKind::CloseBracket);
            }
            let next = self.peek();
            match next.kind {
                TokenKind::CloseBracket => break self.read(),
                TokenKind::Comma => {
                    self.read();
                }
                _ => {
                    if !self.recovery {
                        match next.kind {
                            TokenKind::Eof => self.error(open.span(), UNTERMINATED_TUPLE.0, UNTERMINATED_TUPLE.1),
                            _ => self.error_within(
                                next.span(),
                                open.span().to(next.span()),
                                "Missing item separator",
                                "Expected a comma to mark the beginning of the next item.",
                            ),
                        }
                    }
                    break self.recover(TokenKind::CloseBracket);
                }
            }
        };
        self.rise(height);
        (items, close)
    }

    /// `{`, with what follows.
    pub(super) fn object(&mut self) -> Expression {
        let open = self.read();
        // Line ends do not count before `for`, and have no meaning before the first item.
        let newlines = self.set_newlines(false);
        let next = self.peek();
        if self.is_word(next, "for") {
            let expression = self.for_expression(open);
            self.set_newlines(newlines);
            return expression;
        }
        self.set_newlines(true);
        let (items, close) = self.object_items(open);
        self.set_newlines(newlines);
        Expression::Object(ObjectConstructor { items, span: open.span().to(close.span()) })
    }

    fn object_items(&mut self, open: Token) -> (Vec<ObjectItem>, Token) {
        let mut items = Vec::new();
        let mut height = 0;
        let close = loop {
            let next = self.peek();
            match next.kind {
                TokenKind::Newline => {
                    self.read();
                    continue;
                }
                TokenKind::CloseBrace => break self.read(),
                _ => {}
            }
            let force_non_literal = next.kind == TokenKind::OpenParen;
            let mark = self.mark();
            let expression = self.expression();
            if self.is_lost(mark) {
                break self.recover(TokenKind::CloseBrace);
            }
            height = height.max(self.height);
            let key = ObjectKey { expression, force_non_literal };
            let next = self.peek();
            if !matches!(next.kind, TokenKind::Equal | TokenKind::Colon) {
                if !self.recovery {
                    self.missing_value(open.span(), next);
                }
                break self.recover(TokenKind::CloseBrace);
            }
            self.read();
            let mark = self.mark();
            let value = self.expression();
            if self.is_lost(mark) {
                break self.recover(TokenKind::CloseBrace);
            }
            height = height.max(self.height);
            items.push(ObjectItem { key, value });
            let next = self.peek();
            match next.kind {
                TokenKind::CloseBrace => break self.read(),
                TokenKind::Comma | TokenKind::Newline => {
                    self.read();
                }
                _ => {
                    if !self.recovery {
                        match next.kind {
                            TokenKind::Eof => self.error(open.span(), UNTERMINATED_OBJECT.0, UNTERMINATED_OBJECT.1),
                            _ => self.error_within(
                                next.span(),
                                open.span().to(next.span()),
                                "Missing attribute separator",
                                "Expected a newline or comma to mark the beginning of the next attribute.",
                            ),
                        }
                    }
                    break self.recover(TokenKind::CloseBrace);
                }
            }
        };
        self.rise(height);
        (items, close)
    }

    fn missing_value(&mut self, open: Span, next: Token) {
        let (summary, detail) = match next.kind {
            TokenKind::Newline | TokenKind::Comma => {
                ("Missing attribute value", "Expected an attribute value, introduced by an equals sign (\"=\").")
            }
            TokenKind::Identifier => (
                "Missing key/value separator",
                "Expected an equals sign (\"=\") to mark the beginning of the attribute value. If you intended to given an \
                 attribute name containing periods or spaces, write the name in quotes to create a string literal.",
            ),
            TokenKind::Eof => return self.error(open, UNTERMINATED_OBJECT.0, UNTERMINATED_OBJECT.1),
            _ => (
                "Missing key/value separator",
                "Expected an equals sign (\"=\") to mark the beginning of the attribute value.",
            ),
        };
        self.error_within(next.span(), open.to(next.span()), summary, detail);
    }
}
