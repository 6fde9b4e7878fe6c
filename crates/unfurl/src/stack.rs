//! The growing stack: expressions, attributes and templates recurse as deep as the data does.

/// The minimum remaining stack for a deeper step, in bytes.
const LEAST: usize = 256 << 10;

/// The size of a new stack segment in bytes.
const MORE: usize = 4 << 20;

/// Does something that may go deeper.
pub(crate) fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(LEAST, MORE, work)
}
