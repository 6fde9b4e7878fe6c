//! The operators of the language.
//!
//! See [expressions and operators](https://www.puppet.com/docs/puppet/8/lang_expressions.html).

mod arithmetic;
mod collections;
mod comparison;
pub(crate) use comparison::equal;
mod matching;
pub(crate) mod number;
mod time;

/// The reason why an operator has no value; the evaluator adds the details of the expression.
pub(crate) enum OperatorError {
    /// The operator does not apply to the left side.
    NotApplicable,
    /// The operator does not apply to this right side.
    NotApplicableWhen,
    /// A division by zero.
    DivisionByZero,
    /// The reference's message.
    Message(String),
}
