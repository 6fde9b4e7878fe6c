//! Counts the cost of searches, for callers that limit the cost of many of them.

use std::cell::Cell;

thread_local! {
    /// The backtracking steps since they were last taken. They are counted for the thread, because searches also begin
    /// where no budget can be handed down: in comparisons of values and types, which are methods of traits, and in the
    /// functions of all languages. The owner of a budget takes them from here. It is a counter and no limit: a panic that
    /// is caught leaves a count that the next one takes, or a [`SearchCostScope`] keeps apart.
    static SEARCH_COST: Cell<u64> = const { Cell::new(0) };
}

/// Counts the backtracking steps that a search may have taken.
pub(crate) fn add(places: u64) {
    SEARCH_COST.with(|cost| cost.set(cost.get().saturating_add(places)));
}

/// Returns the number of backtracking steps on this thread since the last call, and resets it. A second has about forty
/// million. Each search has its own limit. A caller that runs many untrusted searches must check this counter.
///
/// ```
/// use hieratic_ruby_regexp::{Regexp, take_search_cost};
/// take_search_cost();
/// let harmless = Regexp::new("^a+$").unwrap();
/// harmless.is_match("aaaaaaaaaaaaaaaaaaaaaaaa");
/// assert!(take_search_cost() < 100_000);
/// ```
pub fn take_search_cost() -> u64 {
    SEARCH_COST.with(Cell::take)
}

/// Isolates the search counter of this thread until it is dropped: a nested evaluation is not charged for its caller's
/// searches. When it is dropped, its remaining count is added to the caller's.
///
/// ```
/// use hieratic_ruby_regexp::{Regexp, SearchCostScope, take_search_cost};
/// let pattern = Regexp::new("a+$").unwrap();
/// pattern.is_match(&"a".repeat(100));
/// let scope = SearchCostScope::enter();
/// assert_eq!(take_search_cost(), 0);
/// drop(scope);
/// assert!(take_search_cost() > 0);
/// ```
#[derive(Debug)]
pub struct SearchCostScope {
    before: u64,
}

impl SearchCostScope {
    /// Starts a scope that ends when it is dropped.
    pub fn enter() -> SearchCostScope {
        SearchCostScope { before: take_search_cost() }
    }
}

impl Drop for SearchCostScope {
    fn drop(&mut self) {
        add(self.before);
    }
}
