//! The step limit for comparing recursive types: each level of a value may be tried in several ways, and so may all of
//! its parts.

use std::cell::Cell;

/// The limit of a whole description of a mismatch, and the cost of describing one of its parts.
const LIMIT: u32 = 1_000_000;
const PART_COST: u32 = 50;

thread_local! {
    static LEFT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Runs a description; nested descriptions and comparisons share its limit.
pub(crate) fn with_limit<T>(describe: impl FnOnce(bool) -> T) -> T {
    if LEFT.get().is_some() {
        return describe(charge(PART_COST));
    }
    LEFT.set(Some(LIMIT));
    let description = describe(true);
    LEFT.set(None);
    description
}

/// Charges one comparison and returns whether the limit allows it. Outside of descriptions there is no limit.
pub(crate) fn charge_comparison() -> bool {
    charge(1)
}

fn charge(count: u32) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let rest = left.checked_sub(count);
    LEFT.set(Some(rest.unwrap_or(0)));
    rest.is_some()
}
