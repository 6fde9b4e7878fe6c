//! [`Options`]: the letters after a pattern.

/// The options of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Case does not matter (`i`).
    pub ignore_case: bool,
    /// Whitespace and comments are ignored (`x`).
    pub extended: bool,
    /// `.` matches a newline too (`m`).
    pub multiline: bool,
}
