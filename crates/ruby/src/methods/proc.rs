//! Procs and methods as objects.

use std::rc::Rc;

use super::Natives;
use crate::ast::{Parameter, Parameters};
use crate::symbol::known;
use crate::value::{BoundMethod, Generation, MethodBody, Proc, ProcKind, Value};
use crate::vm::{Args, Outcome, Vm};

fn own(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<Proc>> {
    match me {
        Value::Proc(proc) => Ok(proc.clone()),
        _ => Err(vm.type_error("no proc")),
    }
}

fn call(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let proc = own(vm, me)?;
    vm.call_proc(&proc, a.clone())
}

fn bound(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<BoundMethod>> {
    match me {
        Value::Method(method) => Ok(method.clone()),
        _ => Err(vm.type_error("no method")),
    }
}

fn native(code: impl Fn(&mut Vm<'_>, &Args) -> Outcome + 'static, arity: i64) -> Value {
    Value::Proc(Rc::new(Proc {
        kind: ProcKind::Native(Rc::new(code), arity),
        lambda: true,
        generation: Generation::current(),
    }))
}

/// `f >> g` and `f << g`.
fn compose(first: Value, second: Value) -> Value {
    native(
        move |vm, a| {
            let between = vm.call(&first, known::CALL, a.clone())?;
            vm.call(&second, known::CALL, Args::one(between))
        },
        -1,
    )
}

fn parameter_list(vm: &mut Vm<'_>, parameters: &Parameters, locals: &[crate::symbol::Symbol], lambda: bool) -> Value {
    let mut out = Vec::new();
    let mut add = |vm: &mut Vm<'_>, kind: &str, slot: Option<u32>| {
        let kind = vm.symbol(kind);
        let name = slot.and_then(|slot| locals.get(slot as usize)).copied();
        out.push(match name {
            Some(name) => Value::pair(kind, Value::Sym(name)),
            None => Value::array(vec![kind]),
        });
    };
    let slot = |one: &Parameter| if let Parameter::Slot(slot) = one { Some(*slot) } else { None };
    for one in &parameters.required {
        add(vm, if lambda { "req" } else { "opt" }, slot(one));
    }
    for (at, _) in &parameters.optional {
        add(vm, "opt", Some(*at));
    }
    if let Some(at) = parameters.rest {
        add(vm, "rest", if parameters.anonymous_rest { None } else { Some(at) });
    }
    for one in &parameters.post {
        add(vm, if lambda { "req" } else { "opt" }, slot(one));
    }
    for (_, at, default) in &parameters.keywords {
        add(vm, if default.is_some() { "key" } else { "keyreq" }, Some(*at));
    }
    if let Some(at) = parameters.keyword_rest {
        add(vm, "keyrest", Some(at));
    }
    if let Some(at) = parameters.block {
        add(vm, "block", Some(at));
    }
    Value::array(out)
}

/// The arity of a method.
fn arity(body: &MethodBody) -> i64 {
    match body {
        MethodBody::Ruby { def, .. } => def.parameters.arity(),
        MethodBody::Native(_, least, most, _) if least == most => (*least).into(),
        MethodBody::Native(_, least, ..) => -i64::from(*least) - 1,
        MethodBody::Proc(proc) => proc_arity(proc, true),
        MethodBody::Reader(_) | MethodBody::Undefined => 0,
        MethodBody::Writer(_) => 1,
        MethodBody::Alias(original) => arity(&original.body),
    }
}

fn proc_arity(proc: &Proc, lambda: bool) -> i64 {
    match &proc.kind {
        ProcKind::Block { code, .. } => {
            let parameters = &code.parameters;
            if lambda || parameters.optional.is_empty() || parameters.rest.is_some() {
                let arity = parameters.arity();
                // A block does not insist on optional keywords.
                if !lambda && arity < 0 && parameters.rest.is_none() && parameters.optional.is_empty() {
                    -arity - 1
                } else {
                    arity
                }
            } else {
                -(parameters.needed() as i64) - 1
            }
        }
        ProcKind::Symbol(_) => -2,
        ProcKind::Method(method) => arity(&method.method.body),
        ProcKind::Native(_, arity) => *arity,
    }
}

fn curry(proc: Value, arity: usize, given: Vec<Value>) -> Value {
    native(
        move |vm, a| {
            let mut all = given.clone();
            all.extend(a.list.iter().cloned());
            vm.build(all.len() * 16)?;
            if all.len() >= arity {
                vm.call(&proc, known::CALL, Args::from_slice(&all))
            } else {
                Ok(curry(proc.clone(), arity, all))
            }
        },
        -1,
    )
}

fn curried(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let arity = match (a.get(0), me) {
        (Some(count), _) => vm.to_int(count)?,
        (None, Value::Proc(proc)) => proc_arity(proc, proc.lambda),
        (None, Value::Method(method)) => arity(&method.method.body),
        _ => 0,
    };
    let arity = if arity < 0 { -arity - 1 } else { arity };
    Ok(curry(me.clone(), usize::try_from(arity).unwrap_or(0), Vec::new()))
}

pub(super) const PROC: Natives = &[
    ("self.new", 0, 0, |vm, _, a| match &a.block {
        Some(block) => Ok(Value::Proc(block.clone())),
        None => Err(vm.argument_error("tried to create Proc object without a block")),
    }),
    ("call", 0, -1, call),
    ("()", 0, -1, call),
    ("yield", 0, -1, call),
    ("[]", 0, -1, call),
    ("===", 0, -1, call),
    ("to_proc", 0, 0, |_, me, _| Ok(me.clone())),
    ("lambda?", 0, 0, |vm, me, _| Ok(own(vm, me)?.lambda.into())),
    ("arity", 0, 0, |vm, me, _| {
        let proc = own(vm, me)?;
        Ok(Value::Int(proc_arity(&proc, proc.lambda)))
    }),
    ("parameters", 0, -1, |vm, me, _| {
        let proc = own(vm, me)?;
        match &proc.kind {
            ProcKind::Block { code, .. } => Ok(parameter_list(vm, &code.parameters, &code.body.locals, proc.lambda)),
            _ => {
                let rest = vm.symbol("rest");
                Ok(Value::array(vec![Value::array(vec![rest])]))
            }
        }
    }),
    ("curry", 0, 1, curried),
    (">>", 1, 1, |_, me, a| Ok(compose(me.clone(), a.at(0)))),
    ("<<", 1, 1, |_, me, a| Ok(compose(a.at(0), me.clone()))),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("to_s", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
    ("source_location", 0, 0, |vm, me, _| match &own(vm, me)?.kind {
        ProcKind::Block { code, .. } => Ok(Value::pair(Value::str(&code.file), Value::Int(code.line.into()))),
        _ => Ok(Value::Nil),
    }),
    ("binding", 0, 0, |vm, _, _| Err(vm.unsupported("Proc#binding"))),
];

fn call_method(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let method = bound(vm, me)?;
    let receiver = method.receiver.clone().unwrap_or(Value::Nil);
    vm.invoke(&method.method, &receiver, method.name, a.clone())
}

fn method_parameters(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    let method = bound(vm, me)?;
    match &method.method.body {
        MethodBody::Ruby { def, .. } => Ok(parameter_list(vm, &def.parameters, &def.body.locals, true)),
        MethodBody::Proc(proc) => match &proc.kind {
            ProcKind::Block { code, .. } => Ok(parameter_list(vm, &code.parameters, &code.body.locals, true)),
            _ => Ok(Value::array(Vec::new())),
        },
        _ => {
            let rest = vm.symbol("rest");
            Ok(Value::array(vec![Value::array(vec![rest])]))
        }
    }
}

pub(super) const METHOD: Natives = &[
    ("call", 0, -1, call_method),
    ("[]", 0, -1, call_method),
    ("===", 0, -1, call_method),
    ("to_proc", 0, 0, |vm, me, _| {
        let method = bound(vm, me)?;
        Ok(Value::Proc(Rc::new(Proc {
            kind: ProcKind::Method(method),
            lambda: true,
            generation: Generation::current(),
        })))
    }),
    ("name", 0, 0, |vm, me, _| Ok(Value::Sym(bound(vm, me)?.name))),
    ("owner", 0, 0, |vm, me, _| Ok(Value::Class(bound(vm, me)?.method.owner.clone()))),
    ("receiver", 0, 0, |vm, me, _| Ok(bound(vm, me)?.receiver.clone().into())),
    ("arity", 0, 0, |vm, me, _| Ok(Value::Int(arity(&bound(vm, me)?.method.body)))),
    ("parameters", 0, 0, method_parameters),
    ("unbind", 0, 0, |vm, me, _| {
        let method = bound(vm, me)?;
        Ok(Value::Method(Rc::new(BoundMethod { receiver: None, method: method.method.clone(), name: method.name })))
    }),
    ("curry", 0, 1, curried),
    (">>", 1, 1, |_, me, a| Ok(compose(me.clone(), a.at(0)))),
    ("<<", 1, 1, |_, me, a| Ok(compose(a.at(0), me.clone()))),
    ("inspect", 0, 0, |vm, me, _| vm.inspect(me).map(Value::string)),
];

pub(super) const UNBOUND: Natives = &[
    ("bind", 1, 1, |vm, me, a| {
        let method = bound(vm, me)?;
        let owner = method.method.owner.clone();
        if !owner.is_module && !vm.is_a(&a.at(0), &owner) {
            return Err(vm.type_error(format!("bind argument must be an instance of {}", owner.display_name())));
        }
        Ok(Value::Method(Rc::new(BoundMethod {
            receiver: Some(a.at(0)),
            method: method.method.clone(),
            name: method.name,
        })))
    }),
    ("bind_call", 1, -1, |vm, me, a| {
        let method = bound(vm, me)?;
        let mut args = a.clone();
        let receiver = args.list.remove(0);
        vm.invoke(&method.method, &receiver, method.name, args)
    }),
    ("name", 0, 0, |vm, me, _| Ok(Value::Sym(bound(vm, me)?.name))),
    ("owner", 0, 0, |vm, me, _| Ok(Value::Class(bound(vm, me)?.method.owner.clone()))),
    ("arity", 0, 0, |vm, me, _| Ok(Value::Int(arity(&bound(vm, me)?.method.body)))),
    ("parameters", 0, 0, method_parameters),
];
