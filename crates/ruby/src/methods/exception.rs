//! Exceptions.

use std::sync::Arc;

use super::Natives;
use crate::symbol::{Symbol, known};
use crate::value::{Data, Exception, Value};
use crate::vm::{Args, Vm};

/// A backtrace as lines.
pub(super) fn lines(vm: &mut Vm<'_>, trace: &[(Arc<str>, u32, Option<Symbol>)]) -> Value {
    let lines = trace.iter().map(|(file, line, name)| {
        let name = name.map_or_else(|| "<main>".into(), |name| vm.name(name));
        Value::string(format!("{file}:{line}:in `{name}'"))
    });
    Value::array(lines.collect())
}

fn with<T>(me: &Value, look: impl FnOnce(&mut Exception) -> T) -> Option<T> {
    let Value::Object(object) = me else { return None };
    match &mut *object.data.borrow_mut() {
        Data::Exception(exception) => Some(look(exception)),
        _ => None,
    }
}

pub(super) const METHODS: Natives = &[
    ("-initialize", 0, -1, |_, me, a| {
        if let Some(message) = a.get(0) {
            with(me, |exception| exception.message = message.clone());
        }
        Ok(Value::Nil)
    }),
    ("message", 0, 0, |vm, me, _| {
        let text = vm.call(me, known::TO_S, Args::none())?;
        vm.to_s(&text).map(Value::string)
    }),
    ("to_s", 0, 0, |vm, me, _| {
        let message = vm.own_message(me);
        vm.to_s(&message).map(Value::string)
    }),
    ("detailed_message", 0, -1, |vm, me, _| {
        let text = vm.message_of(me)?;
        let class = vm.class_name(me);
        Ok(Value::string(format!("{text} ({class})")))
    }),
    ("full_message", 0, -1, |vm, me, _| {
        let text = vm.message_of(me)?;
        let class = vm.class_name(me);
        let place =
            vm.place_of_exception(me).map(|(file, line)| format!("{file}:{line}:in `<main>': ")).unwrap_or_default();
        Ok(Value::string(format!("{place}{text} ({class})")))
    }),
    ("inspect", 0, 0, |vm, me, _| {
        let text = vm.call(me, known::TO_S, Args::none())?;
        let text = vm.to_s(&text)?;
        let class = vm.class_name(me);
        Ok(Value::string(if text.is_empty() { class } else { format!("#<{class}: {text}>") }))
    }),
    ("backtrace", 0, 0, |vm, me, _| {
        let set = with(me, |exception| exception.set_backtrace.clone()).flatten();
        if let Some(set) = set {
            return Ok(set);
        }
        let trace = with(me, |exception| exception.backtrace.clone()).flatten();
        Ok(trace.map(|trace| lines(vm, &trace)).into())
    }),
    ("backtrace_locations", 0, 0, |_, _, _| Ok(Value::Nil)),
    ("set_backtrace", 1, 1, |_, me, a| {
        with(me, |exception| exception.set_backtrace = Some(a.at(0)));
        Ok(a.at(0))
    }),
    ("cause", 0, 0, |_, me, _| Ok(with(me, |exception| exception.cause.clone()).into())),
    ("exception", 0, 1, |vm, me, a| {
        if a.list.is_empty() || a.at(0).same(me) {
            return Ok(me.clone());
        }
        let copy = super::object::copy(vm, me, false)?;
        with(&copy, |exception| exception.message = a.at(0));
        Ok(copy)
    }),
    ("self.exception", 0, -1, |vm, me, a| vm.call(me, known::NEW, a.clone())),
    ("==", 1, 1, |vm, me, a| {
        if me.same(&a.at(0)) {
            return Ok(true.into());
        }
        if vm.class_name(me) != vm.class_name(&a.at(0)) {
            return Ok(false.into());
        }
        Ok((vm.message_of(me)? == vm.message_of(&a.at(0))?).into())
    }),
];
