//! [`Error`]: the reason why a source could not be parsed.

use std::fmt;

use crate::Position;

/// The reason why a source could not be parsed: the message of the reference, and a hint how to fix it.
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

    /// Returns the error at a position.
    pub fn at(mut self, position: Position) -> Self {
        self.0.position = Some(position);
        self
    }

    /// Returns the error with a plain reason, where the message of the reference leaves it out.
    pub fn with_reason(mut self, reason: impl Into<String>) -> Self {
        self.0.reason = Some(reason.into());
        self
    }

    /// Returns the error with what to try.
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the message, word for word as the reference words it.
    ///
    /// Its lines and columns are those that the reference names, which for some errors is where the surrounding
    /// structure begins; [`Error::position`] is nearer to the fault.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the error in plain words: the message, or the part that it leaves out where it shows the rest of the
    /// file instead.
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
