//! [`Error`]: why a revision cannot be read.

use std::fmt;

/// Why a revision cannot be read, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What is wrong.
    pub message: String,
    /// What to try.
    pub help: String,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Error {
        Error { message: message.into(), help: help.into() }
    }

    /// An object that should be there and cannot be read.
    pub(crate) fn unreadable(what: &str, error: &impl fmt::Display) -> Error {
        Error::new(format!("{what} cannot be read: {error}"), "check the repository with `git fsck`, or fetch it again")
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
