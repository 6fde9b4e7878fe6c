//! The error of a template that cannot be parsed.

use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_source::Span;

/// The reason why a template cannot be parsed. Parsing ends at the first error, as in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The name of the template.
    pub name: String,
    /// The line that the reference names: that of the last token it has read.
    pub line: u32,
    /// The bytes that are wrong.
    pub span: Span,
    /// The message in the words of the reference.
    pub message: String,
    /// The kind of error.
    pub cause: Cause,
}

/// The kind of a [`ParseError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The grammar does not allow it.
    Syntax,
    /// A function that does not exist.
    UndefinedFunction(String),
    /// A variable that is not declared here, with its `$`.
    UndefinedVariable(String),
    /// The template needs more than the budget allows.
    Exhausted(Exhausted),
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "template: {}:{}: {}", self.name, self.line, self.message)
    }
}

impl std::error::Error for ParseError {}
