//! Native methods of arrays. The others are in the prelude. => The native methods of arrays. The prelude defines the
//! others.

mod nested;
mod sorting;

use std::ops::Range;
use std::rc::Rc;

use hieratic_value::collections::HashSet;

use super::{Natives, block_or_enumerator};
use crate::symbol::known;
use crate::value::{Array, Proc, Str, Table, Text, Value};
use crate::vm::{Args, Outcome, Vm, collection_marks};
use nested::{flattened, join};
use sorting::{sort, sorted_by};

fn own(me: &Value) -> Rc<Array> {
    match me {
        Value::Array(array) => array.clone(),
        // Methods of arrays are called on arrays.
        _ => Rc::new(Array::default()),
    }
}

fn list(me: &Value) -> Vec<Value> {
    own(me).list.borrow().clone()
}

fn changing(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<Array>> {
    let array = own(me);
    vm.note_change(&array.generation);
    if array.frozen.get() { Err(vm.frozen_error(me)) } else { Ok(array) }
}

/// A new array, whose elements are charged.
fn new_array(vm: &mut Vm<'_>, list: Vec<Value>) -> Outcome {
    vm.build(list.len() * 16 + 40)?;
    vm.steps(list.len() / 8)?;
    Ok(Value::array(list))
}

/// Returns the element at an index, so that a loop does not hold a borrow while its block runs.
fn element(array: &Array, at: usize) -> Option<Value> {
    array.list.borrow().get(at).cloned()
}

/// Returns the elements that `[start, count]` or `[range]` selects from a list of this length.
pub(super) fn span(vm: &mut Vm<'_>, a: &Args, length: usize) -> Outcome<Option<Range<usize>>> {
    let length = length as i64;
    let (start, count) = match (&a.list[0], a.get(1)) {
        (Value::Range(range), None) => {
            let start = if range.first.is_nil() { 0 } else { vm.to_int(&range.first)? };
            let end = if range.last.is_nil() { -1 } else { vm.to_int(&range.last)? };
            let start = if start < 0 { start + length } else { start };
            let end = if end < 0 { end + length } else { end };
            let end = if range.exclusive && !range.last.is_nil() { end } else { end.saturating_add(1) };
            (start, (end - start).max(0))
        }
        (start, count) => {
            let start = vm.to_int(start)?;
            let count = count.map_or(Ok(1), |count| vm.to_int(count))?;
            if count < 0 {
                return Ok(None);
            }
            (if start < 0 { start + length } else { start }, count)
        }
    };
    if start < 0 || start > length {
        return Ok(None);
    }
    let end = start.saturating_add(count).min(length);
    Ok(Some(start as usize..end as usize))
}

fn get(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let array = own(me);
    let length = array.list.borrow().len();
    if a.len() == 1 && !matches!(a.list[0], Value::Range(_)) {
        let at = vm.to_int(&a.list[0])?;
        let at = if at < 0 { at + length as i64 } else { at };
        return Ok(usize::try_from(at).ok().and_then(|at| element(&array, at)).into());
    }
    match span(vm, a, length)? {
        Some(range) => {
            let part = array.list.borrow()[range].to_vec();
            new_array(vm, part)
        }
        None => Ok(Value::Nil),
    }
}

fn set(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let array = changing(vm, me)?;
    let value = a.at(a.len() - 1);
    let length = array.list.borrow().len() as i64;
    if a.len() == 2 && !matches!(a.list[0], Value::Range(_)) {
        let given = vm.to_int(&a.list[0])?;
        let at = if given < 0 { given + length } else { given };
        if at < 0 {
            return Err(vm.index_error(format!("index {given} too small for array; minimum: -{length}")));
        }
        if at >= length {
            vm.build((at - length) as usize * 16 + 16)?;
            if at - length > 1 << 28 {
                return Err(vm.index_error(format!("index {at} too big")));
            }
            array.list.borrow_mut().resize(at as usize + 1, Value::Nil);
        }
        array.list.borrow_mut()[at as usize] = value.clone();
        return Ok(value);
    }
    let mut args = a.clone();
    args.list.pop();
    if let (Some(count), 2) = (args.get(1), args.len()) {
        let count = vm.to_int(count)?;
        if count < 0 {
            return Err(vm.index_error(format!("negative length ({count})")));
        }
    }
    // A start beyond the end can be assigned to.
    let start = match &args.list[0] {
        Value::Range(range) if range.first.is_nil() => 0,
        Value::Range(range) => vm.to_int(&range.first)?,
        start => vm.to_int(start)?,
    };
    if start > length {
        vm.build((start - length) as usize * 16)?;
        if start - length > 1 << 28 {
            return Err(vm.index_error(format!("index {start} too big")));
        }
        array.list.borrow_mut().resize(start as usize, Value::Nil);
    }
    let length = array.list.borrow().len();
    let Some(range) = span(vm, &args, length)? else {
        return Err(vm.index_error(format!("index {start} too small for array; minimum: -{length}")));
    };
    let values = match &value {
        Value::Array(values) => values.list.borrow().clone(),
        other => vec![other.clone()],
    };
    vm.build(values.len() * 16)?;
    vm.steps(length / 16)?;
    let old: Vec<Value> = array.list.borrow_mut().splice(range, values).collect();
    drop(old);
    Ok(value)
}

/// Returns the elements for which a block returns the wanted truth.
fn filtered(vm: &mut Vm<'_>, array: &Rc<Array>, block: &Rc<Proc>, keeps: bool) -> Outcome<Vec<Value>> {
    let mut kept = Vec::new();
    let mut at = 0;
    while let Some(one) = element(array, at) {
        if vm.yield1(block, one.clone())?.truthy() == keeps {
            kept.push(one);
        }
        at += 1;
    }
    Ok(kept)
}

fn filter_in_place(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>, keeps: bool) -> Outcome<bool> {
    let array = changing(vm, me)?;
    let kept = filtered(vm, &array, block, keeps)?;
    let changed = kept.len() != array.list.borrow().len();
    *array.list.borrow_mut() = kept;
    Ok(changed)
}

fn table_of(vm: &mut Vm<'_>, list: &[Value]) -> Outcome<Table> {
    let mut table = Table::default();
    for one in list {
        let key = vm.key(one)?;
        table.insert(key, Value::Nil);
    }
    vm.steps(list.len())?;
    vm.build(list.len() * 40)?;
    Ok(table)
}

fn unique(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome<Vec<Value>> {
    let mut seen = Table::default();
    let mut kept = Vec::new();
    for one in list(me) {
        let by = match &a.block {
            Some(block) => vm.yield1(block, one.clone())?,
            None => one.clone(),
        };
        let key = vm.key(&by)?;
        vm.build(56)?;
        if seen.insert(key, Value::Nil).is_none() {
            kept.push(one);
        }
    }
    vm.steps(kept.len())?;
    Ok(kept)
}

fn position(vm: &mut Vm<'_>, me: &Value, a: &Args, backwards: bool) -> Outcome {
    let array = own(me);
    let count = array.list.borrow().len();
    vm.steps(count / 4)?;
    for step in 0..count {
        let at = if backwards { count - 1 - step } else { step };
        let Some(one) = element(&array, at) else { continue };
        let found = match (a.get(0), &a.block) {
            (Some(target), _) => vm.equal(&one, target)?,
            (None, Some(block)) => vm.yield1(block, one)?.truthy(),
            (None, None) => return vm.enumerator(me, if backwards { "rindex" } else { "index" }, a),
        };
        if found {
            return Ok(Value::count(at));
        }
    }
    Ok(Value::Nil)
}

fn counted(vm: &mut Vm<'_>, a: &Args) -> Outcome<Option<usize>> {
    match a.get(0) {
        Some(count) => vm.to_count(count, "negative array size").map(Some),
        None => Ok(None),
    }
}

pub(super) const METHODS: Natives = &[
    ("self.new", 0, 2, |vm, _, a| {
        if let Some(Value::Array(array)) = a.get(0) {
            return new_array(vm, array.list.borrow().clone());
        }
        let count = match a.get(0) {
            Some(count) => vm.to_count(count, "negative array size")?,
            None => 0,
        };
        vm.build(count.saturating_mul(16))?;
        if count > 1 << 30 {
            return Err(vm.argument_error("array size too big"));
        }
        match &a.block {
            Some(block) => {
                let mut list = Vec::new();
                for at in 0..count {
                    list.push(vm.yield1(block, Value::count(at))?);
                }
                new_array(vm, list)
            }
            None => new_array(vm, vec![a.at(1); count]),
        }
    }),
    ("self.[]", 0, -1, |vm, _, a| new_array(vm, a.list.to_vec())),
    ("to_a", 0, 0, |_, me, _| Ok(me.clone())),
    ("entries", 0, 0, |_, me, _| Ok(me.clone())),
    ("to_ary", 0, 0, |_, me, _| Ok(me.clone())),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("to_s", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("[]", 1, 2, get),
    ("slice", 1, 2, get),
    ("[]=", 2, 3, set),
    ("at", 1, 1, get),
    ("length", 0, 0, |_, me, _| Ok(Value::count(own(me).list.borrow().len()))),
    ("size", 0, 0, |_, me, _| Ok(Value::count(own(me).list.borrow().len()))),
    ("empty?", 0, 0, |_, me, _| Ok(own(me).list.borrow().is_empty().into())),
    ("first", 0, 1, |vm, me, a| match counted(vm, a)? {
        None => Ok(element(&own(me), 0).into()),
        Some(count) => {
            let part = own(me).list.borrow().iter().take(count).cloned().collect();
            new_array(vm, part)
        }
    }),
    ("last", 0, 1, |vm, me, a| match counted(vm, a)? {
        None => Ok(own(me).list.borrow().last().cloned().into()),
        Some(count) => {
            let array = own(me);
            let length = array.list.borrow().len();
            let part = array.list.borrow()[length - count.min(length)..].to_vec();
            new_array(vm, part)
        }
    }),
    ("push", 0, -1, push),
    ("append", 0, -1, push),
    ("<<", 1, 1, push),
    ("pop", 0, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        match counted(vm, a)? {
            None => Ok(array.list.borrow_mut().pop().into()),
            Some(count) => {
                let length = array.list.borrow().len();
                let part = array.list.borrow_mut().split_off(length - count.min(length));
                new_array(vm, part)
            }
        }
    }),
    ("shift", 0, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        let length = array.list.borrow().len();
        vm.steps(length / 256)?;
        match counted(vm, a)? {
            None if length == 0 => Ok(Value::Nil),
            None => Ok(array.list.borrow_mut().remove(0)),
            Some(count) => {
                let part = array.list.borrow_mut().drain(..count.min(length)).collect();
                new_array(vm, part)
            }
        }
    }),
    ("unshift", 0, -1, unshift),
    ("prepend", 0, -1, unshift),
    ("insert", 1, -1, |vm, me, a| {
        let array = changing(vm, me)?;
        if a.len() == 1 {
            return Ok(me.clone());
        }
        let length = array.list.borrow().len() as i64;
        let given = vm.to_int(&a.at(0))?;
        let at = if given < 0 { given + length + 1 } else { given };
        if at < 0 {
            return Err(vm.index_error(format!("index {given} too small for array; minimum: -{}", length + 1)));
        }
        if at > length {
            vm.build((at - length) as usize * 16)?;
            if at - length > 1 << 28 {
                return Err(vm.index_error(format!("index {at} too big")));
            }
            array.list.borrow_mut().resize(at as usize, Value::Nil);
        }
        vm.steps(length as usize / 256)?;
        vm.build(a.len() * 16)?;
        array.list.borrow_mut().splice(at as usize..at as usize, a.list[1..].iter().cloned());
        Ok(me.clone())
    }),
    ("concat", 0, -1, |vm, me, a| {
        let array = changing(vm, me)?;
        for one in &a.list {
            let added = vm.to_list(one)?;
            vm.build(added.len() * 16)?;
            vm.steps(added.len() / 8)?;
            array.list.borrow_mut().extend(added);
        }
        Ok(me.clone())
    }),
    ("+", 1, 1, |vm, me, a| {
        let mut all = list(me);
        all.extend(vm.to_list(&a.at(0))?);
        new_array(vm, all)
    }),
    ("-", 1, 1, |vm, me, a| {
        let other = vm.to_list(&a.at(0))?;
        let other = table_of(vm, &other)?;
        let (all, mut kept) = (list(me), Vec::new());
        vm.steps(all.len() / 4)?;
        for one in all {
            let key = vm.key(&one)?;
            if !other.contains_key(&key) {
                kept.push(one);
            }
        }
        new_array(vm, kept)
    }),
    ("*", 1, 1, |vm, me, a| {
        if let Value::Str(separator) = a.at(0) {
            return vm.call(me, known::JOIN, Args::one(Value::Str(separator)));
        }
        let count = vm.to_count(&a.at(0), "argument must be non-negative")?;
        let all = list(me);
        vm.build(all.len().saturating_mul(count).saturating_mul(16))?;
        let mut out = Vec::with_capacity(all.len() * count);
        for _ in 0..count {
            out.extend(all.iter().cloned());
        }
        new_array(vm, out)
    }),
    ("&", 1, 1, |vm, me, a| {
        let other = vm.to_list(&a.at(0))?;
        let mut other = table_of(vm, &other)?;
        let mut kept = Vec::new();
        let all = list(me);
        vm.steps(all.len() / 4)?;
        for one in all {
            let key = vm.key(&one)?;
            if other.swap_remove(&key).is_some() {
                kept.push(one);
            }
        }
        new_array(vm, kept)
    }),
    ("|", 1, 1, |vm, me, a| {
        let mut all = list(me);
        all.extend(vm.to_list(&a.at(0))?);
        let all = Value::array(all);
        let kept = unique(vm, &all, &Args::none())?;
        new_array(vm, kept)
    }),
    ("==", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
    ("<=>", 1, 1, |vm, me, a| Ok(vm.compare(me, &a.at(0))?.map(|order| Value::Int(order as i64)).into())),
    ("each", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each");
        let array = own(me);
        let mut at = 0;
        while let Some(one) = element(&array, at) {
            vm.yield1(&block, one)?;
            at += 1;
        }
        Ok(me.clone())
    }),
    ("each_index", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each_index");
        let array = own(me);
        let mut at = 0;
        while at < array.list.borrow().len() {
            vm.yield1(&block, Value::count(at))?;
            at += 1;
        }
        Ok(me.clone())
    }),
    ("each_with_index", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each_with_index");
        let array = own(me);
        let mut at = 0;
        while let Some(one) = element(&array, at) {
            vm.yield_all(&block, &[one, Value::count(at)])?;
            at += 1;
        }
        Ok(me.clone())
    }),
    ("reverse_each", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "reverse_each");
        let array = own(me);
        let mut at = array.list.borrow().len();
        while at > 0 {
            at -= 1;
            if let Some(one) = element(&array, at) {
                vm.yield1(&block, one)?;
            }
        }
        Ok(me.clone())
    }),
    ("map", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "map");
        mapped(vm, me, &block).and_then(|list| new_array(vm, list))
    }),
    ("collect", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "collect");
        mapped(vm, me, &block).and_then(|list| new_array(vm, list))
    }),
    ("map!", 0, 0, map_in_place),
    ("collect!", 0, 0, map_in_place),
    ("select", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "select");
        filtered(vm, &own(me), &block, true).and_then(|list| new_array(vm, list))
    }),
    ("filter", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "filter");
        filtered(vm, &own(me), &block, true).and_then(|list| new_array(vm, list))
    }),
    ("reject", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "reject");
        filtered(vm, &own(me), &block, false).and_then(|list| new_array(vm, list))
    }),
    ("select!", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "select!");
        Ok(if filter_in_place(vm, me, &block, true)? { me.clone() } else { Value::Nil })
    }),
    ("filter!", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "filter!");
        Ok(if filter_in_place(vm, me, &block, true)? { me.clone() } else { Value::Nil })
    }),
    ("keep_if", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "keep_if");
        filter_in_place(vm, me, &block, true).map(|_| me.clone())
    }),
    ("reject!", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "reject!");
        Ok(if filter_in_place(vm, me, &block, false)? { me.clone() } else { Value::Nil })
    }),
    ("delete_if", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "delete_if");
        filter_in_place(vm, me, &block, false).map(|_| me.clone())
    }),
    ("include?", 1, 1, includes),
    ("member?", 1, 1, includes),
    ("index", 0, 1, |vm, me, a| position(vm, me, a, false)),
    ("find_index", 0, 1, |vm, me, a| position(vm, me, a, false)),
    ("rindex", 0, 1, |vm, me, a| position(vm, me, a, true)),
    ("delete", 1, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        let mut kept = Vec::new();
        let mut found = None;
        for one in list(me) {
            if vm.equal(&one, &a.at(0))? {
                found = Some(one);
            } else {
                kept.push(one);
            }
        }
        vm.steps(kept.len())?;
        *array.list.borrow_mut() = kept;
        match (found, &a.block) {
            (Some(found), _) => Ok(found),
            (None, Some(block)) => vm.yield1(block, a.at(0)),
            (None, None) => Ok(Value::Nil),
        }
    }),
    ("delete_at", 1, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        let length = array.list.borrow().len();
        let at = vm.to_int(&a.at(0))?;
        let at = if at < 0 { at + length as i64 } else { at };
        vm.steps(length / 256)?;
        match usize::try_from(at) {
            Ok(at) if at < length => Ok(array.list.borrow_mut().remove(at)),
            _ => Ok(Value::Nil),
        }
    }),
    ("slice!", 1, 2, |vm, me, a| {
        let array = changing(vm, me)?;
        if a.len() == 1 && !matches!(a.list[0], Value::Range(_)) {
            return vm.send(me, "delete_at", &a.list.clone());
        }
        let length = array.list.borrow().len();
        match span(vm, a, length)? {
            Some(range) => {
                let part = array.list.borrow_mut().drain(range).collect();
                new_array(vm, part)
            }
            None => Ok(Value::Nil),
        }
    }),
    ("clear", 0, 0, |vm, me, _| {
        let old = std::mem::take(&mut *changing(vm, me)?.list.borrow_mut());
        drop(old);
        Ok(me.clone())
    }),
    ("replace", 1, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        let new = vm.to_list(&a.at(0))?;
        vm.build(new.len() * 16)?;
        *array.list.borrow_mut() = new;
        Ok(me.clone())
    }),
    ("fill", 0, 3, |vm, me, a| {
        let array = changing(vm, me)?;
        let length = array.list.borrow().len();
        let (value, rest) = match &a.block {
            Some(_) => (Value::Nil, &a.list[..]),
            None => (a.at(0), a.list.get(1..).unwrap_or_default()),
        };
        let range = match rest {
            [] | [Value::Nil] => 0..length,
            [start] if !matches!(start, Value::Range(_)) => {
                let start = vm.to_int(start)?;
                let start = if start < 0 { (start + length as i64).max(0) } else { start } as usize;
                start.min(length)..length
            }
            // Positions beyond the end are filled as well.
            [Value::Range(range)] if !range.last.is_nil() => {
                let place = |at: i64| if at < 0 { at.saturating_add(length as i64) } else { at };
                let start = if range.first.is_nil() { 0 } else { place(vm.to_int(&range.first)?) };
                let end = place(vm.to_int(&range.last)?).saturating_add(i64::from(!range.exclusive));
                let Ok(start) = usize::try_from(start) else {
                    let shown = vm.inspect(&rest[0])?;
                    return Err(vm.range_error(format!("{shown} out of range")));
                };
                start..usize::try_from(end).unwrap_or(0).max(start)
            }
            [start, count] => {
                let start = vm.to_int(start)?;
                let start = if start < 0 { (start + length as i64).max(0) } else { start } as usize;
                let count = vm.to_int(count)?.max(0) as usize;
                start..start.saturating_add(count)
            }
            _ => span(vm, &Args::from_slice(rest), length)?.unwrap_or(0..0),
        };
        vm.build(range.len().saturating_mul(16))?;
        if range.end > 1 << 28 {
            return Err(vm.argument_error("argument too big"));
        }
        if range.end > length && !range.is_empty() {
            array.list.borrow_mut().resize(range.end, Value::Nil);
        }
        for at in range {
            let value = match &a.block {
                Some(block) => vm.yield1(block, Value::count(at))?,
                None => value.clone(),
            };
            if let Some(place) = array.list.borrow_mut().get_mut(at) {
                *place = value;
            }
        }
        Ok(me.clone())
    }),
    ("join", 0, 1, |vm, me, a| {
        let separator = match a.get(0) {
            None | Some(Value::Nil) => Rc::new(Str::new(Text::Owned(String::new()))),
            Some(separator) => vm.to_string_object(separator)?,
        };
        let out = Str::new(Text::Owned(String::new()));
        let mut inside = HashSet::from_iter([me.address().unwrap_or(0)]);
        join(vm, (&list(me), collection_marks(me)), &separator, &out, &mut true, &mut inside)?;
        Ok(Value::Str(Rc::new(out)))
    }),
    ("reverse", 0, 0, |vm, me, _| {
        let mut all = list(me);
        all.reverse();
        new_array(vm, all)
    }),
    ("reverse!", 0, 0, |vm, me, _| {
        let array = changing(vm, me)?;
        let length = array.list.borrow().len();
        vm.steps(length / 64)?;
        array.list.borrow_mut().reverse();
        Ok(me.clone())
    }),
    ("rotate", 0, 1, |vm, me, a| {
        let by = a.get(0).map_or(Ok(1), |by| vm.to_int(by))?;
        let mut all = list(me);
        if !all.is_empty() {
            let by = by.rem_euclid(all.len() as i64) as usize;
            all.rotate_left(by);
        }
        new_array(vm, all)
    }),
    ("sort", 0, 0, |vm, me, a| sort(vm, me, a).and_then(|list| new_array(vm, list))),
    ("sort!", 0, 0, |vm, me, a| {
        let array = changing(vm, me)?;
        let sorted = sort(vm, me, a)?;
        *array.list.borrow_mut() = sorted;
        Ok(me.clone())
    }),
    ("sort_by", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "sort_by");
        sorted_by(vm, me, &block).and_then(|list| new_array(vm, list))
    }),
    ("sort_by!", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "sort_by!");
        let array = changing(vm, me)?;
        let sorted = sorted_by(vm, me, &block)?;
        *array.list.borrow_mut() = sorted;
        Ok(me.clone())
    }),
    ("uniq", 0, 0, |vm, me, a| unique(vm, me, a).and_then(|list| new_array(vm, list))),
    ("uniq!", 0, 0, |vm, me, a| {
        let array = changing(vm, me)?;
        let kept = unique(vm, me, a)?;
        if kept.len() == array.list.borrow().len() {
            return Ok(Value::Nil);
        }
        *array.list.borrow_mut() = kept;
        Ok(me.clone())
    }),
    ("compact", 0, 0, |vm, me, _| {
        let all = list(me);
        vm.steps(all.len() / 64)?;
        new_array(vm, all.into_iter().filter(|one| !one.is_nil()).collect())
    }),
    ("compact!", 0, 0, |vm, me, _| {
        let array = changing(vm, me)?;
        let before = array.list.borrow().len();
        vm.steps(before / 64)?;
        array.list.borrow_mut().retain(|one| !one.is_nil());
        Ok(if array.list.borrow().len() == before { Value::Nil } else { me.clone() })
    }),
    ("flatten", 0, 1, |vm, me, a| flattened(vm, me, a).and_then(|(list, _)| new_array(vm, list))),
    ("flatten!", 0, 1, |vm, me, a| {
        let array = changing(vm, me)?;
        let (list, changed) = flattened(vm, me, a)?;
        *array.list.borrow_mut() = list;
        Ok(if changed { me.clone() } else { Value::Nil })
    }),
    ("to_h", 0, 0, |vm, me, a| {
        let mut table = Table::default();
        for (at, one) in list(me).into_iter().enumerate() {
            let pair = match &a.block {
                Some(block) => vm.yield1(block, one.clone())?,
                None => one.clone(),
            };
            let Some(pair_list) = vm.try_array(&pair)? else {
                let class = vm.class_name(&pair);
                let place = format!(" at {at}");
                return Err(vm.type_error(format!("wrong element type {class}{place} (expected array)")));
            };
            let [key, value] = &pair_list[..] else {
                let message = format!("wrong array length at {at} (expected 2, was {})", pair_list.len());
                return Err(vm.argument_error(message));
            };
            let key = vm.key_to_keep(key)?;
            vm.build(56)?;
            table.insert(key, value.clone());
        }
        Ok(Value::hash(table))
    }),
];

