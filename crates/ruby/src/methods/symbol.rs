//! Symbols.

use std::rc::Rc;
use std::sync::Arc;

use super::Natives;
use crate::value::{Generation, Proc, ProcKind, Value};
use crate::vm::{Args, Outcome, Vm};

fn text(vm: &mut Vm<'_>, me: &Value) -> Arc<str> {
    match me {
        Value::Sym(name) => vm.name(*name),
        _ => "".into(),
    }
}

/// Calls the method of the name's string and returns the result as a symbol.
fn like_string(vm: &mut Vm<'_>, me: &Value, method: &str, a: &Args) -> Outcome {
    let own = Value::str(&text(vm, me));
    let name = vm.sym(method);
    let result = vm.call(&own, name, a.clone())?;
    match &result {
        Value::Str(text) => {
            let text = text.to_arc();
            Ok(vm.symbol(&text))
        }
        _ => Ok(result),
    }
}

/// Calls the method of the name's string.
fn as_string(vm: &mut Vm<'_>, me: &Value, method: &str, a: &Args) -> Outcome {
    let own = Value::str(&text(vm, me));
    let name = vm.sym(method);
    vm.call(&own, name, a.clone())
}

pub(super) const METHODS: Natives = &[
    ("to_s", 0, 0, |vm, me, _| Ok(Value::str(&text(vm, me)))),
    ("name", 0, 0, |vm, me, _| Ok(Value::str(&text(vm, me)))),
    ("id2name", 0, 0, |vm, me, _| Ok(Value::str(&text(vm, me)))),
    ("to_sym", 0, 0, |_, me, _| Ok(me.clone())),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("to_proc", 0, 0, |vm, me, _| {
        let kind = ProcKind::Symbol(vm.to_name(me)?);
        Ok(Value::Proc(Rc::new(Proc { kind, lambda: true, generation: Generation::current() })))
    }),
    ("<=>", 1, 1, |vm, me, a| match a.at(0) {
        other @ Value::Sym(_) => Ok(vm.compare(me, &other)?.map(|order| Value::Int(order as i64)).into()),
        _ => Ok(Value::Nil),
    }),
    ("upcase", 0, -1, |vm, me, a| like_string(vm, me, "upcase", a)),
    ("downcase", 0, -1, |vm, me, a| like_string(vm, me, "downcase", a)),
    ("capitalize", 0, -1, |vm, me, a| like_string(vm, me, "capitalize", a)),
    ("swapcase", 0, -1, |vm, me, a| like_string(vm, me, "swapcase", a)),
    ("succ", 0, 0, |vm, me, a| like_string(vm, me, "succ", a)),
    ("next", 0, 0, |vm, me, a| like_string(vm, me, "succ", a)),
    ("length", 0, 0, |vm, me, a| as_string(vm, me, "length", a)),
    ("size", 0, 0, |vm, me, a| as_string(vm, me, "length", a)),
    ("empty?", 0, 0, |vm, me, a| as_string(vm, me, "empty?", a)),
    ("[]", 1, 2, |vm, me, a| as_string(vm, me, "[]", a)),
    ("=~", 1, 1, |vm, me, a| as_string(vm, me, "=~", a)),
    ("match", 1, 2, |vm, me, a| as_string(vm, me, "match", a)),
    ("match?", 1, 2, |vm, me, a| as_string(vm, me, "match?", a)),
    ("start_with?", 0, -1, |vm, me, a| as_string(vm, me, "start_with?", a)),
    ("end_with?", 0, -1, |vm, me, a| as_string(vm, me, "end_with?", a)),
    ("casecmp", 1, 1, |vm, me, a| {
        let other = match a.at(0) {
            Value::Sym(name) => Value::str(&vm.name(name)),
            _ => return Ok(Value::Nil),
        };
        as_string(vm, me, "casecmp", &Args::one(other))
    }),
    ("casecmp?", 1, 1, |vm, me, a| {
        let other = match a.at(0) {
            Value::Sym(name) => Value::str(&vm.name(name)),
            _ => return Ok(Value::Nil),
        };
        as_string(vm, me, "casecmp?", &Args::one(other))
    }),
];
