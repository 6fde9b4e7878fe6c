//! Ranges.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Natives, block_or_enumerator};
use crate::symbol::known;
use crate::value::{Range, Value};
use crate::vm::{Args, Outcome, Vm};

fn own(me: &Value) -> Rc<Range> {
    match me {
        Value::Range(range) => range.clone(),
        // Methods of ranges are called on ranges.
        _ => Rc::new(Range { first: Value::Nil, last: Value::Nil, exclusive: false }),
    }
}

/// Returns whether a value is between the ends.
fn covers(vm: &mut Vm<'_>, range: &Range, value: &Value) -> Outcome<bool> {
    if !range.first.is_nil() && !matches!(vm.compare(&range.first, value)?, Some(Ordering::Less | Ordering::Equal)) {
        return Ok(false);
    }
    if range.last.is_nil() {
        return Ok(!range.first.is_nil() || !value.is_nil());
    }
    Ok(match vm.compare(value, &range.last)? {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => !range.exclusive,
        _ => false,
    })
}

/// Visits every element until the visitor returns false.
fn each(vm: &mut Vm<'_>, me: &Value, mut visit: impl FnMut(&mut Vm<'_>, Value) -> Outcome<bool>) -> Outcome<()> {
    let range = own(me);
    match (&range.first, &range.last) {
        (Value::Int(first), Value::Int(last)) => {
            let end = if range.exclusive { *last } else { last.saturating_add(1) };
            for at in *first..end {
                vm.step()?;
                if !visit(vm, Value::Int(at))? {
                    break;
                }
            }
            Ok(())
        }
        (Value::Str(first), Value::Str(last)) => {
            let last = last.to_arc();
            let mut at = first.with(str::to_owned);
            // Between two ASCII characters are those with codes in between.
            if let ([first], [end]) = (at.as_bytes(), last.as_bytes()) {
                let count = usize::from(!range.exclusive) + usize::from(end.saturating_sub(*first));
                for one in (*first..=*end).take(count) {
                    vm.steps(2)?;
                    if !visit(vm, Value::string(char::from(one).to_string()))? {
                        break;
                    }
                }
                return Ok(());
            }
            if at.len() > last.len() || (at.len() == last.len() && at.as_bytes() > last.as_bytes()) {
                return Ok(());
            }
            loop {
                vm.steps(2)?;
                vm.build(at.len())?;
                let is_last = *at == *last;
                if is_last && range.exclusive {
                    return Ok(());
                }
                if !visit(vm, Value::str(&at))? || is_last {
                    return Ok(());
                }
                at = super::string::successor(&at);
                if at.len() > last.len() {
                    return Ok(());
                }
            }
        }
        (first, last) => {
            if !matches!(first, Value::Int(_) | Value::Big(_) | Value::Str(_)) && !vm.responds(first, known::SUCC) {
                let class = vm.class_name(first);
                return Err(vm.type_error(format!("can't iterate from {class}")));
            }
            let mut at = first.clone();
            loop {
                vm.step()?;
                if !last.is_nil() {
                    match vm.compare(&at, last)? {
                        Some(Ordering::Less) => {}
                        Some(Ordering::Equal) if !range.exclusive => {
                            visit(vm, at)?;
                            return Ok(());
                        }
                        _ => return Ok(()),
                    }
                }
                if !visit(vm, at.clone())? {
                    return Ok(());
                }
                at = vm.call(&at, known::SUCC, Args::none())?;
            }
        }
    }
}

fn to_a(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    if own(me).last.is_nil() {
        return Err(vm.range_error("cannot convert endless range to an array"));
    }
    let mut all = Vec::new();
    each(vm, me, |vm, value| {
        vm.build(16)?;
        all.push(value);
        Ok(true)
    })?;
    Ok(Value::array(all))
}

fn cover(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let range = own(me);
    if let Value::Range(inner) = a.at(0) {
        let first = covers(vm, &range, &inner.first)?;
        let last = match vm.compare(&inner.last, &range.last)? {
            Some(Ordering::Less) => true,
            Some(Ordering::Equal) => !range.exclusive || inner.exclusive,
            _ => false,
        };
        return Ok((first && last).into());
    }
    covers(vm, &range, &a.at(0)).map(Value::Bool)
}

pub(super) const METHODS: Natives = &[
    ("self.new", 2, 3, |vm, _, a| vm.new_range(a.at(0), a.at(1), a.at(2).truthy())),
    ("begin", 0, 0, |_, me, _| Ok(own(me).first.clone())),
    ("end", 0, 0, |_, me, _| Ok(own(me).last.clone())),
    ("first", 0, 1, |vm, me, a| {
        let range = own(me);
        let Some(count) = a.get(0) else {
            if range.first.is_nil() {
                return Err(vm.range_error("cannot get the first element of beginless range"));
            }
            return Ok(range.first.clone());
        };
        let count = vm.to_count(count, "negative array size (or size too big)")?;
        let mut list = Vec::new();
        if count > 0 {
            each(vm, me, |vm, value| {
                vm.build(16)?;
                list.push(value);
                Ok(list.len() < count)
            })?;
        }
        Ok(Value::array(list))
    }),
    ("last", 0, 1, |vm, me, a| {
        let range = own(me);
        match a.get(0) {
            None if range.last.is_nil() => Err(vm.range_error("cannot get the last element of endless range")),
            None => Ok(range.last.clone()),
            Some(_) => {
                let list = to_a(vm, me, a)?;
                vm.call(&list, known::LAST, a.clone())
            }
        }
    }),
    ("exclude_end?", 0, 0, |_, me, _| Ok(own(me).exclusive.into())),
    ("each", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each");
        each(vm, me, |vm, value| vm.yield1(&block, value).map(|_| true))?;
        Ok(me.clone())
    }),
    ("to_a", 0, 0, to_a),
    ("entries", 0, 0, to_a),
    ("size", 0, 0, |vm, me, _| {
        let range = own(me);
        Ok(match (&range.first, &range.last) {
            (Value::Int(first), Value::Int(last)) => {
                let count = last.saturating_sub(*first).saturating_add(i64::from(!range.exclusive));
                Value::Int(count.max(0))
            }
            (Value::Int(_), Value::Nil) => Value::Float(f64::INFINITY),
            (Value::Int(_), Value::Float(last)) if last.is_infinite() => Value::Float(f64::INFINITY),
            (Value::Int(first), Value::Float(last)) => {
                let whole = last.floor();
                let count = whole as i64 - first + i64::from(!(range.exclusive && whole == *last));
                Value::Int(count.max(0))
            }
            (Value::Nil, _) | (Value::Float(_), _) => {
                let _ = vm;
                Value::Nil
            }
            _ => Value::Nil,
        })
    }),
    ("===", 1, 1, cover),
    ("cover?", 1, 1, cover),
    ("include?", 1, 1, include),
    ("member?", 1, 1, include),
    ("==", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
    ("to_s", 0, 0, |vm, me, _| vm.to_s(me).map(Value::string)),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("dup", 0, 0, |_, me, _| Ok(me.clone())),
];

fn include(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let range = own(me);
    if let (Value::Str(_), Value::Str(_), Value::Str(target)) = (&range.first, &range.last, a.at(0)) {
        let mut found = false;
        each(vm, me, |_, value| {
            found = matches!(&value, Value::Str(text) if *text.bytes() == *target.bytes());
            Ok(!found)
        })?;
        return Ok(found.into());
    }
    covers(vm, &range, &a.at(0)).map(Value::Bool)
}
