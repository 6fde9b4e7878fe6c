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
pub(crate) enum OperatorFault {
    /// The left side does not have the operator.
    NotApplicable,
    /// The left side does not have it for such a right side.
    NotApplicableWhen,
    /// It divides by zero.
    DivisionByZero,
    /// The sentence of the reference.
    Message(String),
}
