//! [`Place`]: a line of a file.

use std::fmt;

/// A line of a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
pub struct Place {
    /// The file, relative to the root.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)
    }
}
