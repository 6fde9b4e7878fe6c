//! [`Failure`]: the reason why a manifest was not checked.

use std::fmt;

use hieratic_budget::Exhausted;

/// The reason why a manifest was not checked.
#[derive(Clone, Debug)]
pub enum Failure {
    /// puppet-lint cannot parse the manifest.
    Syntax {
        /// The line, as puppet-lint counts.
        line: i64,
        /// The column, as puppet-lint counts.
        column: i64,
        /// A more specific reason, if it is known.
        reason: Option<&'static str>,
    },
    /// puppet-lint crashes, because it expects something that does not exist.
    Unforeseen,
    /// The budget is exhausted.
    Exhausted(Exhausted),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Syntax { reason: None, .. } => f.write_str("Syntax error"),
            Failure::Syntax { reason: Some(reason), .. } => write!(f, "Syntax error ({reason})"),
            Failure::Unforeseen => f.write_str("puppet-lint cannot read the manifest"),
            Failure::Exhausted(exhausted) => write!(f, "{exhausted}"),
        }
    }
}

impl std::error::Error for Failure {}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Failure {
        Failure::Exhausted(exhausted)
    }
}
