//! [`Check`]: the state that all parts of one check of a value or a type share.

use std::cell::{Cell, RefCell};

use hieratic_budget::{Budget, Exhausted, Limits};
use hieratic_value::Value;
use hieratic_value::collections::HashMap;

use crate::types::{InitType, Type};

/// The limit of a whole description of a mismatch, in comparisons, and the cost of describing one of its parts. Each
/// level of a value may be tried in several ways, and so may all of its parts.
const DESCRIPTION_STEPS: u64 = 1_000_000;
const PART_COST: u64 = 50;

/// The maximum number of nested checks of the same `Init`.
const MAX_NESTED_CHECKS: usize = 8;

/// A check in progress. It is handed down to every comparison that it needs.
#[derive(Default)]
pub(crate) struct Check<'b> {
    /// The budget of the parts of values.
    budget: Option<&'b Budget>,
    /// The limit of the budget that was reached.
    exhausted: Cell<Option<Exhausted>>,
    /// The budget of the comparisons of recursive types.
    comparisons: Option<Budget>,
    /// A description was too expensive: nothing smaller follows.
    is_brief: Cell<bool>,
    memo: RefCell<Memo>,
    /// The checks of `Init` in progress: the address of the type, and the subject.
    running: RefCell<Vec<(usize, Subject)>>,
}

/// The answers for values of recursive types, by the address of the type and of the value. It holds the values, so that
/// addresses stay unique.
#[derive(Default)]
struct Memo {
    nesting: usize,
    answers: HashMap<(usize, usize), (Value, bool)>,
}

/// The value or type that a check of `Init` is about.
#[derive(PartialEq)]
pub(crate) enum Subject {
    Value(Value),
    Type(Type),
}

impl<'b> Check<'b> {
    /// A check that charges a step for each part of the type and of the value.
    pub(crate) fn within(budget: &'b Budget) -> Check<'b> {
        Check { budget: Some(budget), ..Check::default() }
    }

    /// The check that a description of a mismatch repeats for each of its parts; a part of the budget, if there is one.
    pub(crate) fn for_description(budget: Option<&Budget>) -> Check<'b> {
        let limits = Limits { steps: DESCRIPTION_STEPS, ..Limits::DEFAULT };
        let comparisons = budget.map_or_else(|| Budget::new(limits), |whole| whole.child(limits));
        Check { comparisons: Some(comparisons), ..Check::default() }
    }

    pub(crate) fn budget(&self) -> Option<&'b Budget> {
        self.budget
    }

    /// The limit that was reached.
    pub(crate) fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted.get()
    }

    /// Ends the check because of a limit.
    pub(crate) fn exhaust(&self, exhausted: Exhausted) {
        self.exhausted.set(Some(exhausted));
    }

    /// Charges a part of a value, and returns whether the budget allows it.
    pub(crate) fn charge_part(&self) -> bool {
        if let Err(exhausted) = self.budget.map_or(Ok(()), Budget::step) {
            self.exhaust(exhausted);
        }
        self.exhausted.get().is_none()
    }

    /// Charges a comparison of recursive types, and returns whether the description allows it. Outside of descriptions
    /// there is no limit.
    pub(crate) fn charge_comparison(&self) -> bool {
        self.charge_description(1)
    }

    /// Charges the description of a part, and returns whether it may go into details.
    pub(crate) fn charge_description_of_part(&self) -> bool {
        self.charge_description(PART_COST)
    }

    fn charge_description(&self, cost: u64) -> bool {
        let Some(comparisons) = &self.comparisons else { return true };
        // Which limit it was does not matter here: a caller with a budget asks it afterwards.
        if !self.is_brief.get() && comparisons.steps(cost).is_err() {
            self.is_brief.set(true);
        }
        !self.is_brief.get()
    }

    /// Answers a question about an array or a hash once, however many paths lead to it.
    pub(crate) fn memoized(&self, kind: &Type, value: &Value, answer: impl FnOnce() -> bool) -> bool {
        let place = match value {
            Value::Array(elements) => elements.as_ptr() as usize,
            Value::Hash(hash) => std::ptr::from_ref(hash.as_map()) as usize,
            _ => return answer(),
        };
        let key = (std::ptr::from_ref(kind) as usize, place);
        let known = {
            let mut memo = self.memo.borrow_mut();
            memo.nesting += 1;
            memo.answers.get(&key).map(|(_, answer)| *answer)
        };
        let answer = known.unwrap_or_else(answer);
        let mut memo = self.memo.borrow_mut();
        memo.nesting -= 1;
        if memo.nesting == 0 {
            memo.answers = HashMap::default();
        } else if known.is_none() {
            memo.answers.insert(key, (value.clone(), answer));
        }
        answer
    }

    /// Begins a check of `Init`. Returns `None` if the same check is in progress, or if too many of the type are nested.
    pub(crate) fn begin(&self, init: &InitType, subject: Subject) -> Option<RunningCheck<'_, 'b>> {
        let whose = std::ptr::from_ref(init) as usize;
        let mut running = self.running.borrow_mut();
        let open = running.iter().filter(|(other, _)| *other == whose);
        if open.clone().any(|(_, other)| *other == subject) || open.count() >= MAX_NESTED_CHECKS {
            return None;
        }
        running.push((whose, subject));
        Some(RunningCheck(self))
    }
}

/// A running check of `Init`. It ends when this is dropped.
pub(crate) struct RunningCheck<'c, 'b>(&'c Check<'b>);

impl Drop for RunningCheck<'_, '_> {
    fn drop(&mut self) {
        self.0.running.borrow_mut().pop();
    }
}

#[cfg(test)]
mod tests {
    use std::any::Any;
    use std::hash::Hasher;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use hieratic_value::Extended;

    use super::*;
    use crate::{describe_mismatch, parse};

    /// A value that panics when its type is inferred.
    #[derive(Clone, Debug)]
    struct Trap;

    impl Extended for Trap {
        fn as_any(&self) -> &dyn Any {
            self
        }

        fn equals(&self, _: &dyn Extended) -> bool {
            false
        }

        fn hash_into(&self, _: &mut dyn Hasher) {}

        fn to_text(&self) -> String {
            "trap".into()
        }

        fn ruby_class(&self) -> &'static str {
            panic!("the trap is sprung")
        }

        fn clone_box(&self) -> Box<dyn Extended> {
            Box::new(self.clone())
        }
    }

    fn trap() -> Value {
        Value::from_extended(Trap)
    }

    #[test]
    fn a_caught_panic_leaves_no_changed_limit() {
        let data = Type::data();
        let creation = InitType { kind: parse("Timestamp").unwrap(), arguments: vec![trap()] };
        let creation = Type::Init(Some(creation.into()));
        let panics = |run: &dyn Fn()| catch_unwind(AssertUnwindSafe(run)).is_err();
        assert!(panics(&|| drop(describe_mismatch("x", &creation, &Type::INTEGER))));
        assert!(panics(&|| assert!(data.is_instance(&vec![trap()].into()))));
        // More comparisons than a description may make.
        assert!((0..=DESCRIPTION_STEPS).all(|_| data.is_assignable(&Type::INTEGER)));
        assert_eq!(describe_mismatch("x", &data, &Type::INTEGER), "");
    }

    #[test]
    fn a_description_is_a_part_of_the_budget() {
        let budget = Budget::new(Limits { steps: 3 * PART_COST, ..Limits::DEFAULT });
        let check = Check::for_description(Some(&budget));
        assert!((0..3).all(|_| check.charge_description_of_part()));
        assert!(!check.charge_comparison() && budget.used() == 3 * PART_COST);
    }
}
