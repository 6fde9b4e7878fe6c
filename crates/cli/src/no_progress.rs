//! The progress of a build without a terminal, which prints nothing.

use hieratic_lint::Progress;

/// No bar.
pub(crate) struct Bar;

impl Bar {
    /// A bar that is never drawn.
    pub(crate) fn new(_: bool) -> Bar {
        Bar
    }

    /// Writes something.
    pub(crate) fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        write()
    }

    /// Does nothing.
    pub(crate) fn finish(&self) {}
}

impl Progress for Bar {
    fn begin(&self, _: &'static str, _: usize) {}

    fn step(&self) {}
}
