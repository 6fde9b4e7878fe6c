//! [`RubyMemo`]: a memo table of Ruby functions.
//!
//! A function that changes no state of its interpreter, and reads nothing from its host, depends only on its arguments
//! and on the history of the interpreter: the files that it has loaded, and the definitions since. If both are equal, a
//! call for another node or another revision returns the cached value, and charges the same cost to the budget.

use std::sync::{PoisonError, RwLock};

use hieratic_budget::{Budget, Exhausted};
use hieratic_value::collections::HashMap;
use hieratic_value::{Str, Value};

/// The minimum cost in steps of a cached call, and the minimum for each part of its arguments, because they are
/// compared.
const COSTLY: u64 = 2_000;
const COSTLY_PART: u64 = 50;

/// The maximum size of the arguments and the value, in bytes, approximately.
const MAX_CALL_BYTES: usize = 1 << 20;

/// The maximum size of the table in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The maximum number of cached calls of one function.
const MAX_CALLS: usize = 16;

/// A memo table of expensive calls of Ruby functions. Evaluators of many nodes and several revisions can share it, so
/// that equal calls run once.
#[derive(Debug, Default)]
pub struct RubyMemo(RwLock<Answers>);

#[derive(Debug, Default)]
struct Answers {
    /// The results by function name.
    by_name: HashMap<Str, Vec<Answer>>,
    size: usize,
}

/// The result of a call.
#[derive(Debug)]
struct Answer {
    /// The history of the interpreter before the call.
    history: u64,
    way: Option<usize>,
    arguments: Vec<Value>,
    value: Value,
    cost: Cost,
    /// Its size in bytes.
    size: usize,
}

/// A call of a function with the index of its dispatch.
#[derive(Clone, Copy)]
pub(super) struct Call<'c> {
    pub name: &'c str,
    pub way: Option<usize>,
    pub arguments: &'c [Value],
}

/// The use of a budget.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    steps: u64,
    bytes: u64,
}

impl Cost {
    /// Returns the cost that was charged to the budget so far.
    pub fn used(budget: &Budget) -> Cost {
        Cost { steps: budget.used(), bytes: budget.used_bytes() }
    }

    /// Returns the cost that was charged to the budget since `self`.
    pub fn since(self, budget: &Budget) -> Cost {
        let now = Cost::used(budget);
        Cost { steps: now.steps.saturating_sub(self.steps), bytes: now.bytes.saturating_sub(self.bytes) }
    }

    /// Charges the cost to a budget.
    pub fn charge(self, budget: &Budget) -> Result<(), Exhausted> {
        budget.steps(self.steps)?;
        budget.bytes(usize::try_from(self.bytes).unwrap_or(usize::MAX))
    }
}

impl RubyMemo {
    /// Returns the value of an equal earlier call, with its cost.
    pub(super) fn find(&self, history: u64, call: Call<'_>) -> Option<(Value, Cost)> {
        // Entries are always complete, even if a thread has panicked.
        let answers = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let found = answers.by_name.get(call.name)?.iter().find(|answer| {
            answer.history == history
                && answer.way == call.way
                && answer.arguments.len() == call.arguments.len()
                && answer.arguments.iter().zip(call.arguments).all(|(one, other)| one.is_same_in_order(other))
        })?;
        Some((found.value.clone(), found.cost))
    }

    /// Caches an expensive call.
    pub(super) fn insert(&self, history: u64, call: Call<'_>, value: &Value, cost: Cost) {
        if cost.steps < COSTLY {
            return;
        }
        let mut size = Size::default();
        if !call.arguments.iter().all(|one| size.add(one)) || cost.steps / COSTLY_PART < size.parts || !size.add(value)
        {
            return;
        }
        let mut answers = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if answers.size + size.bytes > MAX_BYTES {
            *answers = Answers::default();
        }
        answers.size += size.bytes;
        let alike = answers.by_name.entry(call.name.into()).or_default();
        alike.push(Answer {
            history,
            way: call.way,
            arguments: call.arguments.to_vec(),
            value: value.clone(),
            cost,
            size: size.bytes,
        });
        if alike.len() > MAX_CALLS {
            let oldest = alike.remove(0);
            answers.size -= oldest.size;
        }
    }
}

