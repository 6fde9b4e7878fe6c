//! The budget of evaluation: steps for operations, bytes for allocations, depth for nesting.

use hieratic_budget::{Budget, Depth, DepthGuard, Exhausted};
use hieratic_puppet_functions::{EvalError, Flow, Outcome};
use hieratic_ruby_regexp::SearchCostScope;
use hieratic_value::collections::HashMap;
use hieratic_value::{Rich, Value};

use crate::values::shared;

/// The number of steps that are reserved at once, because reserving each would cost more than many of them.
const RESERVED_STEPS: u32 = 256;

/// The number of parts of a value that are visited per step.
const PARTS_PER_STEP: u64 = 8;

/// The number of bytes of a string that are read per step.
const BYTES_PER_STEP: u64 = 256;

/// The number of backtracks of a search per step.
const BACKTRACKS_PER_STEP: u64 = 4;

/// The maximum number of parts of a value, and its maximum nesting depth.
const MAX_PARTS: u64 = 20_000_000;
const DEEPEST: u32 = 1_000;

/// The approximate memory of a resource, scope or log line without its strings, in bytes.
pub(crate) const RECORD_BYTES: usize = 512;

/// Functions that read little of their arguments, or call a block for each element, which is charged itself.
const CONSTANT_COST: [&str; 20] = [
    "all", "any", "dig", "each", "empty", "filter", "get", "getvar", "has_key", "keys", "length", "lest", "lookup",
    "map", "pick", "reduce", "size", "slice", "then", "with",
];

/// Functions that convert a value to a string or to an array of its parts; shared parts are copied for each occurrence.
const WRITING: [&str; 39] = [
    "alert",
    "convert_to",
    "crit",
    "debug",
    "emerg",
    "err",
    "fail",
    "info",
    "inline_epp",
    "join",
    "join_keys_to_values",
    "new",
    "notice",
    "prefix",
    "print",
    "puts",
    "regexpescape",
    "regsubst",
    "shell_escape",
    "shell_join",
    "shellquote",
    "sprintf",
    "sprintf_hash",
    "stdlib::shell_escape",
    "stdlib::to_json",
    "stdlib::to_json_pretty",
    "stdlib::to_python",
    "stdlib::to_ruby",
    "stdlib::to_toml",
    "stdlib::to_yaml",
    "suffix",
    "swapcase",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "warning",
];

/// The size of a serialized value: shared parts count once for each occurrence.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    parts: u64,
    /// The length of its strings in bytes.
    text: u64,
    depth: u32,
}

/// A cache of the sizes of values by address. It holds the values, so that addresses are not reused.
#[derive(Debug, Default)]
struct Sizes(HashMap<usize, (Value, Size)>);

impl Sizes {
    /// The minimum number of parts of a cached size, and the maximum number of cached sizes.
    const LARGE: u64 = 64;
    const MOST: usize = 4_096;

    fn measure(&mut self, value: &Value) -> Size {
        self.below(value, 0)
    }

    fn below(&mut self, value: &Value, depth: u32) -> Size {
        let address = match value {
            Value::String(text) => return Size { parts: 1, text: text.len() as u64, depth: 0 },
            Value::Array(elements) => elements.as_ptr() as usize,
            Value::Hash(hash) => std::ptr::from_ref(hash.as_map()) as usize,
            other => {
                return match other.as_rich() {
                    Some(Rich::Sensitive(inner)) if depth <= DEEPEST => self.below(inner, depth + 1),
                    _ => Size { parts: 1, text: 16, depth: 0 },
                };
            }
        };
        if let Some((_, known)) = self.0.get(&address) {
            return *known;
        }
        // Deeper than any valid value; the caller rejects the depth.
        if depth > DEEPEST {
            return Size { parts: 1, text: 0, depth: 1 };
        }
        let mut size = Size { parts: 1, ..Size::default() };
        let mut add = |part: Size| {
            size.parts = size.parts.saturating_add(part.parts);
            size.text = size.text.saturating_add(part.text);
            size.depth = size.depth.max(part.depth);
        };
        match value {
            Value::Array(elements) => elements.iter().for_each(|element| add(self.below(element, depth + 1))),
            Value::Hash(hash) => {
                for (key, value) in hash {
                    add(self.below(key, depth + 1));
                    add(self.below(value, depth + 1));
                }
            }
            _ => {}
        }
        size.depth += 1;
        if size.parts >= Sizes::LARGE {
            if self.0.len() >= Sizes::MOST {
                self.0.clear();
            }
            self.0.insert(address, (value.clone(), size));
        }
        size
    }
}

