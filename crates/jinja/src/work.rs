//! The [`Budget`] of the rendering in progress in this thread.
//!
//! Python's operators, string forms and comparisons are also called through minijinja's traits, which do not pass a
//! context. That is why the budget is thread-local rather than an argument.

use std::cell::{Cell, RefCell};

use hieratic_budget::{Budget, Exhausted};
use minijinja::{Error, ErrorKind};

use crate::error::Result;

thread_local! {
    static CURRENT: RefCell<Option<Budget>> = const { RefCell::new(None) };
    /// Steps and bytes that are drawn from the budget and not yet used. The budget is shared between threads, so that
    /// an access to it costs more than most steps.
    static STEPS: Cell<u64> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    /// Bytes that were allocated where no error can be returned. They are charged with the next bytes or steps.
    static OWED: Cell<usize> = const { Cell::new(0) };
    /// Whether the rendering needs copies of its input.
    static COPIES: Cell<Copies> = const { Cell::new(Copies::Made) };
    /// The nesting depth of calls, loops and includes, over all nested renderings.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// The approximate memory of an element of a collection, in bytes.
pub const ELEMENT: usize = 32;

/// A drop guard that restores the budget of the outer rendering, even after a panic.
struct BudgetGuard {
    budget: Option<Budget>,
    steps: u64,
    bytes: usize,
}

impl Drop for BudgetGuard {
    fn drop(&mut self) {
        let (steps, bytes) = (STEPS.replace(self.steps), BYTES.replace(self.bytes));
        if let Some(budget) = CURRENT.replace(self.budget.take()) {
            budget.give_back(steps, bytes);
        }
    }
}

/// Runs a rendering with a budget.
pub fn within<T>(budget: &Budget, render: impl FnOnce() -> T) -> T {
    let budget = CURRENT.replace(Some(budget.clone()));
    let _before = BudgetGuard { budget, steps: STEPS.replace(0), bytes: BYTES.replace(0) };
    render()
}

/// A drop guard that restores the depth, even after a panic.
struct DepthGuard(usize);

impl Drop for DepthGuard {
    fn drop(&mut self) {
        DEPTH.set(self.0);
    }
}

/// Runs `work` one level deeper, within the limit.
pub fn deeper<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let level = DepthGuard(DEPTH.get());
    take(|budget| budget.depth(level.0 + 1))?;
    DEPTH.set(level.0 + 1);
    stacker::maybe_grow(256 << 10, 2 << 20, work)
}

fn take(action: impl FnOnce(&Budget) -> std::result::Result<(), Exhausted>) -> Result<()> {
    CURRENT.with_borrow(|current| current.as_ref().map_or(Ok(()), action)).map_err(exhausted)
}

/// Charges steps, before they are done.
#[inline]
pub fn steps(count: usize) -> Result<()> {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let is_there = STEPS.with(|ahead| ahead.get().checked_sub(count).map(|left| ahead.set(left)).is_some());
    if is_there { Ok(()) } else { draw_steps(count) }
}

/// The number of steps and bytes that are drawn from the budget in advance.
const STEPS_AHEAD: u64 = 2_048;
const BYTES_AHEAD: usize = 64 << 10;

#[cold]
fn draw_steps(count: u64) -> Result<()> {
    let missing = count - STEPS.replace(0);
    if OWED.get() > 0 {
        bytes(1)?;
    }
    let ahead =
        CURRENT.with_borrow(|current| current.as_ref().map(|budget| budget.steps(missing.saturating_add(STEPS_AHEAD))));
    match ahead {
        Some(Ok(())) => STEPS.set(STEPS_AHEAD),
        // The budget does not have the reserve, but perhaps the missing steps.
        Some(Err(Exhausted::Steps(_))) => take(|budget| budget.steps(missing))?,
        Some(Err(ended)) => return Err(exhausted(ended)),
        None => {}
    }
    Ok(())
}

/// Charges bytes, before they are allocated.
#[inline]
pub fn bytes(count: usize) -> Result<()> {
    let is_there = BYTES.with(|ahead| ahead.get().checked_sub(count).map(|left| ahead.set(left)).is_some());
    if is_there { Ok(()) } else { draw_bytes(count) }
}

#[cold]
fn draw_bytes(count: usize) -> Result<()> {
    let owed = OWED.replace(0);
    let missing = count.saturating_add(owed).saturating_sub(BYTES.replace(0));
    let ahead =
        CURRENT.with_borrow(|current| current.as_ref().map(|budget| budget.bytes(missing.saturating_add(BYTES_AHEAD))));
    match ahead {
        Some(Ok(())) => BYTES.set(BYTES_AHEAD),
        // The bytes stay owed, so that all further charges fail as well.
        Some(Err(_)) => take(|budget| budget.bytes(missing)).inspect_err(|_| OWED.set(owed))?,
        None => {}
    }
    Ok(())
}

/// Records allocated bytes where no error can be returned. They are charged with the next bytes or steps.
pub fn owe(count: usize) {
    OWED.set(OWED.get().saturating_add(count).saturating_sub(BYTES.replace(0)));
    // Returning the steps makes the next charge of steps pay, too.
    STEPS.with(|steps| {
        CURRENT.with_borrow(|current| {
            if let Some(budget) = current {
                budget.give_back(steps.replace(0), 0)
            }
        })
    });
}

/// Whether a rendering needs copies of its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Copies {
    /// It has them, if it needs any.
    Made,
    /// It would be repeated with copies.
    Offered,
    /// It is repeated with copies.
    Requested,
}

/// Requests copies of the input of the rendering. Returns whether the rendering will be repeated with them.
pub fn request_copies() -> bool {
    if COPIES.get() == Copies::Made {
        return false;
    }
    COPIES.set(Copies::Requested);
    true
}

/// Renders without copies of the input. `None` if they were requested.
pub fn without_copies<T>(render: impl FnOnce() -> T) -> Option<T> {
    let before = COPIES.replace(Copies::Offered);
    let done = render();
    (COPIES.replace(before) != Copies::Requested).then_some(done)
}

/// Renders with copies of the input.
pub fn with_copies<T>(render: impl FnOnce() -> T) -> T {
    let before = COPIES.replace(Copies::Made);
    let done = render();
    COPIES.set(before);
    done
}

/// Charges the memory of a list with this number of elements, and a step for each.
pub fn elements(count: usize) -> Result<()> {
    steps(count)?;
    bytes(count.saturating_mul(ELEMENT))
}

/// Charges the cost of reading a string of this length in bytes.
#[inline]
pub fn scan(length: usize) -> Result<()> {
    if length < BYTES_PER_STEP { Ok(()) } else { steps(length / BYTES_PER_STEP) }
}

/// The number of bytes of a string that are read in the time of a step.
const BYTES_PER_STEP: usize = 256;

/// Returns the error about a limit; [`limit_of`] finds the limit again.
pub fn exhausted(limit: Exhausted) -> Error {
    let message = match limit {
        Exhausted::Depth(_) => format!("{limit}: maximum recursion depth exceeded"),
        _ => format!("the template was stopped: {limit}"),
    };
    Error::new(ErrorKind::InvalidOperation, message).with_source(limit)
}

/// Returns the limit of an error, or `None` for other errors.
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
