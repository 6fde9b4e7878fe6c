//! The [`Budget`] of the rendering that goes on in this thread.
//!
//! Python's operators, texts and comparisons are also reached through minijinja's traits, which hand nothing down. So what
//! may still be done stands beside the calls rather than in their arguments.

use std::cell::{Cell, RefCell};

use hieratic_powers::{Budget, Exhausted};
use minijinja::{Error, ErrorKind};

use crate::python::Result;

thread_local! {
    static CURRENT: RefCell<Option<Budget>> = const { RefCell::new(None) };
    /// How deep calls, loops and includes nest, over all renderings that lead into each other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// What an element of a collection takes in memory, about.
pub const ELEMENT: usize = 32;

/// Puts back what was there before, also if the rendering panics.
struct Before(Option<Budget>);

impl Drop for Before {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Renders with a budget.
pub fn within<T>(budget: &Budget, render: impl FnOnce() -> T) -> T {
    let _before = Before(CURRENT.replace(Some(budget.clone())));
    render()
}

/// Goes one level up again, also after a panic.
struct Level(usize);

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}

/// Goes one level deeper for the time of a call.
pub fn deeper<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let level = Level(DEPTH.get());
    take(|budget| budget.depth(level.0 + 1))?;
    DEPTH.set(level.0 + 1);
    stacker::maybe_grow(256 << 10, 2 << 20, work)
}

fn take(what: impl FnOnce(&Budget) -> std::result::Result<(), Exhausted>) -> Result<()> {
    CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(()), what)).map_err(exhausted)
}

/// Takes steps, before they are done.
pub fn steps(count: usize) -> Result<()> {
    take(|budget| budget.steps(u64::try_from(count).unwrap_or(u64::MAX)))
}

/// Takes bytes, before they are allocated.
pub fn bytes(count: usize) -> Result<()> {
    take(|budget| budget.bytes(count))
}

/// Takes what a list of so many elements needs, and a step for each.
pub fn elements(count: usize) -> Result<()> {
    steps(count)?;
    bytes(count.saturating_mul(ELEMENT))
}

/// Takes what to look through a text of so many bytes costs: many bytes are one step.
pub fn scan(length: usize) -> Result<()> {
    if length < SCANNED { Ok(()) } else { steps(length / SCANNED) }
}

/// How many bytes of a text are looked through in the time of a step.
const SCANNED: usize = 256;

/// The error about a limit; [`limit_of`] finds the limit again.
pub fn exhausted(limit: Exhausted) -> Error {
    let message = match limit {
        Exhausted::Depth(_) => format!("{limit}: maximum recursion depth exceeded"),
        _ => format!("the template does too much: {limit}"),
    };
    Error::new(ErrorKind::InvalidOperation, message).with_source(limit)
}

/// The limit that an error is about, if it is about one.
pub fn limit_of(error: &Error) -> Option<Exhausted> {
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        if let Some(limit) = inner.downcast_ref::<Exhausted>() {
            return Some(*limit);
        }
        source = inner.source();
    }
    None
}
