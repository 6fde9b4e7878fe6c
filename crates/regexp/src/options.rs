//! [`Options`]: the letters behind a pattern.

/// How a pattern is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Case does not matter (`i`).
    pub ignore_case: bool,
    /// White space and comments do not count (`x`).
    pub extended: bool,
    /// `.` matches a newline too (`m`).
    pub multiline: bool,
}
