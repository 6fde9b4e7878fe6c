//! The step limit for comparing recursive types: each level of a value may be tried in several ways, and so may all of
//! its parts.

use std::cell::Cell;

/// The limit of a whole description of a mismatch, and the cost of describing one of its parts.
const MOST: u32 = 1_000_000;
const PART: u32 = 50;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Describes something; all that is described or compared on the way shares what there is.
pub(crate) fn describing<T>(describe: impl FnOnce(bool) -> T) -> T {
    if LEFT.get().is_some() {
        return describe(take(PART));
    }
    LEFT.set(Some(MOST));
    let description = describe(true);
    LEFT.set(None);
    description
}

/// Charges one comparison and returns whether the limit allows it. Outside of descriptions there is no limit.
pub(crate) fn comparing() -> bool {
    take(1)
}

fn take(count: u32) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let rest = left.checked_sub(count);
    LEFT.set(Some(rest.unwrap_or(0)));
    rest.is_some()
}
