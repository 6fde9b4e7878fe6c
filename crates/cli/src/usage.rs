//! [`usage`]: what cannot be done because the flags do not fit.

use hieratic::{Error, ErrorKind};

use crate::codes;

/// An error about flags that are each right and do not fit together, or do not fit what is there.
pub(crate) fn usage(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::USAGE, message)
}
