//! Constructors of minijinja errors, which all Python rules of this crate return.

use minijinja::{Error, ErrorKind};

/// A result with minijinja's error.
pub type Result<T> = std::result::Result<T, Error>;

/// Creates an error with only a message.
pub fn error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidOperation, message.into())
}

/// Creates the error about an undefined value.
pub fn undefined(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::UndefinedError, message.into())
}
