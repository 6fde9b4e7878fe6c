//! [`Progress`]: receives the progress of long work.

/// Receives the progress of long work, such as a check or a comparison. `()` ignores it.
pub trait Progress: Sync {
    /// So many steps more are to be done, of that kind.
    fn begin(&self, subject: &'static str, steps: usize) {
        let _ = (subject, steps);
    }

    /// One step is done.
    fn step(&self) {}
}

impl Progress for () {}
