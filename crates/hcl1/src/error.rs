//! The error of a file that cannot be read.

use std::fmt;

use hieratic_budget::Exhausted;
use hieratic_source::Span;

use crate::token::Place;

/// The reason why a file is not valid. Reading ends at the first error, as in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The message, in the words of the reference.
    pub message: String,
    /// The text to write instead.
    pub help: Option<&'static str>,
    /// The place: the line and the column, which counts characters.
    pub place: Place,
    /// The bytes of the file that are wrong.
    pub span: Span,
    /// The limit that was reached, if the file is only too large.
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
