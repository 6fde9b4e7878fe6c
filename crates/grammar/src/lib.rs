//! The syntax of the Puppet language: text becomes a tree.
//!
//! [`parse`] reads a manifest or template into a [`Program`](ast::Program); [`pn`] writes a tree as text. What is wrong is
//! a [`Problem`] with the reference's words and the place.

pub mod ast;
mod lexer;
mod parser;
pub mod pn;
mod problem;

pub use parser::{Options, Parsed, parse};
pub use problem::Problem;
