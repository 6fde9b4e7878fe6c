//! [`usage`]: an error of the flags of a verb.

use hieratic::{Error, ErrorKind};

use crate::codes;

/// Returns the error that flags contradict each other, or do not match the input.
pub(crate) fn usage(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::USAGE, message)
}
