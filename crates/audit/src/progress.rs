//! [`Progress`]: how far the work is, for whoever wants to show it.

/// Is told how far the work is. `()` shows nothing.
pub trait Progress: Sync {
    /// So many steps more are to be done, of that kind.
    fn begin(&self, what: &'static str, steps: usize) {
        let _ = (what, steps);
    }

    /// One step is done.
    fn step(&self) {}
}

impl Progress for () {}
