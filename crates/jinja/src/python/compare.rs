//! Equality, order and membership.

use std::cmp::Ordering;

use hieratic_python_values::compare_with_float;
use minijinja::Value;
use minijinja::value::ValueKind;

use super::kind::{element, entries, is_sequence, iterate, small, type_name};
use super::number::{Number, number};
use super::{Budget, Kind, kind};
use crate::error::{Result, error};
use crate::objects::{Dict, List, Tuple};
use crate::work;

/// The maximum nesting depth of values that are compared.
const MAX_DEPTH: usize = 200;

/// Returns the address of a list, a dictionary or a tuple. It is unique as long as the value exists.
pub fn address(value: &Value) -> Option<usize> {
    fn of<T: 'static>(value: &Value) -> Option<usize> {
        value.downcast_object_ref::<T>().map(|object| std::ptr::from_ref(object).addr())
    }
    of::<List>(value).or_else(|| of::<Dict>(value)).or_else(|| of::<Tuple>(value))
}

/// Returns whether two values are the same list, dictionary or tuple object.
pub fn same(left: &Value, right: &Value) -> bool {
    address(left).is_some_and(|left| Some(left) == address(right))
}

/// `left == right`
pub fn equal(left: &Value, right: &Value) -> Result<bool> {
    equal_to(left, right, MAX_DEPTH, &Budget::new())
}

fn equal_to(left: &Value, right: &Value, depth: usize, budget: &Budget) -> Result<bool> {
    budget.step()?;
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("maximum recursion depth exceeded in comparison"));
    };
    if let (Some(left), Some(right)) = (small(left), small(right)) {
        return Ok(left == right);
    }
    let (left_kind, right_kind) = (kind(left)?, kind(right)?);
    Ok(match (&left_kind, &right_kind) {
        (Kind::Missing(missing), other) | (other, Kind::Missing(missing)) => {
            missing.defined()?;
            match other {
                Kind::Missing(other) => other.defined().map(|()| true)?,
                _ => false,
            }
        }
        (Kind::None, Kind::None) => true,
        (Kind::Str(left), Kind::Str(right)) => {
            work::scan(left.len().min(right.len()))?;
            left == right
        }
        (Kind::Bytes(left), Kind::Bytes(right)) => left == right,
        (Kind::Tuple(left), Kind::Tuple(right)) => all_equal(left, right, depth, budget)?,
        (Kind::List, Kind::List) => all_equal(&iterate(left)?, &iterate(right)?, depth, budget)?,
        (Kind::Set(left), Kind::Set(right)) if left.len() != right.len() => false,
        (Kind::Set(left), Kind::Set(_)) => {
            for item in *left {
                if !contains(right, item)? {
                    return Ok(false);
                }
            }
            true
        }
        (Kind::Dict, Kind::Dict) => {
            let (entries, length) = (entries(left)?, iterate(right)?.len());
            if entries.len() != length {
                return Ok(false);
            }
            for (key, value) in &entries {
                match element(right, key)? {
                    Some(other) if equal_to(value, &other, depth, budget)? => {}
                    _ => return Ok(false),
                }
            }
            true
        }
        (Kind::Datetime(left), Kind::Datetime(right)) => left.is_same(**right),
        (Kind::Daytime(left), Kind::Daytime(right)) => left.is_same(**right),
        (Kind::Zone(left), Kind::Zone(right)) => left == right,
        (Kind::Timedelta(left), Kind::Timedelta(right)) => left == right,
        (Kind::Other, Kind::Other) => left == right,
        _ => match (number(left)?, number(right)?) {
            (Some(left), Some(right)) => compare_numbers(&left, &right) == Some(Ordering::Equal),
            _ => false,
        },
    })
}

