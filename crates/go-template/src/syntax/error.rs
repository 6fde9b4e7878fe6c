//! The error of a template that cannot be parsed.

use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_source::Span;

/// The reason why a template cannot be parsed. Parsing ends at the first error, as in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The name of the template.
    pub name: String,
    /// The line that the reference reports, which is that of the last token.
    pub line: u32,
    /// The span of the error.
    pub span: Span,
    /// The message of the reference.
    pub message: String,
    /// The kind of error.
    pub cause: Cause,
}

/// The kind of a [`ParseError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A syntax error.
    Syntax,
    /// An unknown function.
    UndefinedFunction(String),
    /// An undeclared variable, with its `$`.
    UndefinedVariable(String),
    /// A limit of the budget is reached.
    Exhausted(Exhausted),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "template: {}:{}: {}", self.name, self.line, self.message)
    }
}

impl std::error::Error for ParseError {}
