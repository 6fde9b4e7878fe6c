//! Arrays in arrays: `flatten` and `join`. => The methods of nested arrays: `flatten` and `join`.

use std::rc::Rc;

use hieratic_value::collections::HashSet;

use super::list;
use crate::value::{NUMBERS, Str, Value};
use crate::vm::{Args, Outcome, Vm};

/// Appends the elements of nested arrays.
fn flatten(
    vm: &mut Vm<'_>,
    list: &[Value],
    depth: i64,
    out: &mut Vec<Value>,
    inside: &mut HashSet<usize>,
) -> Outcome<bool> {
    let mut changed = false;
    vm.steps(list.len() / 4)?;
    for one in list {
        match one {
            Value::Array(inner) if depth != 0 => {
                changed = true;
                let address = Rc::as_ptr(inner) as usize;
                if !inside.insert(address) {
                    return Err(vm.argument_error("tried to flatten recursive array"));
                }
                let inner = inner.list.borrow().clone();
                stacker::maybe_grow(128 << 10, 4 << 20, || flatten(vm, &inner, depth - 1, out, inside))?;
                inside.remove(&address);
            }
            _ => {
                vm.build(16)?;
                out.push(one.clone());
            }
        }
    }
    Ok(changed)
}

/// Returns the elements with nested arrays flattened, and whether there were any.
pub(super) fn flattened(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome<(Vec<Value>, bool)> {
    let depth = match a.get(0) {
        None | Some(Value::Nil) => -1,
        Some(depth) => vm.to_int(depth)?,
    };
    let mut out = Vec::new();
    let changed = flatten(vm, &list(me), depth, &mut out, &mut HashSet::from_iter([me.address().unwrap_or(0)]))?;
    Ok((out, changed))
}

/// Appends the strings of elements, including those of nested arrays.
pub(super) fn join(
    vm: &mut Vm<'_>,
    (list, marks): (&[Value], u8),
    separator: &Str,
    out: &Str,
    first: &mut bool,
    inside: &mut HashSet<usize>,
) -> Outcome<()> {
    for one in list {
        if let Value::Array(inner) = one {
            let address = Rc::as_ptr(inner) as usize;
            if !inside.insert(address) {
                return Err(vm.argument_error("recursive array join"));
            }
            let (marks, inner) = (inner.marks.get(), inner.list.borrow().clone());
            if inner.is_empty() && !*first {
                out.push_str(separator);
            }
            let mut inner_first = true;
            if !inner.is_empty() && !*first {
                out.push_str(separator);
            }
            stacker::maybe_grow(128 << 10, 4 << 20, || {
                join(vm, (&inner, marks), separator, out, &mut inner_first, inside)
            })?;
            inside.remove(&address);
        } else {
            if !*first {
                out.push_str(separator);
            }
            let start = out.len_bytes();
            vm.append_text(out, one)?;
            if marks & NUMBERS != 0 && !matches!(one, Value::Str(_)) {
                out.mark_from(start);
            }
        }
        *first = false;
        vm.build(separator.len_bytes())?;
        vm.step()?;
    }
    Ok(())
}
