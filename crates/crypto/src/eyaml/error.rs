//! [`Error`]: why a value could not be decrypted.

use std::fmt;

/// The reason why a value could not be decrypted, in the reference's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    unknown_encryptor: Option<String>,
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), unknown_encryptor: None }
    }

    pub(crate) fn unknown_encryptor(name: &str) -> Error {
        let file = name.to_lowercase();
        let message = format!("cannot load such file -- hiera/backend/eyaml/encryptors/{file}");
        Error { message, unknown_encryptor: Some(name.to_owned()) }
    }

    /// Returns the way of encryption that the value names, if it is not there. The reference ends its command then.
    pub fn encryptor_not_there(&self) -> Option<&str> {
        self.unknown_encryptor.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
