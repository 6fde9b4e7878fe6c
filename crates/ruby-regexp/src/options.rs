//! [`Options`]: the letters after a pattern.

/// The options of a pattern.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// Whether case is ignored (`i`).
    pub ignore_case: bool,
    /// Whether whitespace and comments in the pattern are ignored (`x`).
    pub extended: bool,
    /// Whether `.` also matches a newline (`m`).
    pub multiline: bool,
}