fn mapped(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>) -> Outcome<Vec<Value>> {
    let array = own(me);
    let mut out = Vec::with_capacity(array.list.borrow().len());
    let mut at = 0;
    while let Some(one) = element(&array, at) {
        out.push(vm.yield1(block, one)?);
        at += 1;
    }
    Ok(out)
}

fn map_in_place(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let block = block_or_enumerator!(vm, me, a, "map!");
    let array = changing(vm, me)?;
    let new = mapped(vm, me, &block)?;
    *array.list.borrow_mut() = new;
    Ok(me.clone())
}

fn push(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let array = changing(vm, me)?;
    vm.build(a.len() * 16)?;
    array.list.borrow_mut().extend(a.list.iter().cloned());
    Ok(me.clone())
}

fn unshift(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let array = changing(vm, me)?;
    vm.build(a.len() * 16)?;
    let length = array.list.borrow().len();
    vm.steps(length / 256)?;
    array.list.borrow_mut().splice(0..0, a.list.iter().cloned());
    Ok(me.clone())
}

fn includes(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let target = a.at(0);
    let array = own(me);
    vm.steps(array.list.borrow().len() / 8)?;
    let mut at = 0;
    while let Some(one) = element(&array, at) {
        if vm.equal(&one, &target)? {
            return Ok(true.into());
        }
        at += 1;
    }
    Ok(false.into())
}
