//! Sorting of arrays.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{element, list, own};
use crate::symbol::known;
use crate::value::{Proc, Value};
use crate::vm::{Args, Flow, Outcome, Vm};

/// Sorts by a fallible comparison: the sort itself completes, and the first error is reported afterwards.
fn sort_by<T>(
    vm: &mut Vm<'_>,
    list: &mut [T],
    mut compare: impl FnMut(&mut Vm<'_>, &T, &T) -> Outcome<Ordering>,
) -> Outcome<()> {
    vm.steps(list.len())?;
    let mut failed: Option<Box<Flow>> = None;
    // A merge sort of our own: a comparison that contradicts itself must not make the sort panic.
    let mut order: Vec<usize> = (0..list.len()).collect();
    let mut spare = order.clone();
    let mut width = 1;
    while width < order.len() && failed.is_none() {
        let mut start = 0;
        while start < order.len() {
            let (middle, end) = ((start + width).min(order.len()), (start + 2 * width).min(order.len()));
            let (mut left, mut right) = (start, middle);
            for place in &mut spare[start..end] {
                let take_left = if left >= middle {
                    false
                } else if right >= end || failed.is_some() {
                    true
                } else {
                    match compare(vm, &list[order[left]], &list[order[right]]) {
                        Ok(order) => order != Ordering::Greater,
                        Err(flow) => {
                            failed = Some(flow);
                            true
                        }
                    }
                };
                let from = if take_left { &mut left } else { &mut right };
                *place = order[*from];
                *from += 1;
            }
            start = end;
        }
        std::mem::swap(&mut order, &mut spare);
        width *= 2;
    }
    if let Some(flow) = failed {
        return Err(flow);
    }
    // Permutes the elements in place, cycle by cycle.
    let mut target = vec![0; order.len()];
    for (to, from) in order.iter().enumerate() {
        target[*from] = to;
    }
    for at in 0..list.len() {
        while target[at] != at {
            let to = target[at];
            list.swap(at, to);
            target.swap(at, to);
        }
    }
    Ok(())
}

/// The elements, sorted by the block or by themselves.
pub(super) fn sort(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome<Vec<Value>> {
    let mut list = list(me);
    match &a.block {
        Some(block) => sort_by(vm, &mut list, |vm, x, y| {
            let order = vm.yield_all(block, &[x.clone(), y.clone()])?;
            match vm.order_of(&order)? {
                Some(order) => Ok(order),
                None if order.is_nil() => Err(vm.not_comparable(x, y)),
                None if matches!(order, Value::Str(_)) => Err(vm.not_comparable(&order, &Value::Int(0))),
                None => Err(vm.no_method(&order, known::GT, false)),
            }
        })?,
        None => sort_by(vm, &mut list, |vm, x, y| vm.compare_strictly(x, y))?,
    }
    Ok(list)
}

/// Returns the elements, sorted by the results of the block.
pub(super) fn sorted_by(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>) -> Outcome<Vec<Value>> {
    let array = own(me);
    let mut keyed = Vec::new();
    let mut at = 0;
    while let Some(one) = element(&array, at) {
        keyed.push((vm.yield1(block, one.clone())?, one));
        at += 1;
    }
    sort_by(vm, &mut keyed, |vm, (x, _), (y, _)| vm.compare_strictly(x, y))?;
    Ok(keyed.into_iter().map(|(_, one)| one).collect())
}
