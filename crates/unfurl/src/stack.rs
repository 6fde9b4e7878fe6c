//! Grows the call stack, because expressions, attributes and templates recurse as deeply as the data.

/// The minimum remaining stack for a deeper step, in bytes.
const RED_ZONE: usize = 256 << 10;

/// The size of a new stack segment in bytes.
const SEGMENT_SIZE: usize = 4 << 20;

/// Does something that may go deeper.
pub(crate) fn grow<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, SEGMENT_SIZE, work)
}