/// The budget of an evaluation, with its reserved part.
#[derive(Debug)]
pub(crate) struct EvaluationBudget {
    budget: Budget,
    /// The nesting depth of calls, classes, templates and aliases.
    depth: Depth,
    /// Steps that are reserved but not yet taken.
    reserved_steps: u32,
    /// A limit that was reached where no error could be returned.
    exhausted: Option<Exhausted>,
    /// The sizes of large values.
    sizes: Sizes,
    /// Isolates the search counter of this thread from other evaluations.
    _searches: SearchCostScope,
}

impl EvaluationBudget {
    /// Draws from a budget.
    pub(super) fn new(budget: Budget) -> EvaluationBudget {
        EvaluationBudget {
            budget,
            depth: Depth::default(),
            reserved_steps: 0,
            exhausted: None,
            sizes: Sizes::default(),
            _searches: SearchCostScope::enter(),
        }
    }

    /// Draws from another budget from now on, for another program.
    pub(super) fn renew(&mut self, budget: Budget) {
        self.budget = budget;
        self.exhausted = None;
    }

    /// The budget itself, for code that takes from it.
    pub(crate) fn whole(&self) -> &Budget {
        &self.budget
    }

    /// Charges a step.
    pub(crate) fn step(&mut self) -> Result<(), Flow> {
        if self.reserved_steps > 0 {
            self.reserved_steps -= 1;
            return Ok(());
        }
        if let Some(exhausted) = self.exhausted {
            return Err(EvalError::from(exhausted).into());
        }
        match self.budget.steps(RESERVED_STEPS.into()) {
            Ok(()) => self.reserved_steps = RESERVED_STEPS - 1,
            // The last steps are charged one by one.
            Err(Exhausted::Steps(_)) => self.budget.step()?,
            Err(other) => return Err(other.into()),
        }
        Ok(())
    }

    /// Charges several steps.
    pub(crate) fn charge_steps(&mut self, steps: u64) -> Result<(), Flow> {
        if steps > 0 { Ok(self.budget.steps(steps)?) } else { Ok(()) }
    }

    /// Charges bytes that are about to be allocated.
    pub(crate) fn charge_bytes(&mut self, bytes: usize) -> Result<(), Flow> {
        Ok(self.budget.bytes(bytes)?)
    }

    /// Charges bytes where no error can be returned, and returns whether they were available. If not, the program ends
    /// at its next step.
    pub(crate) fn charge_bytes_later(&mut self, bytes: usize) -> bool {
        match self.budget.bytes(bytes) {
            Ok(()) => true,
            Err(exhausted) => {
                self.exhausted = Some(exhausted);
                self.reserved_steps = 0;
                false
            }
        }
    }

    /// Goes one level deeper, until the guard is dropped: for a call, a class, a template, an alias.
    pub(super) fn enter(&self) -> Result<DepthGuard, Flow> {
        self.budget.enter(&self.depth).map_err(|exhausted| {
            let mut error = EvalError::rule("stack level too deep");
            error.help = exhausted.help().map(Into::into);
            error.into()
        })
    }

