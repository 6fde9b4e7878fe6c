//! [`Born`]: in which run of code an object was made, and how many objects there are.

use std::cell::Cell;

thread_local! {
    /// The number of the run; 0 for what is made to last.
    static RUN: Cell<u32> = const { Cell::new(1) };
    /// The number of the last run that began.
    static LAST: Cell<u32> = const { Cell::new(1) };
    /// How many objects there are.
    static OBJECTS: Cell<usize> = const { Cell::new(0) };
    /// How many there were at most.
    #[cfg(test)]
    pub(crate) static MOST: Cell<usize> = const { Cell::new(0) };
}

/// The run of what calls share as long as nobody changes it.
pub(crate) const SHARED: u32 = u32::MAX;

/// The last number of a run: nothing is known of what comes after it.
pub(crate) const LAST_RUN: u32 = SHARED - 1;

/// In which run of code an object was made. A machine that only changes what its own run has made is as it was before; what older things
/// keep may show in later runs.
#[derive(Debug)]
pub(crate) struct Born(Cell<u32>);

impl Born {
    /// Now.
    #[inline]
    pub fn now() -> Born {
        OBJECTS.set(OBJECTS.get() + 1);
        #[cfg(test)]
        MOST.set(MOST.get().max(OBJECTS.get()));
        Born(Cell::new(RUN.get()))
    }

    /// Whether it was made before a run.
    #[inline]
    pub fn is_before(&self, run: u32) -> bool {
        self.0.get() < run
    }

    /// Whether calls share it.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.0.get() == SHARED
    }

    /// Makes it one of this run.
    pub fn renew(&self) {
        self.0.set(RUN.get());
    }

    /// Makes it as old as what was there from the beginning; whether it was not yet.
    pub fn age(&self) -> bool {
        self.0.replace(0) != 0
    }
}

impl Drop for Born {
    #[inline]
    fn drop(&mut self) {
        // Objects that the end of the thread drops are counted by nobody.
        let _ = OBJECTS.try_with(|objects| objects.set(objects.get().wrapping_sub(1)));
    }
}

/// How many strings, collections, objects and scopes the machines of this thread have.
#[inline]
pub(crate) fn objects() -> usize {
    OBJECTS.get()
}

impl Default for Born {
    fn default() -> Born {
        Born::now()
    }
}

/// Begins a run: its number is larger than those of all runs before, until there is no larger one.
pub(crate) fn begin_run() -> u32 {
    let run = LAST.get().saturating_add(1).min(LAST_RUN);
    LAST.set(run);
    RUN.set(run);
    run
}

/// Lets what is made from now on be of a run, and returns of which it was until now.
pub(crate) fn set_run(run: u32) -> u32 {
    RUN.replace(run)
}
