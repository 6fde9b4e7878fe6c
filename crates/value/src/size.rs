//! Checks how large a value becomes when it is written: a shared part counts at every occurrence.

use crate::{Rich, Value};

/// The limit that a value exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// It has too many parts.
    Parts,
    /// It is nested too deeply.
    Depth,
}

impl Value {
    /// Checks that the value has at most this many parts and this depth.
    ///
    /// Parts are shared, so a small value in memory can expand to more than any memory holds, and a walk over it would
    /// not end. The limits bound the time of this check.
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
    /// The limit that is exceeded.
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
