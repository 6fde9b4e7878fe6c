//! Counts the cost of searches, for callers that limit the cost of many of them.

use std::cell::Cell;

thread_local! {
    static EFFORT: Cell<u64> = const { Cell::new(0) };
}

/// Counts places to which a search may have gone back.
pub(crate) fn add(places: u64) {
    EFFORT.with(|effort| effort.set(effort.get().saturating_add(places)));
}

/// Returns the number of backtracking steps on this thread since the last call, and resets it. A second has about forty
/// million. A single search is limited. A caller that runs many untrusted searches checks this counter.
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

/// Isolates the search counter of this thread until it is dropped: a nested evaluation is not charged for its caller's
/// searches. When it is dropped, the remaining count is added to the count before.
///
/// ```
/// use hieratic_regexp::{Apart, Regexp, take_effort};
/// let pattern = Regexp::new("a+$").unwrap();
/// pattern.is_match(&"a".repeat(100));
/// let apart = Apart::begin();
/// assert_eq!(take_effort(), 0);
/// drop(apart);
/// assert!(take_effort() > 0);
/// ```
#[derive(Debug)]
pub struct Apart {
    before: u64,
}

impl Apart {
    /// From now on.
    pub fn begin() -> Apart {
        Apart { before: take_effort() }
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        add(self.before);
    }
}
