//! [`Range`]: an ascending or descending sequence of integers.

use hieratic_puppet_types::{Int, IntegerRange, Type};
use hieratic_value::Value;

/// Integers between two ends, both included, by a step that is not zero; downwards from the upper end if it is negative.
///
/// Numbers are of 64 bits; 128 make sure that nothing overflows on the way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    from: i128,
    to: i128,
    step: i128,
}

impl Range {
    /// Creates the range from zero up to a positive number (excluded).
    pub(super) fn up_to(count: i64) -> Range {
        Range { from: 0, to: i128::from(count) - 1, step: 1 }
    }

    /// Creates the range of a type with two bounds.
    pub(super) fn from_integer_range(range: &IntegerRange) -> Option<Range> {
        let end = |end: Option<&Int>| match Value::from(end?.clone()) {
            Value::Integer(number) => Some(i128::from(number)),
            _ => None,
        };
        Some(Range { from: end(range.from())?, to: end(range.to())?, step: 1 })
    }

    /// Returns every `n`th number. The bound moves to the last number that is reached, so that the reverse has the same
    /// numbers. For descending ranges the reference moves it too far and loses the last number; this function does the
    /// same.
    pub(super) fn step(self, step: usize) -> Range {
        let step = self.step.saturating_mul(i128::try_from(step).unwrap_or(i128::MAX));
        let rest = (self.to - self.from) % step;
        match step > 0 {
            true => Range { to: self.to - rest, step, ..self },
            false if rest == 0 => Range { step, ..self },
            false => Range { from: (self.from - rest - step).min(self.to), step, ..self },
        }
    }

    /// Returns the same numbers in reverse.
    pub(super) fn reversed(self) -> Range {
        Range { step: -self.step, ..self }
    }

    /// The type of the numbers.
    pub(super) fn element(&self) -> Type {
        let end = |number: i128| i64::try_from(number).ok();
        Type::integer(end(self.from), end(self.to)).unwrap_or(Type::INTEGER)
    }

    /// Returns the first number, and the maximum number of steps after it.
    pub(super) fn first(&self) -> i128 {
        if self.step > 0 { self.from } else { self.to }
    }

    /// Returns the number as a value, and the next number; `None` beyond the bound.
    pub(super) fn at(&self, number: i128) -> Option<(Value, i128)> {
        let value = i64::try_from(number).ok().filter(|_| (self.from..=self.to).contains(&number))?;
        Some((Value::Integer(value), number.saturating_add(self.step)))
    }
}
