//! [`Born`]: in which run of code an object was made.

use std::cell::Cell;

thread_local! {
    /// The number of the run; 0 for what is made to last.
    static RUN: Cell<u32> = const { Cell::new(1) };
    /// The number of the last run that began.
    static LAST: Cell<u32> = const { Cell::new(1) };
}

/// In which run of code an object was made. A machine that only changes what its own run has made is as it was before; what older things
/// keep may show in later runs.
#[derive(Debug)]
pub(crate) struct Born(Cell<u32>);

impl Born {
    /// Now.
    #[inline]
    pub fn now() -> Born {
        Born(Cell::new(RUN.get()))
    }

    /// Whether it was made before a run.
    #[inline]
    pub fn is_before(&self, run: u32) -> bool {
        self.0.get() < run
    }

    /// Makes it as old as what was there from the beginning; whether it was not yet.
    pub fn age(&self) -> bool {
        self.0.replace(0) != 0
    }
}

impl Default for Born {
    fn default() -> Born {
        Born::now()
    }
}

/// Begins a run: its number is larger than those of all runs before, until there is no larger one.
pub(crate) fn begin_run() -> u32 {
    let run = LAST.get().saturating_add(1);
    LAST.set(run);
    RUN.set(run);
    run
}

/// Lets what is made from now on be of a run, and returns of which it was until now.
pub(crate) fn set_run(run: u32) -> u32 {
    RUN.replace(run)
}
