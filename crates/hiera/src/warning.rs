//! [`Warning`]: a problem that does not end the lookup.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::error::Place;

/// A problem that does not end the lookup.
///
/// `Display` prints the message of the reference, with its line for the position. Warnings are equal if their messages
/// are: like the reference, a node logs each once, with the position where it first occurred.
#[derive(Clone, Debug)]
pub struct Warning {
    message: String,
    suffix: Option<String>,
    place: Option<Place>,
}

impl PartialEq for Warning {
    fn eq(&self, other: &Warning) -> bool {
        (&self.message, &self.suffix) == (&other.message, &other.suffix)
    }
}

impl Eq for Warning {}

impl Hash for Warning {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.message, &self.suffix).hash(state);
    }
}

impl Warning {
    /// Creates a warning without a file.
    pub fn plain(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: None, place: None }
    }

    /// Creates a warning about a file.
    pub fn at_file(message: impl Into<String>, file: &Path) -> Warning {
        let suffix = Some(format!("(file: {})", file.display()));
        Warning { message: message.into(), suffix, place: Some(Place::file(file)) }
    }

    /// Creates a warning whose position is unknown, which the reference prints.
    pub fn without_place(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: Some("(file & line not available)".into()), place: None }
    }

    /// Sets the position, which the reference's message does not contain.
    pub(crate) fn met_at(self, place: Place) -> Warning {
        Warning { place: Some(place), ..self }
    }

    /// Returns the message without its position.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the position.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Returns whether the line of the warning is unknown, but a second lookup with [positions](crate::Shared::new) may
    /// find it.
    pub fn needs_line(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.line.is_none())
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
