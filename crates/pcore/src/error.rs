//! [`Error`]: why there is no value.

use std::fmt;

use crate::Mismatch;

/// Why a value cannot be made, converted, matched or written; the message is the reference's.
///
/// ```
/// use hieratic_pcore::Pattern;
/// let error = Pattern::new("(").unwrap_err();
/// assert!(error.to_string().contains("unmatched"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into() }
    }

    /// A letter in a format that the type does not have.
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

impl From<Mismatch> for Error {
    fn from(mismatch: Mismatch) -> Error {
        Error::new(mismatch.to_string())
    }
}
