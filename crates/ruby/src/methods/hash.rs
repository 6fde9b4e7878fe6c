//! Native methods of hashes. The others are in the prelude. => The native methods of hashes. The prelude defines the
//! others.

use std::rc::Rc;

use super::{Natives, block_or_enumerator};
use crate::symbol::known;
use crate::value::{HKey, HashObject, Proc, Table, Value};
use crate::vm::{Args, Outcome, Vm};

fn own(me: &Value) -> Rc<HashObject> {
    match me {
        Value::Hash(hash) => hash.clone(),
        // Methods of hashes are called on hashes.
        _ => Rc::new(HashObject::new(Table::default())),
    }
}

fn changing(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<HashObject>> {
    let hash = own(me);
    vm.note_change(&hash.generation);
    if hash.frozen.get() { Err(vm.frozen_error(me)) } else { Ok(hash) }
}

fn new_hash(vm: &mut Vm<'_>, table: Table) -> Outcome {
    vm.build_table(table.len())?;
    vm.steps(table.len() / 4)?;
    Ok(Value::hash(table))
}

/// The key to look for, which is the object itself where identity counts.
fn key(vm: &mut Vm<'_>, hash: &HashObject, value: &Value) -> Outcome<HKey> {
    match (hash.by_identity.get(), value.address()) {
        (true, Some(address)) => {
            let address = Value::Int(address as i64);
            let hash = vm.hash_of(&address)?;
            Ok(HKey { hash, value: value.clone() })
        }
        _ => vm.key(value),
    }
}

pub(super) fn lookup(vm: &mut Vm<'_>, hash: &HashObject, target: &Value) -> Outcome<Option<Value>> {
    let key = key(vm, hash, target)?;
    Ok(hash.table.borrow().get(&key).cloned())
}

fn get(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let hash = own(me);
    let target = &a.list[0];
    if let Some(value) = lookup(vm, &hash, target)? {
        return Ok(value);
    }
    let default = hash.default_proc.borrow().clone();
    match default {
        Some(Value::Proc(proc)) => vm.yield_all(&proc, &[me.clone(), target.clone()]),
        _ => Ok(hash.default.borrow().clone()),
    }
}

fn set(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let hash = changing(vm, me)?;
    let mut found = key(vm, &hash, &a.list[0])?;
    let known = hash.table.borrow().contains_key(&found);
    if !known {
        if hash.iterating.get() > 0 {
            let class = vm.st.classes.runtime_error.clone();
            return Err(vm.error(&class, "can't add a new key into hash during iteration"));
        }
        if !hash.by_identity.get() {
            found = vm.key_to_keep(&a.list[0])?;
        }
        vm.build(if hash.len() == 0 { 184 } else { 56 })?;
    }
    let old = hash.table.borrow_mut().insert(found, a.at(1));
    drop(old);
    Ok(a.at(1))
}

/// Calls something for every pair, while no keys may be added.
fn each(
    vm: &mut Vm<'_>,
    hash: &Rc<HashObject>,
    mut visit: impl FnMut(&mut Vm<'_>, Value, Value) -> Outcome<bool>,
) -> Outcome<()> {
    hash.iterating.set(hash.iterating.get() + 1);
    let mut at = 0;
    let mut result = Ok(());
    while let Some((key, value)) = hash.at(at) {
        let size = hash.len();
        match visit(vm, key.clone(), value) {
            Ok(true) => {}
            Ok(false) => break,
            Err(flow) => {
                result = Err(flow);
                break;
            }
        }
        // If the block has removed a pair, the later ones move to the front.
        if hash.len() == size || hash.at(at).is_some_and(|(now, _)| now.same(&key)) {
            at += 1;
        }
    }
    hash.iterating.set(hash.iterating.get() - 1);
    result
}

fn each_pair(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let block = block_or_enumerator!(vm, me, a, "each");
    each(vm, &own(me), |vm, key, value| vm.yield_pair(&block, key, value).map(|_| true))?;
    Ok(me.clone())
}

fn filtered(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>, keeps: bool) -> Outcome<Table> {
    let mut table = Table::default();
    each(vm, &own(me), |vm, key, value| {
        if vm.yield_all(block, &[key.clone(), value.clone()])?.truthy() == keeps {
            let key = vm.key(&key)?;
            table.insert(key, value);
        }
        Ok(true)
    })?;
    Ok(table)
}

fn filter_in_place(vm: &mut Vm<'_>, me: &Value, block: &Rc<Proc>, keeps: bool) -> Outcome<bool> {
    let hash = changing(vm, me)?;
    let table = filtered(vm, me, block, keeps)?;
    let changed = table.len() != hash.len();
    *hash.table.borrow_mut() = table;
    Ok(changed)
}

fn merge_into(vm: &mut Vm<'_>, table: &mut Table, others: &[Value], block: Option<&Rc<Proc>>) -> Outcome<()> {
    for other in others {
        let other = vm.to_table(other)?;
        vm.steps(other.len())?;
        vm.build(other.len() * 56)?;
        for (key, value) in other {
            let value = match (block, table.get(&key)) {
                (Some(block), Some(old)) => {
                    let arguments = [key.value.clone(), old.clone(), value];
                    vm.yield_all(block, &arguments)?
                }
                _ => value,
            };
            table.insert(key, value);
        }
    }
    Ok(())
}

/// A copy that keeps the default.
fn like(me: &Value, table: Table) -> Value {
    let old = own(me);
    let new = HashObject::new(table);
    *new.default.borrow_mut() = old.default.borrow().clone();
    *new.default_proc.borrow_mut() = old.default_proc.borrow().clone();
    Value::Hash(Rc::new(new))
}

fn has_key(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let hash = own(me);
    let key = key(vm, &hash, &a.list[0])?;
    Ok(hash.table.borrow().contains_key(&key).into())
}

fn has_value(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let values: Vec<Value> = own(me).table.borrow().values().cloned().collect();
    vm.steps(values.len() / 8)?;
    for one in values {
        if vm.equal(&one, &a.list[0])? {
            return Ok(true.into());
        }
    }
    Ok(false.into())
}

fn merge(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let mut table = own(me).table.borrow().clone();
    merge_into(vm, &mut table, &a.list, a.block.as_ref())?;
    vm.build_table(table.len())?;
    Ok(like(me, table))
}

fn update(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let hash = changing(vm, me)?;
    let mut table = hash.table.borrow().clone();
    merge_into(vm, &mut table, &a.list, a.block.as_ref())?;
    *hash.table.borrow_mut() = table;
    Ok(me.clone())
}

/// Creates the error for a missing key.
pub(super) fn missing_key(vm: &mut Vm<'_>, me: &Value, key: &Value) -> Box<crate::vm::Flow> {
    let shown = match vm.inspect(key) {
        Ok(shown) => shown,
        Err(flow) => return flow,
    };
    let class = vm.st.classes.key_error.clone();
    let exception = vm.exception(&class, Value::string(format!("key not found: {shown}")));
    vm.set_error_field(&exception, "@key", key.clone());
    vm.set_error_field(&exception, "@receiver", me.clone());
    vm.raise_value(exception)
}

pub(super) const METHODS: Natives = &[
    ("self.new", 0, 2, |vm, _, a| {
        vm.build(120)?;
        let hash = HashObject::new(Table::default());
        *hash.default.borrow_mut() = if a.keywords { Value::Nil } else { a.at(0) };
        *hash.default_proc.borrow_mut() = a.block.clone().map(Value::Proc);
        Ok(Value::Hash(Rc::new(hash)))
    }),
    ("self.[]", 0, -1, |vm, _, a| match &a.list[..] {
        [Value::Hash(hash)] => new_hash(vm, hash.table.borrow().clone()),
        [Value::Array(list)] => {
            let pairs = Value::Array(list.clone());
            vm.call(&pairs, known::TO_H, Args::none())
        }
        list if list.len() % 2 == 0 => {
            let mut table = Table::default();
            for pair in list.chunks(2) {
                let key = vm.key_to_keep(&pair[0])?;
                table.insert(key, pair[1].clone());
            }
            new_hash(vm, table)
        }
        _ => Err(vm.argument_error("odd number of arguments for Hash")),
    }),
    ("[]", 1, 1, get),
    ("[]=", 2, 2, set),
    ("store", 2, 2, set),
    ("fetch", 1, 2, |vm, me, a| {
        if let Some(value) = lookup(vm, &own(me), &a.list[0])? {
            return Ok(value);
        }
        match (&a.block, a.get(1)) {
            (Some(block), _) => vm.yield1(block, a.at(0)),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Err(missing_key(vm, me, &a.at(0))),
        }
    }),
    ("key?", 1, 1, has_key),
    ("has_key?", 1, 1, has_key),
    ("include?", 1, 1, has_key),
    ("member?", 1, 1, has_key),
    ("value?", 1, 1, has_value),
    ("has_value?", 1, 1, has_value),
    ("key", 1, 1, |vm, me, a| {
        let table = own(me).table.borrow().clone();
        vm.steps(table.len() / 8)?;
        for (key, value) in table {
            if vm.equal(&value, &a.list[0])? {
                return Ok(key.value);
            }
        }
        Ok(Value::Nil)
    }),
    ("length", 0, 0, |_, me, _| Ok(Value::count(own(me).len()))),
    ("size", 0, 0, |_, me, _| Ok(Value::count(own(me).len()))),
    ("empty?", 0, 0, |_, me, _| Ok((own(me).len() == 0).into())),
    ("keys", 0, 0, |vm, me, _| {
        let keys: Vec<Value> = own(me).table.borrow().keys().map(|key| key.value.clone()).collect();
        vm.build(keys.len() * 16)?;
        Ok(Value::array(keys))
    }),
    ("values", 0, 0, |vm, me, _| {
        let values: Vec<Value> = own(me).table.borrow().values().cloned().collect();
        vm.build(values.len() * 16)?;
        Ok(Value::array(values))
    }),
    ("to_a", 0, 0, |vm, me, _| {
        let pairs: Vec<Value> =
            own(me).table.borrow().iter().map(|(key, value)| Value::pair(key.value.clone(), value.clone())).collect();
        vm.build(pairs.len() * 90)?;
        vm.steps(pairs.len())?;
        Ok(Value::array(pairs))
    }),
    ("to_h", 0, 0, |vm, me, a| match &a.block {
        None => Ok(me.clone()),
        Some(block) => {
            let mut pairs = Vec::new();
            each(vm, &own(me), |vm, key, value| {
                pairs.push(vm.yield_all(block, &[key, value])?);
                Ok(true)
            })?;
            let pairs = Value::array(pairs);
            vm.call(&pairs, known::TO_H, Args::none())
        }
    }),
    ("to_hash", 0, 0, |_, me, _| Ok(me.clone())),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("to_s", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("==", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
    ("each", 0, 0, each_pair),
    ("each_pair", 0, 0, each_pair),
    ("each_key", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each_key");
        each(vm, &own(me), |vm, key, _| vm.yield1(&block, key).map(|_| true))?;
        Ok(me.clone())
    }),
    ("each_value", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "each_value");
        each(vm, &own(me), |vm, _, value| vm.yield1(&block, value).map(|_| true))?;
        Ok(me.clone())
    }),
    ("map", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "map");
        let mut out = Vec::new();
        each(vm, &own(me), |vm, key, value| {
            out.push(vm.yield_pair(&block, key, value)?);
            Ok(true)
        })?;
        vm.build(out.len() * 16)?;
        Ok(Value::array(out))
    }),
    ("select", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "select");
        filtered(vm, me, &block, true).and_then(|table| new_hash(vm, table))
    }),
    ("filter", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "filter");
        filtered(vm, me, &block, true).and_then(|table| new_hash(vm, table))
    }),
    ("reject", 0, 0, |vm, me, a| {
        let block = block_or_enumerator!(vm, me, a, "reject");
        filtered(vm, me, &block, false).and_then(|table| new_hash(vm, table))
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
    ("delete", 1, 1, |vm, me, a| {
        let hash = changing(vm, me)?;
        let key = key(vm, &hash, &a.list[0])?;
        vm.steps(hash.len() / 256)?;
        let after = hash.table.borrow().get_index_of(&key).map_or(0, |at| hash.len() - at);
        vm.steps(after / 16)?;
        let old = hash.table.borrow_mut().shift_remove(&key);
        match (old, &a.block) {
            (Some(old), _) => Ok(old),
            (None, Some(block)) => vm.yield1(block, a.at(0)),
            (None, None) => Ok(Value::Nil),
        }
    }),
    ("shift", 0, 0, |vm, me, _| {
        let hash = changing(vm, me)?;
        vm.steps(hash.len() / 256)?;
        vm.steps(hash.len() / 16)?;
        let first = hash.table.borrow_mut().shift_remove_index(0);
        match first {
            Some((key, value)) => Ok(Value::pair(key.value, value)),
            None => Ok(hash.default.borrow().clone()),
        }
    }),
    ("clear", 0, 0, |vm, me, _| {
        let old = std::mem::take(&mut *changing(vm, me)?.table.borrow_mut());
        drop(old);
        Ok(me.clone())
    }),
    ("replace", 1, 1, |vm, me, a| {
        let hash = changing(vm, me)?;
        let table = vm.to_table(&a.at(0))?;
        vm.build(table.len() * 56)?;
        *hash.table.borrow_mut() = table;
        Ok(me.clone())
    }),
    ("merge", 0, -1, merge),
    ("merge!", 0, -1, update),
    ("update", 0, -1, update),
    ("default", 0, 1, |_, me, _| Ok(own(me).default.borrow().clone())),
    ("default=", 1, 1, |vm, me, a| {
        let hash = changing(vm, me)?;
        *hash.default.borrow_mut() = a.at(0);
        *hash.default_proc.borrow_mut() = None;
        Ok(a.at(0))
    }),
    ("default_proc", 0, 0, |_, me, _| Ok(own(me).default_proc.borrow().clone().into())),
    ("default_proc=", 1, 1, |vm, me, a| {
        *changing(vm, me)?.default_proc.borrow_mut() = Some(a.at(0)).filter(Value::truthy);
        Ok(a.at(0))
    }),
    ("compare_by_identity", 0, 0, |vm, me, _| {
        changing(vm, me)?.by_identity.set(true);
        Ok(me.clone())
    }),
    ("rehash", 0, 0, |vm, me, _| {
        let hash = changing(vm, me)?;
        let pairs = hash.table.borrow().clone();
        let mut table = Table::default();
        for (key, value) in pairs {
            let key = vm.key(&key.value)?;
            table.insert(key, value);
        }
        *hash.table.borrow_mut() = table;
        Ok(me.clone())
    }),
];
