//! `value[index]` and `value[start:stop:step]`.

use minijinja::Value;

use super::kind::{element, iterate, type_name};
use super::number::index;
use super::{Kind, kind};
use crate::error::{Result, error, undefined};
use crate::objects::{List, Tuple};

/// `value[key]`; `None` if there is no such element.
pub fn item(value: &Value, key: &Value) -> Result<Option<Value>> {
    Ok(match kind(value)? {
        Kind::Dict => match super::kind::hashable(key) {
            Ok(()) => element(value, key)?,
            Err(_) => None,
        },
        Kind::Str(text) => {
            // The offset of a character has to be counted.
            crate::work::scan(text.len())?;
            position(key, || text.chars().count()).and_then(|at| text.chars().nth(at)).map(Value::from)
        }
        Kind::Bytes(bytes) => position(key, || bytes.len()).and_then(|at| bytes.get(at)).map(|byte| Value::from(*byte)),
        Kind::Tuple(items) => position(key, || items.len()).and_then(|at| items.get(at)).cloned(),
        Kind::List => match value.downcast_object_ref::<List>() {
            Some(list) => list.at(|items| position(key, || items.len())),
            None => {
                let items = iterate(value)?;
                position(key, || items.len()).and_then(|at| items.get(at)).cloned()
            }
        },
        _ => None,
    })
}

/// Returns an index counted from the start; `None` if it is out of range or not an integer.
fn position(key: &Value, length: impl Fn() -> usize) -> Option<usize> {
    if let Some(at) = key.as_usize().filter(|_| key.is_integer()) {
        return Some(at);
    }
    if !matches!(kind(key), Ok(Kind::Int(_) | Kind::Bool(_))) {
        return None;
    }
    let at = index(key).ok()?;
    match usize::try_from(at) {
        Ok(at) => Some(at),
        Err(_) => length().checked_sub(usize::try_from(at.unsigned_abs()).ok()?),
    }
}

/// `value[start:stop:step]`
pub fn slice(value: &Value, parts: [Option<Value>; 3]) -> Result<Value> {
    let [start, stop, step] = parts.map(|part| part.filter(|part| !part.is_none()));
    let bound = |part: Option<Value>| match part {
        None => Ok(None),
        Some(part) => index(&part)
            .map(Some)
            .map_err(|_| error("slice indices must be integers or None or have an __index__ method")),
    };
    let (start, stop, step) = (bound(start)?, bound(stop)?, bound(step)?.unwrap_or(1));
    if step == 0 {
        return Err(error("slice step cannot be zero"));
    }
    fn pick<T: Clone>(items: &[T], start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<T> {
        positions(items.len(), start, stop, step).into_iter().filter_map(|at| items.get(at).cloned()).collect()
    }
    match kind(value)? {
        Kind::Str(text) => {
            let letters: Vec<char> = text.chars().collect();
            Ok(Value::from(pick(&letters, start, stop, step).into_iter().collect::<String>()))
        }
        Kind::Bytes(bytes) => Ok(Value::from_bytes(pick(bytes, start, stop, step))),
        Kind::Tuple(items) => Ok(Tuple::value(pick(items, start, stop, step))),
        Kind::List => Ok(List::value(pick(&iterate(value)?, start, stop, step))),
        Kind::Missing(missing) => Err(undefined(missing.message())),
        Kind::Dict => Err(error("unhashable type: 'slice'")),
        _ => Err(error(format!("'{}' object is not subscriptable", type_name(value)))),
    }
}

/// The indexes that a slice takes.
fn positions(length: usize, start: Option<i64>, stop: Option<i64>, step: i64) -> Vec<usize> {
    // A length fits: memory is smaller.
    let length = i64::try_from(length).unwrap_or(i64::MAX / 4);
    let (lowest, highest) = if step > 0 { (0, length) } else { (-1, length - 1) };
    let bound = |part: Option<i64>, default: i64| match part {
        None => default,
        Some(at) if at < 0 => (at + length).clamp(lowest, highest),
        Some(at) => at.clamp(lowest, highest),
    };
    let (mut at, stop) =
        if step > 0 { (bound(start, 0), bound(stop, length)) } else { (bound(start, length - 1), bound(stop, -1)) };
    let mut positions = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        positions.extend(usize::try_from(at).ok());
        at = at.saturating_add(step);
    }
    positions
}
