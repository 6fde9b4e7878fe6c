//! [`child_budget`]: a budget for a part of a larger task.

use std::sync::Arc;

use hieratic::Limits;
use hieratic::budget::{Budget, YieldHook};

/// Creates a budget for a part of a larger task. It is exhausted when the budget of the task is.
///
/// ```
/// use hieratic::budget::Budget;
/// use hieratic_impact::child_budget;
///
/// let all = Budget::default();
/// let part = child_budget(hieratic::Limits::default(), &all);
/// assert!(part.check().is_ok());
/// all.cancel();
/// assert!(part.check().is_err());
/// ```
pub fn child_budget(limits: Limits, all: &Budget) -> Budget {
    Budget::with_yield_hook(limits, Arc::new(CancelWithParent(all.clone())))
}

#[derive(Debug)]
struct CancelWithParent(Budget);

impl YieldHook for CancelWithParent {
    fn yield_now(&self, budget: &Budget) {
        if self.0.ended().is_err() {
            budget.cancel();
        }
    }
}
