//! [`Generation`]: the run in which an object was allocated, and the number of live objects.

use std::cell::Cell;

// Objects are allocated and dropped without an argument (`Default`, `Clone` and `Drop`), and an interpreter stays on its
// thread, so that the thread has the counters. None of them limits anything by itself.
thread_local! {
    /// The current generation; 0 while lasting objects are allocated.
    static CURRENT: Cell<u32> = const { Cell::new(1) };
    /// The generation of the last run that began.
    static LAST: Cell<u32> = const { Cell::new(1) };
    /// The number of live objects.
    static OBJECTS: Cell<usize> = const { Cell::new(0) };
    /// The maximum number of live objects so far.
    #[cfg(test)]
    pub(crate) static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// The generation of objects that calls share until one of them is changed.
pub(crate) const SHARED: u32 = u32::MAX;

/// The last generation: later runs reuse it.
pub(crate) const LAST_GENERATION: u32 = SHARED - 1;

/// The generation in which an object was allocated. If a run only changes objects of the current generation, the
/// interpreter can be reused; changes of older objects may be visible in later runs.
#[derive(Debug)]
pub(crate) struct Generation(Cell<u32>);

impl Generation {
    /// Returns the current generation.
    #[inline]
    pub fn current() -> Generation {
        OBJECTS.set(OBJECTS.get() + 1);
        #[cfg(test)]
        PEAK.set(PEAK.get().max(OBJECTS.get()));
        Generation(Cell::new(CURRENT.get()))
    }

    /// Returns whether the object was allocated before a run.
    #[inline]
    pub fn is_before(&self, run: u32) -> bool {
        self.0.get() < run
    }

    /// Returns whether several calls share the object.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.0.get() == SHARED
    }

    /// Moves the object to the current generation.
    pub fn renew(&self) {
        self.0.set(CURRENT.get());
    }

    /// Moves the object to the oldest generation. Returns false if it was there already.
    pub fn promote(&self) -> bool {
        self.0.replace(0) != 0
    }
}

impl Drop for Generation {
    #[inline]
    fn drop(&mut self) {
        // The counter may be gone already when the end of the thread drops objects.
        let _ = OBJECTS.try_with(|objects| objects.set(objects.get().wrapping_sub(1)));
    }
}

/// Returns the number of live strings, collections, objects and scopes of this thread.
#[inline]
pub(crate) fn objects() -> usize {
    OBJECTS.get()
}

impl Default for Generation {
    fn default() -> Generation {
        Generation::current()
    }
}

/// Begins a run with a new generation, which is later than all others until [`LAST_GENERATION`] is reached.
pub(crate) fn begin_run() -> u32 {
    let run = LAST.get().saturating_add(1).min(LAST_GENERATION);
    LAST.set(run);
    CURRENT.set(run);
    run
}

/// Sets the generation of new objects, and returns the previous one.
pub(crate) fn set_generation(run: u32) -> u32 {
    CURRENT.replace(run)
}
