//! Errors of patterns, and of searches that exceed their limits.

use std::fmt;

use hieratic_budget::Exhausted;

use crate::{Options, inspect};

/// The error for an invalid pattern. The message is Ruby's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    reason: String,
    source: Box<str>,
    options: Options,
}

impl Error {
    pub(crate) fn new(reason: impl Into<String>, source: &str, options: Options) -> Error {
        Error { reason: reason.into(), source: source.into(), options }
    }

    /// Returns the message without the pattern.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Display for Error {
    /// The message with the pattern, as in Ruby's `RegexpError`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", self.reason)?;
        inspect::write(&self.source, self.options, out)
    }
}

impl std::error::Error for Error {}

/// The error for a search that was cancelled because it took too many steps or too much memory. Ruby would continue,
/// perhaps for years.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooExpensive {
    exhausted: Option<Exhausted>,
}

impl TooExpensive {
    pub(crate) fn new() -> TooExpensive {
        TooExpensive { exhausted: None }
    }

    /// Returns the limit of the [`Budget`](hieratic_budget::Budget) that is reached. `None` if the limit of a single
    /// search is reached.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Returns the help of the diagnostic: what to try.
    pub fn help(&self) -> Option<String> {
        match self.exhausted {
            Some(exhausted) => exhausted.help(),
            None => Some(
                "rewrite the pattern so that no two parts can match the same text, or split the string first".into(),
            ),
        }
    }
}

impl From<Exhausted> for TooExpensive {
    fn from(exhausted: Exhausted) -> TooExpensive {
        TooExpensive { exhausted: Some(exhausted) }
    }
}

impl fmt::Display for TooExpensive {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exhausted {
            Some(exhausted) => exhausted.fmt(out),
            None => out.write_str("the regular expression takes too long on this string"),
        }
    }
}

impl std::error::Error for TooExpensive {}
