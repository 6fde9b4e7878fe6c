//! Steps after a term: `.name`, `.0`, `[key]`, `.*`, `[*]`.

use hieratic_hcl_types::Value;

use super::Parser;
use crate::Span;
use crate::ast::{Expression, Index, Literal, RelativeTraversal, Step};
use crate::scanner::{Token, TokenKind};

impl Parser<'_> {
    /// All steps that follow an expression.
    pub(super) fn traversals(&mut self, from: Expression) -> Expression {
        let start = from.span();
        let mut expression = from;
        loop {
            match self.peek_kind() {
                TokenKind::Dot => expression = self.behind_dot(expression, start),
                TokenKind::OpenBracket => expression = self.behind_bracket(expression, start),
                _ => return expression,
            }
        }
    }

    fn behind_dot(&mut self, expression: Expression, start: Span) -> Expression {
        let dot = self.read();
        let next = self.peek();
        let span = dot.span().to(next.span());
        match next.kind {
            TokenKind::Identifier => {
                self.read();
                let name = self.name(next);
                self.step(expression, Step::Attribute { name, span })
            }
            TokenKind::Number => {
                self.read();
                let key = self.legacy_index(next, next.span(), "Use the proper index syntax instead, like");
                self.step(expression, Step::Index { key, span })
            }
            TokenKind::Star => self.attribute_splat(expression, start, dot),
            _ => {
                self.error(next.span(), "Invalid attribute name", "An attribute name is required after a dot.");
                self.recovery = true;
                expression
            }
        }
    }

    /// The key of `.0`; `.0.1` is one number to the scanner, and an error.
    pub(super) fn legacy_index(&mut self, token: Token, subject: Span, advice: &str) -> Value {
        let text = self.text(token);
        let Some((first, second)) = text.split_once('.') else { return self.number(token) };
        self.error(
            subject,
            "Invalid legacy index syntax",
            format!(
                "When using the legacy index syntax, chaining two indexes together is not permitted. {advice} \
                 [{first}][{second}]."
            ),
        );
        Value::DYNAMIC
    }

    fn behind_bracket(&mut self, expression: Expression, start: Span) -> Expression {
        let open = self.read();
        if self.peek_kind() == TokenKind::Star {
            return self.full_splat(expression, start, open);
        }
        let height = self.height;
        let newlines = self.set_newlines(false);
        let mark = self.mark();
        let key = self.expression();
        let close = if self.is_lost(mark) {
            self.recover(TokenKind::CloseBracket)
        } else {
            self.close_index(
                "Missing close bracket on index",
                "The index operator must end with a closing bracket (\"]\").",
            )
        };
        self.set_newlines(newlines);
        let bracket_span = open.span().to(close.span());
        let key = match literal_key(key) {
            Ok(key) => {
                self.height = height;
                return self.step(expression, Step::Index { key, span: bracket_span });
            }
            Err(key) => key,
        };
        self.rise(height.max(self.height));
        let span = start.to(bracket_span);
        Expression::Index(Box::new(Index { collection: expression, key, span, bracket_span }))
    }

    /// Expects the closing bracket. If another token follows, the message points to where parsing continues, as in the
    /// reference.
    pub(super) fn close_index(&mut self, summary: &'static str, detail: &'static str) -> Token {
        let close = self.read();
        if close.kind == TokenKind::CloseBracket || self.recovery {
            return close;
        }
        let close = self.recover(TokenKind::CloseBracket);
        self.error(close.span(), summary, detail);
        close
    }

    /// Appends a step to an expression. A traversal absorbs it.
    fn step(&mut self, mut expression: Expression, step: Step) -> Expression {
        let end = step.span();
        match &mut expression {
            Expression::ScopeTraversal(traversal) => {
                traversal.span = traversal.span.to(end);
                traversal.steps.push(step);
            }
            Expression::RelativeTraversal(traversal) => {
                traversal.span = traversal.span.to(end);
                traversal.steps.push(step);
            }
            _ => {
                self.rise(self.height);
                let span = expression.span().to(end);
                let traversal = RelativeTraversal { source: expression, steps: vec![step], span };
                return Expression::RelativeTraversal(Box::new(traversal));
            }
        }
        expression
    }
}

/// The key that an expression is if it needs no evaluation, or the expression.
fn literal_key(key: Expression) -> Result<Value, Expression> {
    match key {
        Expression::Literal(Literal { value, .. }) => Ok(value),
        // After an error the key is unknown, as in the reference.
        Expression::Error(_) => Ok(Value::DYNAMIC),
        Expression::Template(template) => match template.string_literal() {
            Some(literal) => Ok(literal.value.clone()),
            None => Err(Expression::Template(template)),
        },
        other => Err(other),
    }
}
