//! [`Error`]: the reason why a value or a type cannot be produced.

use std::fmt;

/// The reason why a value cannot be created, converted, matched or written, or why a string is not a type. The message
/// is the reference's.
///
/// ```
/// use hieratic_puppet_types::Pattern;
/// let error = Pattern::new("(").unwrap_err();
/// assert!(error.to_string().contains("unmatched"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    offset: Option<usize>,
    expected: Option<&'static str>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), offset: None, expected: None }
    }

    /// Creates an error at a byte of a type's string.
    pub(crate) fn at(message: impl Into<String>, offset: usize) -> Error {
        Error { offset: Some(offset), ..Error::new(message) }
    }

    pub(crate) fn expecting(self, expected: &'static str) -> Error {
        Error { expected: Some(expected), ..self }
    }

    /// Returns the byte offset of the error in the parsed string. `None` if no string was parsed.
    pub fn offset(&self) -> Option<usize> {
        self.offset
    }

    /// Returns a description of what the parser expected instead, if known.
    pub fn expected(&self) -> Option<&'static str> {
        self.expected
    }

    /// Creates the error for a format letter that the type does not support.
    pub(crate) fn illegal_letter(kind: &str, letter: char, expected: &str) -> Error {
        Error::new(format!(
            "Illegal format '{letter}' specified for value of {kind} type - expected one of the characters '{expected}'"
        ))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
