//! Lists.

use std::sync::Arc;

use super::convert::integer;
use super::{exactly, integer_of, list_of};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    let of_list =
        |change: &dyn Fn(&[Value]) -> Value| exactly::<1>(arguments).and_then(|[list]| Ok(change(list_of(list)?)));
    Some(match name.strip_prefix("must").map(uncapitalized).as_deref().unwrap_or(name) {
        "list" | "tuple" => Ok(Value::list(arguments.to_vec())),
        "first" => of_list(&|values| values.first().cloned().unwrap_or_default()),
        "last" => of_list(&|values| values.last().cloned().unwrap_or_default()),
        "rest" => of_list(&|values| part_of(values.get(1..))),
        "initial" => of_list(&|values| part_of(values.split_last().map(|(_, rest)| rest))),
        "reverse" => of_list(&|values| Value::list(values.iter().rev().cloned().collect())),
        "compact" => of_list(&|values| Value::list(values.iter().filter(|value| value.is_true()).cloned().collect())),
        "uniq" => of_list(&|values| Value::list(unique(values))),
        "append" | "push" => exactly::<2>(arguments)
            .and_then(|[list, value]| Ok(Value::list(list_of(list)?.iter().cloned().chain([value.clone()]).collect()))),
        "prepend" => exactly::<2>(arguments).and_then(|[list, value]| {
            Ok(Value::list([value.clone()].into_iter().chain(list_of(list)?.iter().cloned()).collect()))
        }),
        "concat" => concat(arguments),
        "has" => exactly::<2>(arguments).and_then(|[value, list]| match list {
            Value::Nil => Ok(Value::Bool(false)),
            list => Ok(Value::Bool(list_of(list)?.contains(value))),
        }),
        "without" => without(arguments),
        "slice" => slice(arguments),
        "until" => exactly::<1>(arguments)
            .and_then(|[end]| steps(0, integer_of(end)?, if integer_of(end)? < 0 { -1 } else { 1 })),
        "untilStep" => exactly::<3>(arguments)
            .and_then(|[start, end, step]| steps(integer_of(start)?, integer_of(end)?, integer_of(step)?)),
        "seq" => sequence(arguments),
        "chunk" => chunk(arguments),
        _ => return None,
    })
}

fn uncapitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// A part of a list, which has nothing if the list has nothing.
fn part_of(part: Option<&[Value]>) -> Value {
    Value::list(part.unwrap_or_default().to_vec())
}

/// The most elements that are compared with each other.
const MAX_COMPARED: usize = 10_000;

fn unique(values: &[Value]) -> Vec<Value> {
    let mut unique: Vec<Value> = Vec::new();
    for value in values.iter().take(MAX_COMPARED) {
        if !unique.contains(value) {
            unique.push(value.clone());
        }
    }
    unique
}

fn concat(arguments: &[Value]) -> Result<Value, Fault> {
    let mut all = Vec::new();
    for list in arguments {
        all.extend_from_slice(list_of(list)?);
    }
    Ok(Value::list(all))
}

fn without(arguments: &[Value]) -> Result<Value, Fault> {
    let (list, left) = arguments.split_first().ok_or_else(|| super::count(arguments, 1))?;
    Ok(Value::list(list_of(list)?.iter().filter(|value| !left.contains(value)).cloned().collect()))
}

fn slice(arguments: &[Value]) -> Result<Value, Fault> {
    let (list, bounds) = arguments.split_first().ok_or_else(|| super::count(arguments, 1))?;
    let values = list_of(list)?;
    if values.is_empty() {
        return Ok(Value::Nil);
    }
    let bound = |index: usize, default: usize| match bounds.get(index) {
        None => Ok(default),
        Some(value) => usize::try_from(integer(value)).map_err(|_| Fault::error("slice bounds out of range")),
    };
    let part = values.get(bound(0, 0)?..bound(1, values.len())?);
    part.map(|part| Value::list(part.to_vec())).ok_or_else(|| Fault::error("slice bounds out of range"))
}

/// The most numbers that a function makes.
const MAX_NUMBERS: u64 = 1_000_000;

fn steps(start: i64, end: i64, step: i64) -> Result<Value, Fault> {
    Ok(Value::list(numbers(start, end, step)?.into_iter().map(Value::Int).collect()))
}

fn numbers(start: i64, end: i64, step: i64) -> Result<Vec<i64>, Fault> {
    if step == 0 || (end < start) != (step < 0) && end != start {
        return Ok(Vec::new());
    }
    if start.abs_diff(end) / step.unsigned_abs() > MAX_NUMBERS {
        return Err(Fault::NotHere("more than a million numbers".to_owned()));
    }
    let mut numbers = Vec::new();
    let mut at = start;
    while if step < 0 { at > end } else { at < end } {
        numbers.push(at);
        match at.checked_add(step) {
            Some(next) => at = next,
            None => break,
        }
    }
    Ok(numbers)
}

/// Numbers with blanks between them, as the program `seq` prints them.
fn sequence(arguments: &[Value]) -> Result<Value, Fault> {
    let of = arguments.iter().map(integer_of).collect::<Result<Vec<i64>, Fault>>()?;
    let (start, end, step) = match of[..] {
        [] => return Ok("".into()),
        [end] => (1, end, if end < 1 { -1 } else { 1 }),
        [start, end] => (start, end, if end < start { -1 } else { 1 }),
        [start, step, end] => {
            if (end < start) != (step < 0) {
                return Ok("".into());
            }
            (start, end, step)
        }
        _ => return Ok("".into()),
    };
    let after = end.saturating_add(if step < 0 { -1 } else { 1 });
    let words: Vec<String> = numbers(start, after, step)?.iter().map(i64::to_string).collect();
    Ok(words.join(" ").into())
}

fn chunk(arguments: &[Value]) -> Result<Value, Fault> {
    let [size, list] = exactly::<2>(arguments)?;
    let size = usize::try_from(integer_of(size)?).ok().filter(|size| *size > 0);
    let size = size.ok_or_else(|| Fault::NotHere("chunk of no size".to_owned()))?;
    let chunks = list_of(list)?.chunks(size).map(|chunk| Value::List(Arc::new(chunk.to_vec())));
    Ok(Value::list(chunks.collect()))
}
