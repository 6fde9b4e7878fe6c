//! [`Budget`]: a limit for one traversal of a value.

use std::cell::Cell;

use crate::error::{Result, error};
use crate::work;

/// The budget of one traversal of a value, also outside of a rendering. Values with shared parts can be much larger
/// than in memory.
pub struct Budget(Cell<u32>);

impl Budget {
    /// Creates a budget that suffices for all ordinary data.
    pub fn new() -> Budget {
        Budget(Cell::new(10_000_000))
    }

    /// Charges one step.
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
