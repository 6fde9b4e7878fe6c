//! `for` expressions.

use std::sync::Arc;

use super::Parser;
use crate::ast::{Expression, ForExpression};
use crate::scanner::{Token, TokenKind};

const INVALID: &str = "Invalid 'for' expression";

impl Parser<'_> {
    /// Parses a `for` expression after its bracket. Line ends do not count in it.
    pub(super) fn for_expression(&mut self, open: Token) -> Expression {
        let end = if open.kind == TokenKind::OpenBrace { TokenKind::CloseBrace } else { TokenKind::CloseBracket };
        self.read();
        match self.for_parts(open, end) {
            Some(expression) => Expression::For(Box::new(expression)),
            None => {
                let close = self.recover(end);
                self.placeholder(open.span().to(close.span()))
            }
        }
    }

    /// Parses all parts including the closing bracket; `None` after an error that requires skipping.
    fn for_parts(&mut self, open: Token, end: TokenKind) -> Option<ForExpression> {
        let (key_variable, value_variable) = self.for_names(open)?;
        let next = self.peek();
        if !self.is_word(next, "in") {
            return self.bad_for(open, "For expression requires the 'in' keyword after its name declarations.");
        }
        self.read();
        let mark = self.mark();
        let collection = self.expression();
        if self.is_lost(mark) {
            return None;
        }
        let mut height = self.height;
        if self.peek_kind() != TokenKind::Colon {
            return self.bad_for(open, "For expression requires a colon after the collection expression.");
        }
        self.read();
        let mark = self.mark();
        let mut value = self.expression();
        height = height.max(self.height);
        let mut key = None;
        if self.peek_kind() == TokenKind::FatArrow {
            self.read();
            key = Some(value);
            value = self.expression();
            height = height.max(self.height);
        }
        if self.is_lost(mark) {
            return None;
        }
        let ellipsis = (self.peek_kind() == TokenKind::Ellipsis).then(|| self.read());
        let mut condition = None;
        let next = self.peek();
        if self.is_word(next, "if") {
            self.read();
            let mark = self.mark();
            condition = Some(self.expression());
            if self.is_lost(mark) {
                return None;
            }
            height = height.max(self.height);
        }
        let close = if self.peek_kind() == end {
            self.read()
        } else {
            let _: Option<()> = self.bad_for(open, "Extra characters after the end of the 'for' expression.");
            self.recover(end)
        };
        self.rise(height);
        let expression = ForExpression {
            key_variable,
            value_variable,
            collection,
            key,
            value,
            condition,
            group: ellipsis.is_some(),
            span: open.span().to(close.span()),
            open_span: open.span(),
            close_span: close.span(),
        };
        self.check_for(&expression, end, ellipsis);
        Some(expression)
    }

    /// The names of key and element.
    fn for_names(&mut self, open: Token) -> Option<(Option<Arc<str>>, Arc<str>)> {
        let first = self.peek();
        if first.kind != TokenKind::Identifier {
            return self.bad_for(open, "For expression requires variable name after 'for'.");
        }
        self.read();
        if self.peek_kind() != TokenKind::Comma {
            return Some((None, self.name(first)));
        }
        self.read();
        let second = self.peek();
        if second.kind != TokenKind::Identifier {
            return self.bad_for(open, "For expression requires value variable name after comma.");
        }
        self.read();
        Some((Some(self.name(first)), self.name(second)))
    }

    /// Reports that the next token is invalid.
    fn bad_for<T>(&mut self, open: Token, detail: &'static str) -> Option<T> {
        if !self.recovery {
            let next = self.peek().span();
            self.error_within(next, open.span().to(next), INVALID, detail);
        }
        None
    }

    /// Reports the parts that do not fit the kind of brackets.
    fn check_for(&mut self, expression: &ForExpression, end: TokenKind, ellipsis: Option<Token>) {
        let span = expression.span;
        if end == TokenKind::CloseBrace {
            if expression.key.is_none() {
                let detail = "Key expression is required when building an object.";
                self.error_within(expression.value.span(), span, INVALID, detail);
            }
            return;
        }
        if let Some(key) = &expression.key {
            self.error_within(key.span(), span, INVALID, "Key expression is not valid when building a tuple.");
        }
        if let Some(ellipsis) = ellipsis {
            let detail = "Grouping ellipsis (...) cannot be used when building a tuple.";
            self.error_within(ellipsis.span(), span, INVALID, detail);
        }
    }
}
