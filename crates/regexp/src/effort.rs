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

/// Keeps the searches before it on this thread apart from those after it, until it is dropped: whoever is charged meanwhile is not charged
/// for others. What nobody has asked for by then is added to what was before.
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
