//! Errors of keys, encrypted values and replaced files.

use hieratic::eyaml::Error as Fault;
use hieratic::{Error, ErrorKind};

use crate::codes;
use crate::files::WriteError;

/// Returns an error about the user's input.
pub(super) fn input_error(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::Fatal, codes::SECRET, message)
}

/// An error of a file that is not replaced.
pub(super) fn from(refusal: WriteError) -> Error {
    input_error(refusal.message).help(refusal.help)
}

/// An error of keys and encrypted values.
pub(super) fn fault(error: &Fault) -> Error {
    let message = error.to_string();
    let absent =
        if message.contains("No such file") { "'hieratic secret createkeys' creates a key pair; " } else { "" };
    input_error(message).help(format!(
        "{absent}name the key files with --pkcs7-private-key and --pkcs7-public-key, or in ~/.eyaml/config.yaml, /etc/eyaml/config.yaml \
         or the file in EYAML_CONFIG; the default is ./keys/private_key.pkcs7.pem and ./keys/public_key.pkcs7.pem",
    ))
}
