//! [`Error`]: the reason why a value could not be decrypted.

use std::fmt;

/// The reason why a value could not be decrypted. The message is the reference's.
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

    /// Returns the name of the value's encryptor, if it is not installed. The reference's command ends in this case.
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
