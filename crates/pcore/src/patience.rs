//! How much comparing types may take where types speak of themselves: each level of a value may be tried in several ways, and so
//! may all that is in it.

use std::cell::Cell;

/// How much a description of a mismatch may take, and what one of its parts takes.
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

/// Whether there is patience for one more comparison; always where nothing is being described.
pub(crate) fn comparing() -> bool {
    take(1)
}

fn take(count: u32) -> bool {
    let Some(left) = LEFT.get() else { return true };
    let rest = left.checked_sub(count);
    LEFT.set(Some(rest.unwrap_or(0)));
    rest.is_some()
}
