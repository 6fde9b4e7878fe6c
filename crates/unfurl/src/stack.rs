//! The stack: expressions, attributes and templates lead into each other as deep as the data says, and it grows with
//! them.

/// How much stack must be left before a step goes deeper.
const LEAST: usize = 256 << 10;

/// How much more there is for a step that finds less.
const MORE: usize = 4 << 20;

/// Does something that may go deeper.
pub(crate) fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEAST, MORE, work)
}
