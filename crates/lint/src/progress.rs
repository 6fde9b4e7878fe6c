//! [`Progress`]: receives the progress of a check.

/// Receives the progress of a check. `()` ignores it.
pub trait Progress: Sync {
    /// So many steps more are to be done, of that kind.
    fn begin(&self, what: &'static str, steps: usize) {
        let _ = (what, steps);
    }

    /// One step is done.
    fn step(&self) {}
}

impl Progress for () {}
