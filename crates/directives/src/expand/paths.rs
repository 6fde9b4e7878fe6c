//! Paths into a document: keys and indexes.

use hieratic_value::Value;

/// An index as part of a path.
pub(super) fn index(at: usize) -> Value {
    Value::from(at)
}

/// Returns the index of a list that a segment selects: an integer, counted from the end if it is negative.
pub(super) fn list_index(segment: &str, length: usize) -> Option<usize> {
    let number: i64 = segment.trim().parse().ok()?;
    let length = i64::try_from(length).ok()?;
    let at = if number < 0 { number.checked_add(length)? } else { number };
    usize::try_from(at).ok().filter(|at| i64::try_from(*at).is_ok_and(|at| at < length))
}

/// Returns whether a segment can be the index of a list.
pub(super) fn is_index(segment: &str) -> bool {
    segment.trim().parse::<i64>().is_ok()
}
