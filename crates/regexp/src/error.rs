//! Why a pattern is none, or a search was given up.

use std::fmt;

/// A pattern that cannot be compiled, in Ruby's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub(crate) reason: String,
    pub(crate) source: Box<str>,
}

impl Error {
    /// What is wrong, without the pattern.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: /{}/", self.reason, self.source)
    }
}

impl std::error::Error for Error {}

/// A search that went back too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooExpensive;

impl fmt::Display for TooExpensive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the regular expression takes too long on this text")
    }
}

impl std::error::Error for TooExpensive {}
