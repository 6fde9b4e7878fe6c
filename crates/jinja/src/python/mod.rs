//! The semantics of Python's values: types, strings, operators, comparisons and methods.
//!
//! minijinja provides the values; the rules here are those of Python 3.11:
//! <https://docs.python.org/3.11/library/stdtypes.html>.

pub mod arithmetic;
mod budget;
pub mod compare;
pub mod digits;
pub mod duration;
pub mod encoding;
pub mod format;
pub mod index;
pub mod kind;
pub mod literal;
pub mod methods;
pub mod number;
pub mod text;

pub use budget::Budget;
pub use kind::{Kind, iterate, kind, type_name};
pub use methods::replace;
pub use text::{repr, str};
