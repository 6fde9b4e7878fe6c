//! The reason why a job could not be read.

use std::fmt;

use hieratic_diagnostics::{Diagnose, Diagnostic, Severity};
use hieratic_hcl_eval::Problems;

use crate::codes;
use crate::hints::with_hint;

/// The errors of a job file. `Display` prints the reference's message.
///
/// The reference prints either all messages, one per line, or the first and the number of the others, depending on the
/// stage that failed: use [`Failure::problems`] for all of them.
#[derive(Clone)]
pub struct Failure {
    text: String,
    problems: Problems,
}

impl Failure {
    /// A failure that prints only its first message.
    pub(crate) fn with_first(problems: Problems) -> Self {
        Self { text: problems.to_string(), problems }
    }

    /// A failure that prints every message on a separate line.
    pub(crate) fn with_all(problems: Problems) -> Self {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Self { text: lines.join("\n"), problems }
    }

    /// A failure that prints only its first message, after a prefix.
    pub(crate) fn with_prefix(subject: &str, problems: Problems) -> Self {
        Self { text: format!("{subject}: {problems}"), problems }
    }

    /// A message without a position.
    pub(crate) fn from_text(text: String) -> Self {
        Self { text, problems: Problems::default() }
    }

    /// Returns all problems with their positions. It is empty if the file is not HCL.
    pub fn problems(&self) -> &Problems {
        &self.problems
    }
}

/// Prints only the text: every problem refers to the whole source.
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

/// Consequences of other problems are left out. A failure without a position has the message of the reference.
impl Diagnose for Failure {
    fn diagnose(&self) -> Vec<Diagnostic> {
        let diagnostics = self.problems.iter().filter(|problem| !problem.follows);
        let diagnostics: Vec<Diagnostic> = diagnostics.flat_map(Diagnose::diagnose).map(with_hint).collect();
        if diagnostics.is_empty() {
            vec![Diagnostic::new(Severity::Error, codes::JOB, self.text.as_str())]
        } else {
            diagnostics
        }
    }
}
