//! Ruby, as far as configuration needs it.
#![allow(missing_docs)]
pub mod ast;
mod parse;
mod symbol;
pub use parse::{SyntaxError, parse};
pub use symbol::{Symbol, Symbols};