/// The size of values.
#[derive(Default)]
struct Size {
    bytes: usize,
    parts: u64,
}

impl Size {
    /// Adds a value. Returns false if the size exceeds the limit, or if the equality of values is not exact: for rich
    /// data, and for zero, whose sign is ignored.
    fn add(&mut self, value: &Value) -> bool {
        self.parts += 1;
        self.bytes += size_of::<Value>();
        if let Value::String(text) = value {
            self.bytes += text.len();
        }
        self.bytes <= MAX_CALL_BYTES
            && match value {
                Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::String(_) => true,
                Value::Float(number) => *number != 0.0,
                Value::Array(elements) => elements.iter().all(|element| self.add(element)),
                Value::Hash(pairs) => pairs.iter().all(|(key, value)| self.add(key) && self.add(value)),
                Value::Rich(_) => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use hieratic_value::{Hash, Rich, Value};

    use super::{Call, Cost, MAX_CALL_BYTES, RubyMemo};

    #[test]
    fn values_that_code_distinguishes_are_not_equal() {
        let pairs = |names: [&str; 2]| -> Value {
            names.map(|name| (Value::from(name), Value::Undef)).into_iter().collect::<Hash>().into()
        };
        let answers_for = |kept: &Value, requested: &Value| {
            let answers = RubyMemo::default();
            let call = |argument| Call { name: "f", way: None, arguments: std::slice::from_ref(argument) };
            answers.insert(1, call(kept), &Value::Integer(2), Cost { steps: 5_000, bytes: 0 });
            answers.find(1, call(requested)).is_some()
        };
        assert!(answers_for(&pairs(["a", "b"]), &pairs(["a", "b"])));
        assert!(!answers_for(&pairs(["a", "b"]), &pairs(["b", "a"])));
        assert!(!answers_for(&Value::Float(0.0), &Value::Float(-0.0)));
        assert!(!answers_for(&Value::Float(-0.0), &Value::Float(0.0)));
        assert!(!answers_for(&Value::Integer(1), &Value::Float(1.0)));
        assert!(answers_for(&Value::Float(1.5), &Value::Float(1.5)));
    }

    #[test]
    fn only_costly_calls_with_plain_data_are_remembered() {
        let knows = |argument: &Value, steps: u64| {
            let answers = RubyMemo::default();
            let call = Call { name: "f", way: None, arguments: std::slice::from_ref(argument) };
            answers.insert(1, call, &Value::Integer(2), Cost { steps, bytes: 0 });
            assert!(answers.find(2, call).is_none(), "the machine has another history");
            assert!(answers.find(1, Call { way: Some(0), ..call }).is_none(), "it is called otherwise");
            answers.find(1, call).is_some_and(|(value, cost)| value == Value::Integer(2) && cost.steps == steps)
        };
        assert!(knows(&"a".into(), 5_000));
        assert!(!knows(&"a".into(), 500), "it is called again as quickly");
        assert!(!knows(&(0..1_000).map(Value::Integer).collect(), 5_000), "so many parts are not compared as quickly");
        assert!(knows(&(0..1_000).map(Value::Integer).collect(), 100_000));
        assert!(!knows(&Rich::Sensitive(Value::Undef).into(), 5_000));
        assert!(!knows(&"a".repeat(MAX_CALL_BYTES).as_str().into(), 5_000));
    }

    #[test]
    fn old_answers_give_way() {
        let answers = RubyMemo::default();
        let texts: Vec<Value> = (0..100).map(Value::Integer).collect();
        for text in &texts {
            let call = Call { name: "f", way: None, arguments: std::slice::from_ref(text) };
            answers.insert(1, call, text, Cost { steps: 5_000, bytes: 0 });
        }
        let is_known = |text: &Value| {
            answers.find(1, Call { name: "f", way: None, arguments: std::slice::from_ref(text) }).is_some()
        };
        assert!(is_known(&texts[99]) && !is_known(&texts[0]));
        assert_eq!(texts.iter().filter(|text| is_known(text)).count(), super::MAX_CALLS);
    }
}
