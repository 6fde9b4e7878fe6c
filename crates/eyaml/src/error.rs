//! [`Error`]: why a value could not be decrypted.

use std::fmt;

/// Why a value could not be decrypted, in the reference's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    unknown_encryptor: bool,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), unknown_encryptor: false }
    }

    pub(crate) fn unknown_encryptor(name: &str) -> Error {
        let file = name.to_lowercase();
        let message = format!("cannot load such file -- hiera/backend/eyaml/encryptors/{file}");
        Error { message, unknown_encryptor: true }
    }

    /// Whether the value names a way of encryption that is not there. The reference ends its command then.
    pub fn is_unknown_encryptor(&self) -> bool {
        self.unknown_encryptor
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
