//! [`Warning`]: what a user should know although the lookup goes on.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::Path;

use crate::error::Place;

/// What a user should know although the lookup goes on.
///
/// `Display` gives the reference's text, with the line that it adds to tell a place. Warnings are equal if their texts are: like the
/// reference, a node tells each once, with the place where it met it first.
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
    /// A message alone.
    pub fn plain(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: None, place: None }
    }

    /// A message about a file.
    pub fn at_file(message: impl Into<String>, file: &Path) -> Warning {
        let suffix = Some(format!("(file: {})", file.display()));
        Warning { message: message.into(), suffix, place: Some(Place::file(file)) }
    }

    /// A message for which the reference regrets that it knows no place.
    pub fn without_place(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), suffix: Some("(file & line not available)".into()), place: None }
    }

    /// The same message about a place, which the text of the reference does not have.
    pub(crate) fn met_at(self, place: Place) -> Warning {
        Warning { place: Some(place), ..self }
    }

    /// The message without a place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place that the message is about.
    pub fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Whether the line that the warning is about may be told if the question is asked again with
    /// [positions](crate::Shared::new).
    pub fn wants_line(&self) -> bool {
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
