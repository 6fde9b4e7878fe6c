//! Strings in variables that are never templates.

use std::fmt;
use std::sync::Arc;

use minijinja::Error;
use minijinja::value::{Object, ObjectRepr};

use crate::error::error;

/// A string with the tag `!unsafe`.
#[derive(Debug)]
pub struct Verbatim(pub Arc<str>);

impl Object for Verbatim {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

/// An encrypted string with the tag `!vault`. It is decrypted on its first use.
#[derive(Clone, Debug)]
pub struct Encrypted {
    /// The encrypted string.
    pub text: Arc<str>,
    /// The position of its definition: the file and the line.
    pub place: Arc<str>,
    /// The error of a failed decryption.
    pub why: Option<Arc<str>>,
}

impl Encrypted {
    /// Creates the error for its use.
    pub fn error(&self) -> Error {
        undecrypted(&format!("the value of !vault in {}", self.place), self.why.as_deref())
    }
}

/// Creates the error for a value that cannot be decrypted.
pub fn undecrypted(subject: &str, reason: Option<&str>) -> Error {
    let reason = reason.unwrap_or("no password was given");
    error(format!("{subject} cannot be decrypted: {reason}")).with_source(Undecrypted)
}

/// The source of the error about a value that could not be decrypted.
#[derive(Debug)]
pub struct Undecrypted;

impl fmt::Display for Undecrypted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a password is missing or wrong")
    }
}

impl std::error::Error for Undecrypted {}

impl Object for Encrypted {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}
