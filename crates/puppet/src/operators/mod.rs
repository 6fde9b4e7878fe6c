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