fn all_equal(left: &[Value], right: &[Value], depth: usize, budget: &Budget) -> Result<bool> {
    if left.len() != right.len() {
        return Ok(false);
    }
    for (left, right) in left.iter().zip(right) {
        if !equal_to(left, right, depth, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Compares two numbers exactly; `None` for NaN.
fn compare_numbers(left: &Number, right: &Number) -> Option<Ordering> {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => Some(left.cmp(right)),
        (Number::Float(left), Number::Float(right)) => left.partial_cmp(right),
        (Number::Int(left), Number::Float(right)) => compare_with_float(left, *right),
        (Number::Float(left), Number::Int(right)) => compare_with_float(right, *left).map(Ordering::reverse),
    }
}

/// Returns the order of two values, for `<` and similar operators. `operator` is used in messages.
pub fn order(left: &Value, right: &Value, operator: &str) -> Result<Option<Ordering>> {
    order_to(left, right, operator, MAX_DEPTH, &Budget::new())
}

fn order_to(left: &Value, right: &Value, operator: &str, depth: usize, budget: &Budget) -> Result<Option<Ordering>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(error("maximum recursion depth exceeded in comparison"));
    };
    if let (Some(left), Some(right)) = (small(left), small(right)) {
        return Ok(Some(left.cmp(&right)));
    }
    match (kind(left)?, kind(right)?) {
        (Kind::Missing(missing), _) | (_, Kind::Missing(missing)) => missing.defined()?,
        (Kind::Str(left), Kind::Str(right)) => {
            budget.step()?;
            work::scan(left.len().min(right.len()))?;
            return Ok(Some(left.cmp(right)));
        }
        (Kind::Bytes(left), Kind::Bytes(right)) => return Ok(Some(left.cmp(right))),
        (Kind::Tuple(left), Kind::Tuple(right)) => return order_items(left, right, operator, depth, budget),
        (Kind::List, Kind::List) => return order_items(&iterate(left)?, &iterate(right)?, operator, depth, budget),
        (Kind::Datetime(left), Kind::Datetime(right)) => return left.order(*right).map(Some),
        (Kind::Daytime(left), Kind::Daytime(right)) => return left.order(*right).map(Some),
        (Kind::Timedelta(left), Kind::Timedelta(right)) => return Ok(Some(left.cmp(right))),
        _ => {
            if let (Some(left), Some(right)) = (number(left)?, number(right)?) {
                return Ok(compare_numbers(&left, &right));
            }
        }
    }
    Err(error(format!(
        "'{operator}' not supported between instances of '{}' and '{}'",
        type_name(left),
        type_name(right)
    )))
}

fn order_items(
    left: &[Value],
    right: &[Value],
    operator: &str,
    depth: usize,
    budget: &Budget,
) -> Result<Option<Ordering>> {
    for (left, right) in left.iter().zip(right) {
        if !equal_to(left, right, depth, budget)? {
            return order_to(left, right, operator, depth, budget);
        }
    }
    Ok(Some(left.len().cmp(&right.len())))
}

/// `item in container`
pub fn contains(container: &Value, item: &Value) -> Result<bool> {
    match kind(container)? {
        Kind::Missing(missing) => missing.defined().map(|()| false),
        Kind::Str(text) => match kind(item)? {
            Kind::Str(part) => {
                work::scan(text.len())?;
                Ok(text.contains(part))
            }
            Kind::Missing(missing) => missing.defined().map(|()| false),
            _ => {
                let name = type_name(item);
                Err(error(format!("'in <string>' requires string as left operand, not {name}")))
            }
        },
        Kind::Dict => Ok(element(container, item)?.is_some()),
        Kind::Set(items) => contains_item(items, item),
        _ if is_sequence(container) => contains_item(&iterate(container)?, item),
        _ => Err(error(format!("argument of type '{}' is not iterable", type_name(container)))),
    }
}

/// Returns whether a list contains an equal item.
pub fn contains_item(items: &[Value], item: &Value) -> Result<bool> {
    for candidate in items {
        if equal(candidate, item)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Sorts by the first of each pair as Python's `sorted` does, which is stable.
///
/// The order of Python's values need not be total (`nan`), in which case the standard library's sort may panic. A merge
/// sort only needs the results of comparisons.
pub fn sort(mut items: Vec<(Value, Value)>, reverse: bool) -> Result<Vec<(Value, Value)>> {
    let directed = |order: Ordering| if reverse { order.reverse() } else { order };
    let depth = usize::try_from(items.len().max(2).ilog2()).unwrap_or(0);
    // Most keys are strings or small numbers, which always have an order.
    if items.iter().all(|(key, _)| key.kind() == ValueKind::String) {
        let length: usize = items.iter().map(|(key, _)| key.as_str().map_or(0, str::len)).sum();
        work::steps(items.len().saturating_mul(depth))?;
        work::scan(length.saturating_mul(depth))?;
        items.sort_by(|(one, _), (other, _)| directed(one.as_str().cmp(&other.as_str())));
        return Ok(items);
    }
    if items.iter().all(|(key, _)| small(key).is_some()) {
        work::steps(items.len().saturating_mul(depth))?;
        items.sort_by(|(one, _), (other, _)| directed(small(one).cmp(&small(other))));
        return Ok(items);
    }
    merge_sort(items, reverse)
}

fn merge_sort(items: Vec<(Value, Value)>, reverse: bool) -> Result<Vec<(Value, Value)>> {
    if items.len() < 2 {
        return Ok(items);
    }
    let mut left = items;
    let right = left.split_off(left.len() / 2);
    let length = left.len() + right.len();
    let (left, right) = (merge_sort(left, reverse)?, merge_sort(right, reverse)?);
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    let mut sorted = Vec::with_capacity(length);
    while let (Some((one, _)), Some((other, _))) = (left.peek(), right.peek()) {
        let right_first = if reverse {
            order(one, other, "<")? == Some(Ordering::Less)
        } else {
            order(other, one, "<")? == Some(Ordering::Less)
        };
        sorted.extend(if right_first { right.next() } else { left.next() });
    }
    sorted.extend(left);
    sorted.extend(right);
    Ok(sorted)
}
