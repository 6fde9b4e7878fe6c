//! Parses templates to syntax trees.

mod error;
mod lexer;
mod literal;
mod number;
mod parser;
mod pipeline;
mod token;
mod tree;

pub use error::{Cause, ParseError};
pub use number::Number;
pub use parser::{Syntax, parse, parse_into};
pub use tree::{Branch, Command, Control, Node, Operand, OperandKind, Pipeline, Template, Templates, Variable};
