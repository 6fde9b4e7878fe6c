//! How large a value is when it is written out: shared parts count as often as they are there.

use crate::{Rich, Value};

/// What of a value is more than a limit allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It has more parts.
    Parts,
    /// It nests deeper.
    Depth,
}

impl Value {
    /// Whether the value keeps within a number of parts and a depth.
    ///
    /// Parts are shared, so a value that takes little memory can stand for more than any memory holds: whatever walks it
    /// would never end. The time to find out is bounded by the limits.
    ///
    /// ```
    /// use hieratic_value::{TooLarge, Value};
    /// let mut value = Value::from(1);
    /// for _ in 0..50 {
    ///     value = Value::from(vec![value.clone(), value]);
    /// }
    /// assert_eq!(value.keeps_within(1000, 100), Err(TooLarge::Parts));
    /// assert_eq!(Value::from(vec![Value::from(1)]).keeps_within(2, 1), Ok(()));
    /// ```
    ///
    /// # Errors
    /// Which limit is exceeded.
    pub fn keeps_within(&self, parts: usize, depth: usize) -> Result<(), TooLarge> {
        let mut left = parts;
        walk(self, &mut left, depth)
    }
}

fn walk(value: &Value, left: &mut usize, depth: usize) -> Result<(), TooLarge> {
    *left = left.checked_sub(1).ok_or(TooLarge::Parts)?;
    match value {
        Value::Array(elements) => {
            let depth = depth.checked_sub(1).ok_or(TooLarge::Depth)?;
            elements.iter().try_for_each(|element| walk(element, left, depth))
        }
        Value::Hash(hash) => {
            let depth = depth.checked_sub(1).ok_or(TooLarge::Depth)?;
            hash.iter().try_for_each(|(key, value)| {
                walk(key, left, depth)?;
                walk(value, left, depth)
            })
        }
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => walk(inner, left, depth.checked_sub(1).ok_or(TooLarge::Depth)?),
            _ => Ok(()),
        },
        _ => Ok(()),
    }
}
