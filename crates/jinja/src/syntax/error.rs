//! [`SyntaxError`]: why a template cannot be read.

use hieratic_diagnostics::Span;

/// Why a template cannot be read.
#[derive(Debug)]
pub struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What to try.
    pub help: Option<String>,
}

impl SyntaxError {
    /// An error that says what is wrong.
    pub fn new(message: impl Into<String>, span: Span) -> SyntaxError {
        SyntaxError { message: message.into(), span, help: None }
    }

    /// The error with what to try.
    pub fn help(self, help: impl Into<String>) -> SyntaxError {
        SyntaxError { help: Some(help.into()), ..self }
    }
}
