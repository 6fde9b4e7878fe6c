//! [`Position`]: a line and a column.

/// A line and a column, both counted from 1. Columns count characters, in HCL grapheme clusters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Position {
    /// The beginning of a source.
    pub const START: Position = Position { line: 1, column: 1 };
}

impl Default for Position {
    fn default() -> Self {
        Position::START
    }
}