    /// Charges a visit of values; shared parts count once for each occurrence.
    pub(crate) fn charge_visit<'v>(&mut self, values: impl IntoIterator<Item = &'v Value>) -> Result<(), Flow> {
        let mut steps = 0u64;
        for value in values {
            steps = steps.saturating_add(match value {
                Value::String(text) => text.len() as u64 / BYTES_PER_STEP,
                Value::Array(_) | Value::Hash(_) => {
                    let size = self.sizes.measure(value);
                    (size.parts / PARTS_PER_STEP).saturating_add(size.text / BYTES_PER_STEP)
                }
                _ => 0,
            });
        }
        self.charge_steps(steps)
    }

    /// Charges a search of a string with a pattern.
    pub(crate) fn charge_search(&mut self, text: &str) -> Result<(), Flow> {
        self.charge_steps(text.len() as u64 / BYTES_PER_STEP)
    }

    /// Charges the backtracking of searches since the last call.
    pub(crate) fn charge_backtracks(&mut self) -> Result<(), Flow> {
        self.charge_steps(hieratic_ruby_regexp::take_search_cost() / BACKTRACKS_PER_STEP)
    }

    /// Charges a function call in advance, as far as the arguments determine its cost.
    pub(super) fn charge_call(&mut self, name: &str, arguments: &[Value]) -> Result<(), Flow> {
        let is_plain = |value: &Value| match value {
            Value::String(text) => (text.len() as u64) < BYTES_PER_STEP,
            Value::Array(_) | Value::Hash(_) => false,
            _ => true,
        };
        if arguments.iter().all(is_plain) {
            return Ok(());
        }
        if WRITING.binary_search(&name).is_ok() {
            let length = self.max_text_length(arguments);
            self.charge_bytes(length)?;
        }
        if CONSTANT_COST.binary_search(&name).is_err() {
            self.charge_visit(arguments)?;
        }
        Ok(())
    }

    /// Returns the maximum length of values as strings: other arguments may be inserted between and before all parts.
    fn max_text_length(&mut self, values: &[Value]) -> usize {
        let sizes: Vec<Size> = values.iter().map(|value| self.sizes.measure(value)).collect();
        let text = sizes.iter().fold(0u64, |text, size| text.saturating_add(size.text));
        let length = sizes.iter().filter(|size| size.depth > 0).fold(0u64, |length, size| {
            let beside = text.saturating_sub(size.text).saturating_add(2).saturating_mul(size.depth.into());
            length.saturating_add(size.text).saturating_add(size.parts.saturating_mul(beside))
        });
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// Charges the bytes of a value in interpolated form.
    pub(crate) fn charge_text(&mut self, value: &Value) -> Result<(), Flow> {
        let length = match value {
            Value::String(text) => text.len(),
            Value::Array(_) | Value::Hash(_) => {
                let Size { parts, text, .. } = self.sizes.measure(value);
                usize::try_from(text.saturating_add(parts.saturating_mul(4))).unwrap_or(usize::MAX)
            }
            _ => 24,
        };
        self.charge_bytes(length)
    }

    /// Charges a new value and checks that it is not too large or too deep. Everything that builds collections calls
    /// this, so that every walk over a value terminates.
    pub(crate) fn charge_value(&mut self, value: Value) -> Outcome {
        // A shared value existed before.
        if shared(&value) {
            return Ok(value);
        }
        let (parts, bytes) = unshared_size(&value, 0);
        if bytes > 0 {
            self.charge_bytes(bytes)?;
        }
        self.charge_steps(parts / PARTS_PER_STEP)?;
        if !matches!(value, Value::Array(_) | Value::Hash(_)) {
            return Ok(value);
        }
        let size = self.sizes.measure(&value);
        if size.parts > MAX_PARTS {
            return Err(EvalError::rule(format!("the value has more than {MAX_PARTS} parts")).into());
        }
        if size.depth > DEEPEST {
            return Err(EvalError::rule(format!("the value is nested more than {DEEPEST} levels deep")).into());
        }
        Ok(value)
    }
}

/// Returns the number of parts and bytes of a value, without those that are shared.
fn unshared_size(value: &Value, depth: u32) -> (u64, usize) {
    const ELEMENT: usize = size_of::<Value>();
    if shared(value) || depth > DEEPEST {
        return (0, 0);
    }
    let mut sum = (0u64, 0usize);
    let mut add = |value: &Value| {
        let (parts, bytes) = unshared_size(value, depth + 1);
        sum = (sum.0 + parts, sum.1 + bytes);
    };
    match value {
        Value::String(text) => (0, text.len()),
        Value::Array(elements) => {
            elements.iter().for_each(&mut add);
            (sum.0 + elements.len() as u64, sum.1 + elements.len() * ELEMENT)
        }
        Value::Hash(hash) => {
            hash.iter().for_each(|(key, value)| {
                add(key);
                add(value);
            });
            (sum.0 + hash.len() as u64, sum.1 + hash.len() * (2 * ELEMENT + 16))
        }
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(CONSTANT_COST.is_sorted() && WRITING.is_sorted());
    }

    #[test]
    fn a_small_value_that_stands_for_a_large_one_is_measured_quickly() {
        let mut value = Value::from("ab");
        for _ in 0..50 {
            value = Value::from(vec![value.clone(), value]);
        }
        let mut sizes = Sizes::default();
        let size = sizes.measure(&value);
        assert_eq!((size.parts, size.text, size.depth), ((1 << 51) - 1, 1 << 51, 50));
        assert!(sizes.0.len() < 50);
    }
}
