//! [`Warning`]: what a user should know although the lookup goes on.

use std::fmt;
use std::path::Path;

/// What a user should know although the lookup goes on.
///
/// `Display` gives the reference's text, with the line that it adds to tell a place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    message: String,
    suffix: Option<String>,
}

impl Warning {
    /// A message alone.
    pub fn plain(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: None }
    }

    /// A message about a file.
    pub fn at_file(message: impl Into<String>, file: &Path) -> Warning {
        Warning { message: message.into(), suffix: Some(format!("(file: {})", file.display())) }
    }

    /// A message for which the reference regrets that it knows no place.
    pub fn without_place(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: Some("(file & line not available)".into()) }
    }

    /// The message without a place.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)?;
        match &self.suffix {
            Some(suffix) => write!(out, "\n   {suffix}"),
            None => Ok(()),
        }
    }
}
