//! How much searches take, for whoever bounds the work of many of them.

use std::cell::Cell;

thread_local! {
    static EFFORT: Cell<u64> = const { Cell::new(0) };
}

/// Counts places to which a search may have gone back.
pub(crate) fn add(places: u64) {
    EFFORT.with(|effort| effort.set(effort.get().saturating_add(places)));
}

/// How often searches on this thread may have gone back, all in all, since this was asked last: about forty million times a second.
/// One search is bounded by itself; whoever lets somebody else make many of them looks at this.
///
/// ```
/// use hieratic_regexp::{Regexp, take_effort};
/// take_effort();
/// let harmless = Regexp::new("^a+$").unwrap();
/// harmless.is_match("aaaaaaaaaaaaaaaaaaaaaaaa");
/// assert!(take_effort() < 100_000);
/// ```
pub fn take_effort() -> u64 {
    EFFORT.with(Cell::take)
}

/// Runs something that is not charged for the searches before it on this thread. What its own searches took and nobody has asked for is
/// added to those.
///
/// ```
/// use hieratic_regexp::{Regexp, apart, take_effort};
/// let pattern = Regexp::new("a+$").unwrap();
/// pattern.is_match(&"a".repeat(100));
/// assert_eq!(apart(take_effort), 0);
/// assert!(take_effort() > 0);
/// ```
pub fn apart<T>(run: impl FnOnce() -> T) -> T {
    let before = take_effort();
    let result = run();
    add(before);
    result
}
