//! Operators and conditionals.

use super::Expression;
use crate::Span;

/// `left + right`.
///
/// Operators are left-associative: the left operand of `a + b + c` is `a + b`. A chain may be as long as a file, so
/// code must not recurse into left operands; [`chain`](Self::chain) iterates over them.
#[derive(Debug)]
pub struct BinaryOperation {
    /// The left operand.
    pub left: Expression,
    /// The operator.
    pub operator: BinaryOperator,
    /// The right operand.
    pub right: Expression,
    /// The span from the left operand to the right one.
    pub span: Span,
}

impl BinaryOperation {
    /// Returns the first operand of the chain that ends with this operation, and its operations in order.
    ///
    /// ```
    /// use hieratic_hcl_syntax::{Expression, Source, parse_expression};
    ///
    /// let Expression::Binary(sum) = parse_expression(Source::new("a", "1 + 2 - 3")).tree else { panic!() };
    /// let (first, operations) = sum.chain();
    /// assert!(matches!(first, Expression::Literal(_)));
    /// assert_eq!(operations.iter().map(|operation| operation.operator.symbol()).collect::<String>(), "+-");
    /// ```
    pub fn chain(&self) -> (&Expression, Vec<&BinaryOperation>) {
        let mut operations = vec![self];
        let mut first = &self.left;
        while let Expression::Binary(operation) = first {
            operations.push(operation);
            first = &operation.left;
        }
        operations.reverse();
        (first, operations)
    }
}

impl Clone for BinaryOperation {
    fn clone(&self) -> Self {
        let copy = |left: Expression, of: &BinaryOperation| BinaryOperation {
            left,
            operator: of.operator,
            right: of.right.clone(),
            span: of.span,
        };
        let (first, operations) = self.chain();
        let before = operations.split_last().map_or(&[][..], |(_, before)| before);
        let left = before.iter().fold(first.clone(), |left, of| Expression::Binary(Box::new(copy(left, of))));
        copy(left, self)
    }
}

impl Drop for BinaryOperation {
    fn drop(&mut self) {
        let take = |of: &mut BinaryOperation| std::mem::replace(&mut of.left, Expression::Error(of.span));
        let mut left = take(self);
        while let Expression::Binary(operation) = &mut left {
            let next = take(operation);
            left = next;
        }
    }
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
    /// Returns the symbol of the operator.
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
    /// The span of the operator and the operand.
    pub span: Span,
    /// The span of the operator.
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
    /// The condition.
    pub condition: Expression,
    /// The result if the condition is true.
    pub true_result: Expression,
    /// The result if the condition is false.
    pub false_result: Expression,
    /// The span of the conditional.
    pub span: Span,
}
