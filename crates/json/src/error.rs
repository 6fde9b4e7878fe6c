//! [`Error`]: the reason why a source could not be parsed.

use std::fmt;

use crate::Position;

/// The reason why a source could not be parsed: the message of the reference, a position, and help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error(Box<ErrorParts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct ErrorParts {
    message: String,
    /// The plain reason, if the message of the reference leaves it out.
    reason: Option<String>,
    position: Option<Position>,
    hint: Option<String>,
}

impl Error {
    /// Creates an error without a position, with the message of the reference.
    pub fn new(message: impl Into<String>) -> Self {
        Error(Box::new(ErrorParts { message: message.into(), reason: None, position: None, hint: None }))
    }

    /// Sets the position of the error.
    pub fn at(mut self, position: Position) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Sets a plain reason, for errors whose message in the reference lacks it.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    /// Sets the help of the diagnostic.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the message of the reference.
    ///
    /// The lines and columns in it are those of the reference. For some errors, they are the start of the surrounding
    /// structure; [`Error::position`] is more precise.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the error in plain words: the message of the reference, or the reason if that message lacks it.
    pub fn reason(&self) -> &str {
        self.0.reason.as_deref().unwrap_or(&self.0.message)
    }

    /// Returns the position at which the error was noticed.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the help of the diagnostic: what to try.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {}
