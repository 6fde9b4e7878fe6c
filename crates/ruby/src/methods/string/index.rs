//! `string[...]`.

use std::ops::Range;

use super::{changing, length, own};
use crate::methods::array::span;
use crate::value::{Str, Value};
use crate::vm::{Args, Outcome, Vm};

/// The bytes that an index means.
fn place(vm: &mut Vm<'_>, text: &Str, a: &[Value]) -> Outcome<Option<Range<usize>>> {
    match (&a[0], a.get(1)) {
        (Value::Str(target), None) => {
            let target = target.to_arc();
            Ok(text.with(|text| text.find(&*target).map(|at| at..at + target.len())))
        }
        (Value::Regexp(regexp), group) => {
            let source = text.to_arc();
            let Some(found) = vm.search(regexp, &source, 0)? else { return Ok(None) };
            Ok(match group {
                None => Some(found.captures.whole()),
                Some(Value::Int(at)) => {
                    let count = found.captures.iter().count() as i64;
                    let at = if *at < 0 { at + count } else { *at };
                    usize::try_from(at).ok().and_then(|at| found.captures.get(at))
                }
                Some(name) => {
                    let name = vm.to_s(name)?;
                    if !found.regexp.names().any(|one| one == name) {
                        return Err(vm.index_error(format!("undefined group name reference: {name}")));
                    }
                    found.captures.name(&name)
                }
            })
        }
        (first, second) => {
            let count = length(text);
            let range = if second.is_none() && !matches!(first, Value::Range(_)) {
                let at = vm.to_int(first)?;
                let at = if at < 0 { at + count as i64 } else { at };
                match usize::try_from(at) {
                    Ok(at) if at < count => at..at + 1,
                    _ => return Ok(None),
                }
            } else {
                let mut args = Args::one(first.clone());
                args.list.extend(second.cloned());
                match span(vm, &args, count)? {
                    Some(range) => range,
                    None => return Ok(None),
                }
            };
            if text.is_bytewise() || count == text.len_bytes() {
                return Ok(Some(range));
            }
            vm.steps(count / 32)?;
            Ok(Some(text.with(|text| {
                let byte = |at: usize| text.char_indices().nth(at).map_or(text.len(), |(byte, _)| byte);
                let start = byte(range.start);
                let tail = &text[start..];
                let size = tail.char_indices().nth(range.len()).map_or(tail.len(), |(byte, _)| byte);
                start..start + size
            })))
        }
    }
}

fn cut(vm: &mut Vm<'_>, text: &Str, range: Range<usize>) -> Outcome {
    vm.build(range.len() + 32)?;
    let part = if text.is_valid() || text.is_bytewise() {
        text.bytes()[range].to_vec()
    } else {
        text.with(|text| text.as_bytes().get(range).unwrap_or_default().to_vec())
    };
    let part = Value::bytes(part);
    if let Value::Str(part) = &part {
        part.encoding.set(text.encoding.get());
    }
    Ok(part)
}

pub(super) fn get(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = own(me);
    match place(vm, &text, &a.list)? {
        Some(range) => cut(vm, &text, range),
        None => Ok(Value::Nil),
    }
}

pub(super) fn slice_away(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    let Some(range) = place(vm, &text, &a.list)? else { return Ok(Value::Nil) };
    let part = cut(vm, &text, range.clone())?;
    let mut bytes = text.bytes().to_vec();
    bytes.drain(range);
    text.set_bytes(bytes);
    Ok(part)
}

pub(super) fn set(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let text = changing(vm, me)?;
    let (value, index) = match a.list.split_last() {
        Some((value, index)) => (vm.to_str(value)?, index),
        None => return Ok(Value::Nil),
    };
    let range = match place(vm, &text, index)? {
        Some(range) => range,
        // The index after the last character can be assigned to.
        None => match &index[0] {
            Value::Int(at) if *at == length(&text) as i64 => text.len_bytes()..text.len_bytes(),
            Value::Int(at) => return Err(vm.index_error(format!("index {at} out of string"))),
            Value::Str(_) => return Err(vm.index_error("string not matched")),
            Value::Regexp(_) => return Err(vm.index_error("regexp not matched")),
            other => {
                let shown = vm.inspect(other)?;
                return Err(vm.range_error(format!("{shown} out of range")));
            }
        },
    };
    let mut bytes = text.bytes().to_vec();
    vm.build(bytes.len() + value.len())?;
    bytes.splice(range, value.bytes());
    text.set_bytes(bytes);
    Ok(Value::str(&value))
}
