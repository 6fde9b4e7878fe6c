//! Binary operators and their precedence.

use crate::ast::BinaryOperator;
use crate::scanner::TokenKind;

/// The operator of a token, with its precedence. Higher precedence binds tighter; equal operators are left-associative.
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#operations>
pub(super) fn binary_operator(kind: TokenKind) -> Option<(BinaryOperator, u8)> {
    Some(match kind {
        TokenKind::Or => (BinaryOperator::Or, 0),
        TokenKind::And => (BinaryOperator::And, 1),
        TokenKind::EqualEqual => (BinaryOperator::Equal, 2),
        TokenKind::NotEqual => (BinaryOperator::NotEqual, 2),
        TokenKind::Greater => (BinaryOperator::GreaterThan, 3),
        TokenKind::GreaterEqual => (BinaryOperator::GreaterThanOrEqual, 3),
        TokenKind::Less => (BinaryOperator::LessThan, 3),
        TokenKind::LessEqual => (BinaryOperator::LessThanOrEqual, 3),
        TokenKind::Plus => (BinaryOperator::Add, 4),
        TokenKind::Minus => (BinaryOperator::Subtract, 4),
        TokenKind::Star => (BinaryOperator::Multiply, 5),
        TokenKind::Slash => (BinaryOperator::Divide, 5),
        TokenKind::Percent => (BinaryOperator::Modulo, 5),
        _ => return None,
    })
}
