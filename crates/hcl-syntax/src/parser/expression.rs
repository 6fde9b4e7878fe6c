//! Parses expressions: conditionals, then operators by precedence.

use super::Parser;
use super::operators::binary_operator;
use crate::ast::{BinaryOperation, BinaryOperator, Conditional, Expression};
use crate::scanner::TokenKind;

impl Parser<'_> {
    /// An expression.
    pub(crate) fn expression(&mut self) -> Expression {
        self.deeper(Self::conditional, |parser| {
            let span = parser.peek().span();
            parser.placeholder(span)
        })
    }

    fn conditional(&mut self) -> Expression {
        let start = self.peek().span();
        let mark = self.mark();
        let condition = self.operation(0);
        if self.is_lost(mark) || self.peek_kind() != TokenKind::Question {
            return condition;
        }
        let mut height = self.height;
        self.read();
        let mark = self.mark();
        let true_result = self.expression();
        if self.is_lost(mark) {
            return condition;
        }
        height = height.max(self.height);
        let colon = self.peek();
        if colon.kind != TokenKind::Colon {
            self.error_within(
                colon.span(),
                start.to(colon.span()),
                "Missing false expression in conditional",
                "The conditional operator (...?...:...) requires a false expression, delimited by a colon.",
            );
            return condition;
        }
        self.read();
        let mark = self.mark();
        let false_result = self.expression();
        if self.is_lost(mark) {
            return condition;
        }
        self.rise(height.max(self.height));
        let span = start.to(false_result.span());
        Expression::Conditional(Box::new(Conditional { condition, true_result, false_result, span }))
    }

    /// Operands and the operators between them that bind at least as tight as `least`.
    fn operation(&mut self, least: u8) -> Expression {
        let mark = self.mark();
        let mut left = self.term_with_traversals();
        if self.is_lost(mark) {
            return left;
        }
        let mut height = self.height;
        let mut chained = false;
        while let Some((operator, precedence)) = binary_operator(self.peek_kind()) {
            if precedence < least {
                break;
            }
            self.read();
            let mark = self.mark();
            let right = self.operation(precedence + 1);
            if self.is_lost(mark) {
                return left;
            }
            height = height.max(self.height);
            chained = true;
            left = binary(left, operator, right);
        }
        self.height = height;
        // Visitors iterate over a chain without recursion, so its length does not count as depth.
        if chained {
            self.rise(height);
        }
        left
    }
}

fn binary(left: Expression, operator: BinaryOperator, right: Expression) -> Expression {
    let span = left.span().to(right.span());
    Expression::Binary(Box::new(BinaryOperation { left, operator, right, span }))
}
