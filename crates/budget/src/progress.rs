//! [`Progress`]: receives the progress of long work.

/// Receives the progress of long work, such as a check or a comparison. `()` ignores it.
pub trait Progress: Sync {
    /// Announces more steps. `subject` names their unit in the plural, such as `nodes`.
    fn begin(&self, subject: &'static str, steps: usize) {
        let _ = (subject, steps);
    }

    /// Reports that one step is done.
    fn step(&self) {}
}

impl Progress for () {}
