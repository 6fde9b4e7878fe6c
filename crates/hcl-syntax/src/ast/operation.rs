//! Operators and conditionals.

use super::Expression;
use crate::Span;

/// `left + right`.
#[derive(Clone, Debug)]
pub struct BinaryOperation {
    /// The left operand.
    pub left: Expression,
    /// The operator.
    pub operator: BinaryOperator,
    /// The right operand.
    pub right: Expression,
    /// From the left operand to the right one.
    pub span: Span,
}

/// An operator between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    GreaterThan,
    /// `>=`
    GreaterThanOrEqual,
    /// `<`
    LessThan,
    /// `<=`
    LessThanOrEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Modulo,
}

impl BinaryOperator {
    /// The operator as it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Or => "||",
            BinaryOperator::And => "&&",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::GreaterThan => ">",
            BinaryOperator::GreaterThanOrEqual => ">=",
            BinaryOperator::LessThan => "<",
            BinaryOperator::LessThanOrEqual => "<=",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Modulo => "%",
        }
    }
}

/// `-value`, `!value`.
#[derive(Clone, Debug)]
pub struct UnaryOperation {
    /// The operator.
    pub operator: UnaryOperator,
    /// The operand.
    pub operand: Expression,
    /// Operator and operand.
    pub span: Span,
    /// The operator.
    pub symbol_span: Span,
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    /// `-`
    Negate,
    /// `!`
    Not,
}

/// `condition ? this : that`, or the directive `%{if}` with its branches as templates.
#[derive(Clone, Debug)]
pub struct Conditional {
    /// What decides.
    pub condition: Expression,
    /// The result if it holds.
    pub true_result: Expression,
    /// The result if it does not.
    pub false_result: Expression,
    /// All of it.
    pub span: Span,
}
