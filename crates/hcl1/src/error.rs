//! The error of an invalid file.

use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_source::Span;

use crate::token::Place;

/// The reason why a file is invalid. Parsing ends at the first error, as in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The message of the reference.
    pub message: String,
    /// The text to write instead.
    pub help: Option<&'static str>,
    /// The position.
    pub place: Place,
    /// The span of the error in the file.
    pub span: Span,
    /// The limit that was reached, if the file is too large.
    pub exhausted: Option<Exhausted>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, place: Place, length: usize) -> Error {
        let span = Span::new(place.offset, place.offset + length);
        Error { message: message.into(), help: None, place, span, exhausted: None }
    }

    pub(crate) fn with_help(self, help: &'static str) -> Error {
        Error { help: Some(help), ..self }
    }

    pub(crate) fn exhausted(exhausted: Exhausted, place: Place) -> Error {
        Error { exhausted: Some(exhausted), ..Error::new(exhausted.to_string(), place, 0) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Error {}
