//! Why there is no job.

use std::fmt;

use hieratic_hcl::Diagnostics;

/// What was wrong with a job file. Its text is the reference's.
///
/// The reference writes all messages, one below the other, or the first and how many there are besides, depending on how far it
/// came: use [`Failure::diagnostics`] for all of them.
#[derive(Clone)]
pub struct Failure {
    text: String,
    diagnostics: Diagnostics,
}

impl Failure {
    /// The first message stands for all.
    pub(crate) fn first(diagnostics: Diagnostics) -> Self {
        Self { text: diagnostics.to_string(), diagnostics }
    }

    /// Every message has a line.
    pub(crate) fn all(diagnostics: Diagnostics) -> Self {
        let lines: Vec<String> = diagnostics.iter().map(ToString::to_string).collect();
        Self { text: lines.join("\n"), diagnostics }
    }

    /// The first message stands for all, with something in front of it.
    pub(crate) fn of(what: &str, diagnostics: Diagnostics) -> Self {
        Self { text: format!("{what}: {diagnostics}"), diagnostics }
    }

    /// A text without any place.
    pub(crate) fn text(text: String) -> Self {
        Self { text, diagnostics: Diagnostics::default() }
    }

    /// All messages, with their places; none if the file was not even HCL.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }
}

/// Its text alone: every message has the whole source with it.
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Failure").field(&self.text).finish()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Failure {}
