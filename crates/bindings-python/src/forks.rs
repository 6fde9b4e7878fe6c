//! Forks: the locks of a child process.
//!
//! A child has the memory of its parent, but none of its threads. A lock that another thread of the parent held at that moment stays locked
//! in the child forever. Objects with locks therefore have the generation in which they were made, and are made again if a fork during work
//! has started a new one. After a fork without work in progress, all locks are free, and the child uses what its parent has read.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// The number of pieces of work in progress on threads of this process.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The number of forks that lead to this process.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// The number of those at which work was in progress.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// The process in which something began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Process {
    forks: u64,
}

impl Process {
    pub(crate) fn current() -> Process {
        Process { forks: FORKS.load(Ordering::SeqCst) }
    }

    /// Returns whether the process is still the same: in a child, the threads of the parent are missing.
    pub(crate) fn is_current(self) -> bool {
        self.forks == FORKS.load(Ordering::SeqCst)
    }
}

/// A piece of work in progress, which may hold locks, until it is dropped.
#[derive(Debug)]
pub(crate) struct RunningWork(Process);

impl RunningWork {
    pub(crate) fn new() -> RunningWork {
        RUNNING.fetch_add(1, Ordering::SeqCst);
        RunningWork(Process::current())
    }
}

impl Drop for RunningWork {
    fn drop(&mut self) {
        // A child counts from zero.
        if self.0.is_current() {
            RUNNING.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Python calls this function in the child after each fork.
#[pyfunction]
pub(crate) fn note_fork() {
    FORKS.fetch_add(1, Ordering::SeqCst);
    if RUNNING.swap(0, Ordering::SeqCst) > 0 {
        GENERATION.fetch_add(1, Ordering::SeqCst);
    }
}

/// An object with locks, and the generation in which it was made.
///
/// The lock of this type itself is only held by threads that hold the lock of the interpreter, as a thread that forks does.
#[derive(Debug)]
pub(crate) struct ForkSafe<T>(Mutex<(u64, T)>);

impl<T: Clone> ForkSafe<T> {
    pub(crate) fn new(object: T) -> ForkSafe<T> {
        ForkSafe(Mutex::new((GENERATION.load(Ordering::SeqCst), object)))
    }

    /// Returns the object. `make` makes it again if the old one may have locks that nobody unlocks.
    ///
    /// # Errors
    /// It cannot be made again.
    pub(crate) fn get(&self, _: Python<'_>, make: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
        let generation = GENERATION.load(Ordering::SeqCst);
        {
            let own = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if own.0 == generation {
                return Ok(own.1.clone());
            }
        }
        let new = make()?;
        let old =
            std::mem::replace(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner), (generation, new.clone()));
        // To free it might wait for a lock.
        std::mem::forget(old);
        Ok(new)
    }

    /// Returns the object as it was made last, for parts of it that have no locks.
    pub(crate) fn last(&self) -> T {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }
}
