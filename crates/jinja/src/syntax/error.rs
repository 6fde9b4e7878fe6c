//! [`SyntaxError`]: the reason why a template cannot be parsed.

use hieratic_diagnostics::Span;

/// The reason why a template cannot be parsed.
#[derive(Debug)]
pub struct SyntaxError {
    /// The message.
    pub message: String,
    /// The position.
    pub span: Span,
    /// The help of the diagnostic.
    pub help: Option<String>,
}

impl SyntaxError {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>, span: Span) -> SyntaxError {
        SyntaxError { message: message.into(), span, help: None }
    }

    /// Sets the help of the diagnostic.
    pub fn help(self, help: impl Into<String>) -> SyntaxError {
        SyntaxError { help: Some(help.into()), ..self }
    }
}
