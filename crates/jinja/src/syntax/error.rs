//! [`SyntaxError`]: why a template cannot be read.

use hieratic_diagnostics::Span;

/// The reason why a template cannot be read.
#[derive(Debug)]
pub struct SyntaxError {
    /// The message.
    pub message: String,
    /// The position.
    pub span: Span,
    /// The advice.
    pub help: Option<String>,
}

impl SyntaxError {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>, span: Span) -> SyntaxError {
        SyntaxError { message: message.into(), span, help: None }
    }

    /// Adds advice.
    pub fn help(self, help: impl Into<String>) -> SyntaxError {
        SyntaxError { help: Some(help.into()), ..self }
    }
}
