//! [`Budget`]: how much work one look through a value may be.

use std::cell::Cell;

use crate::error::{Result, error};
use crate::work;

/// The budget of one traversal of a value, also outside of a rendering. Values that contain the same value several
/// times look much larger than they are in memory.
pub struct Budget(Cell<u32>);

impl Budget {
    /// Creates a budget that suffices for all data that is not hostile.
    pub fn new() -> Budget {
        Budget(Cell::new(10_000_000))
    }

    /// Takes one step.
    pub fn step(&self) -> Result<()> {
        match self.0.get().checked_sub(1) {
            Some(left) => {
                self.0.set(left);
                work::steps(1)
            }
            None => Err(error("the value is too large")),
        }
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget::new()
    }
}
