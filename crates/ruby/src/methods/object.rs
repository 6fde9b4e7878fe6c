//! Methods of every object, and of nil, true and false.

use std::rc::Rc;

use hieratic_value::ErasedSort as _;

use super::Natives;
use crate::symbol::known;
use crate::value::{Data, Generation, MethodBody, Object, Proc, ProcKind, Str, Value, Visibility};
use crate::vm::{Args, Outcome, Vm};

pub(super) const BASIC: Natives = &[
    ("-initialize", 0, -1, |_, _, _| Ok(Value::Nil)),
    ("==", 1, 1, |vm, me, a| match me {
        Value::Object(_) | Value::Class(_) | Value::Proc(_) | Value::Nil => Ok(me.same(&a.at(0)).into()),
        _ => vm.equal(me, &a.at(0)).map(Value::Bool),
    }),
    ("equal?", 1, 1, |_, me, a| Ok(me.same(&a.at(0)).into())),
    ("!", 0, 0, |_, me, _| Ok((!me.truthy()).into())),
    ("!=", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(|same| Value::Bool(!same))),
    ("__send__", 1, -1, |vm, me, a| send(vm, me, a, true)),
    ("__id__", 0, 0, object_id),
    ("instance_eval", 0, -1, instance_eval),
    ("instance_exec", 0, -1, |vm, me, a| match &a.block {
        Some(block) => with_self(vm, block, me, None, Args::from_slice(&a.list)),
        None => {
            let class = vm.st.classes.local_jump_error.clone();
            Err(vm.error(&class, "no block given (yield)"))
        }
    }),
];

pub(super) const METHODS: Natives = &[
    ("class", 0, 0, |vm, me, _| Ok(Value::Class(vm.real_class(me)))),
    ("singleton_class", 0, 0, |vm, me, _| vm.singleton(me).map(Value::Class)),
    ("is_a?", 1, 1, is_a),
    ("kind_of?", 1, 1, is_a),
    ("instance_of?", 1, 1, |vm, me, a| {
        let class = vm.real_class(me);
        Ok(vm.is_class(&a.at(0), &class).into())
    }),
    ("nil?", 0, 0, |_, me, _| Ok(me.is_nil().into())),
    ("===", 1, 1, |vm, me, a| vm.equal(me, &a.at(0)).map(Value::Bool)),
    ("=~", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("!~", 1, 1, |vm, me, a| vm.call(me, known::MATCH, a.clone()).map(|found| Value::Bool(!found.truthy()))),
    ("eql?", 1, 1, |vm, me, a| {
        let (one, other) = (vm.key(me)?, vm.key(&a.at(0))?);
        Ok((one == other).into())
    }),
    ("hash", 0, 0, |vm, me, _| match me {
        // The address must not be shown, because it differs between runs.
        Value::Object(_) | Value::Proc(_) | Value::Method(_) | Value::Class(_) => {
            let number = Value::count(vm.object_number(me));
            vm.hash_of(&number).map(|hash| Value::Int((hash >> 2) as i64))
        }
        _ => vm.hash_of(me).map(|hash| Value::Int((hash >> 2) as i64)),
    }),
    ("<=>", 1, 1, |vm, me, a| Ok(if vm.equal(me, &a.at(0))? { Value::Int(0) } else { Value::Nil })),
    ("inspect", 0, 0, |vm, me, _| match me {
        Value::Object(_) if me.same(&vm.st.main) => Ok(Value::str("main")),
        _ => vm.inspect_object(me).map(Value::string),
    }),
    ("to_s", 0, 0, |vm, me, _| match me {
        Value::Object(_) if me.same(&vm.st.main) => Ok(Value::str("main")),
        Value::Object(_) => Ok(Value::string(vm.any_to_s(me))),
        _ => vm.to_s(me).map(Value::string),
    }),
    ("object_id", 0, 0, object_id),
    ("dup", 0, 0, |vm, me, _| copy(vm, me, false)),
    ("clone", 0, 1, |vm, me, a| {
        let freeze = match a.keyword_hash() {
            Some(_) => {
                let key = vm.symbol("freeze");
                vm.send(&a.at(0), "[]", &[key])?.truthy()
            }
            None => true,
        };
        copy(vm, me, freeze)
    }),
    ("itself", 0, 0, |_, me, _| Ok(me.clone())),
    ("freeze", 0, 0, |vm, me, _| {
        let (frozen, generation) = match me {
            Value::Str(one) => (&one.frozen, Some(&one.generation)),
            Value::Array(one) => (&one.frozen, Some(&one.generation)),
            Value::Hash(one) => (&one.frozen, Some(&one.generation)),
            Value::Object(one) => (&one.frozen, Some(&one.generation)),
            Value::Class(one) => (&one.frozen, None),
            _ => return Ok(me.clone()),
        };
        if !frozen.replace(true) {
            match generation {
                Some(generation) => vm.note_change(generation),
                None => vm.note_lasting_change(),
            }
        }
        Ok(me.clone())
    }),
    ("frozen?", 0, 0, |_, me, _| {
        Ok(match me {
            Value::Str(one) => one.frozen.get(),
            Value::Array(one) => one.frozen.get(),
            Value::Hash(one) => one.frozen.get(),
            Value::Object(one) => one.frozen.get(),
            Value::Class(one) => one.frozen.get(),
            Value::Proc(_) | Value::Method(_) | Value::Match(_) => false,
            _ => true,
        }
        .into())
    }),
    ("send", 1, -1, |vm, me, a| send(vm, me, a, true)),
    ("public_send", 1, -1, |vm, me, a| send(vm, me, a, false)),
    ("respond_to?", 1, 2, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        let class = vm.class_of(me);
        if let Some(method) = vm.find_method(&class, name) {
            return Ok((method.visibility == Visibility::Public || a.at(1).truthy()).into());
        }
        match vm.find_method(&class, known::RESPOND_TO_MISSING) {
            Some(method) => {
                let found =
                    vm.invoke(&method, me, known::RESPOND_TO_MISSING, Args::from_slice(&[Value::Sym(name), a.at(1)]))?;
                Ok(found.truthy().into())
            }
            None => Ok(false.into()),
        }
    }),
    ("-respond_to_missing?", 2, 2, |_, _, _| Ok(false.into())),
    ("method", 1, 1, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        vm.method_object(me, name)
    }),
    ("public_method", 1, 1, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        vm.method_object(me, name)
    }),
    ("methods", 0, 1, |vm, me, _| method_names(vm, me, false)),
    ("public_methods", 0, 1, |vm, me, _| method_names(vm, me, false)),
    ("singleton_methods", 0, 1, |vm, me, _| method_names(vm, me, true)),
    ("instance_variable_get", 1, 1, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        vm.get_ivar(me, name)
    }),
    ("instance_variable_set", 2, 2, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        vm.set_ivar(me, name, a.at(1))?;
        Ok(a.at(1))
    }),
    ("instance_variable_defined?", 1, 1, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        Ok(match me {
            Value::Object(object) => object.get(name).is_some() || !vm.get_ivar(me, name)?.is_nil(),
            Value::Class(class) => class.vars.borrow().iter().any(|(known, _)| *known == name),
            _ => false,
        }
        .into())
    }),
    ("remove_instance_variable", 1, 1, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        let old = vm.get_ivar(me, name)?;
        if let Value::Object(object) = me {
            vm.note_change(&object.generation);
            object.vars.borrow_mut().retain(|(known, _)| *known != name);
        }
        Ok(old)
    }),
    ("instance_variables", 0, 0, |_, me, _| {
        let names = match me {
            Value::Object(object) => object.vars.borrow().iter().map(|(name, _)| Value::Sym(*name)).collect(),
            Value::Class(class) => class.vars.borrow().iter().map(|(name, _)| Value::Sym(*name)).collect(),
            _ => Vec::new(),
        };
        Ok(Value::array(names))
    }),
    ("extend", 1, -1, |vm, me, a| {
        for module in a.list.iter().rev() {
            let Value::Class(module_class) = module else {
                let class = vm.class_name(module);
                return Err(vm.type_error(format!("wrong argument type {class} (expected Module)")));
            };
            let singleton = vm.singleton(me)?;
            vm.include(&singleton, module_class)?;
            vm.hook(module, known::EXTENDED, me.clone())?;
        }
        Ok(me.clone())
    }),
    ("define_singleton_method", 1, 2, |vm, me, a| {
        let name = vm.to_name(&a.at(0))?;
        let class = vm.singleton(me)?;
        super::module::define(vm, &class, name, a)
    }),
    ("to_enum", 0, -1, to_enum),
    ("enum_for", 0, -1, to_enum),
    ("-initialize_copy", 1, 1, |_, me, _| Ok(me.clone())),
];

fn to_enum(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    let name = match a.get(0) {
        Some(name) => vm.to_name(name)?,
        None => known::EACH,
    };
    let name = vm.name(name);
    let rest = Args::from_slice(a.list.get(1..).unwrap_or_default());
    vm.enumerator(me, &name, &rest)
}

fn method_names(vm: &mut Vm<'_>, me: &Value, own: bool) -> Outcome {
    let class = vm.class_of(me);
    let mut names = Vec::new();
    for one in vm.ancestors(&class).iter() {
        if own && one.attached.is_none() || Rc::ptr_eq(one, &vm.st.classes.object) {
            break;
        }
        let mut all: Vec<_> = one
            .methods
            .borrow()
            .iter()
            .filter(|(_, m)| m.visibility == Visibility::Public && !matches!(m.body, MethodBody::Undefined))
            .map(|(name, _)| *name)
            .collect();
        all.sort_erased();
        names.extend(all);
    }
    let mut seen = hieratic_value::collections::HashSet::default();
    Ok(Value::array(names.into_iter().filter(|name| seen.insert(*name)).map(Value::Sym).collect()))
}

fn is_a(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    match a.at(0) {
        Value::Class(class) => Ok(vm.is_a(me, &class).into()),
        _ => Err(vm.type_error("class or module required")),
    }
}

pub(super) fn object_id(vm: &mut Vm<'_>, me: &Value, _: &Args) -> Outcome {
    Ok(Value::Int(match me {
        Value::Nil => 8,
        Value::Bool(true) => 20,
        Value::Bool(false) => 0,
        Value::Int(number) => number.wrapping_mul(2).wrapping_add(1),
        other => match other.address() {
            Some(address) => {
                if let Some(id) = vm.st.object_ids.get(&address) {
                    return Ok(Value::Int(*id as i64));
                }
                vm.build(64)?;
                vm.note_lasting_change();
                let id = vm.st.object_ids.len() as u64 * 8 + 16;
                vm.st.object_ids.insert(address, id);
                // The object is kept alive while its address is its id.
                vm.st.pinned.push(other.clone());
                id as i64
            }
            None => vm.hash_of(other)? as i64 >> 8,
        },
    }))
}

fn send(vm: &mut Vm<'_>, me: &Value, a: &Args, private: bool) -> Outcome {
    let name = vm.to_name(&a.at(0))?;
    let mut args = a.clone();
    args.list.remove(0);
    let class = vm.class_of(me);
    if !private
        && let Some(method) = vm.find_method(&class, name)
        && method.visibility != Visibility::Public
    {
        let class = vm.st.classes.no_method_error.clone();
        let text = vm.name(name);
        let shown = vm.inspect(me)?;
        return Err(vm.error(&class, format!("private method `{text}' called for {shown}")));
    }
    vm.call(me, name, args)
}

/// Runs a block, or source, with another `self`.
fn instance_eval(vm: &mut Vm<'_>, me: &Value, a: &Args) -> Outcome {
    match &a.block {
        Some(block) => with_self(vm, block, me, None, Args::from_slice(std::slice::from_ref(me))),
        None => eval_source(vm, me, None, a),
    }
}

/// Runs source that is given as a string, with another `self`, and with another class to define methods in. It does not see
/// the local variables around the call.
pub(super) fn eval_source(vm: &mut Vm<'_>, me: &Value, class: Option<Rc<crate::value::Class>>, a: &Args) -> Outcome {
    let Some(source) = a.get(0) else {
        return Err(vm.argument_error("wrong number of arguments (given 0, expected 1..3)"));
    };
    let source = vm.to_s(&source.clone())?;
    // A file is read once, and a string perhaps in a loop.
    vm.steps(source.len() / 2)?;
    let file = match a.get(1) {
        Some(file) if !file.is_nil() => vm.to_s(&file.clone())?,
        _ => "(eval)".to_owned(),
    };
    let program = vm.read_program(&source, &file)?;
    vm.add_to_history(program.number);
    let mut ctx = vm.top(me.clone(), &program.file, program.body.locals.len(), program.internal);
    let class = match (class, me) {
        (Some(class), _) => Some(class),
        (None, Value::Class(_) | Value::Object(_)) => Some(vm.singleton(me)?),
        (None, _) => None,
    };
    if let Some(class) = class {
        ctx.cref = Rc::new(crate::value::Cref { class, parent: Some(ctx.cref.clone()) });
    }
    vm.run_in(&program, &ctx)
}

/// Runs a block with another `self`, and with another class to define methods in.
pub(super) fn with_self(
    vm: &mut Vm<'_>,
    block: &Rc<Proc>,
    me: &Value,
    class: Option<Rc<crate::value::Class>>,
    args: Args,
) -> Outcome {
    let ProcKind::Block { code, ctx } = &block.kind else { return vm.call_proc(block, args) };
    let class = match class {
        Some(class) => Some(class),
        None => match me {
            Value::Class(_) | Value::Object(_) => Some(vm.singleton(me)?),
            _ => None,
        },
    };
    let mut ctx = ctx.clone();
    ctx.me = me.clone();
    if let Some(class) = class {
        ctx.cref = Rc::new(crate::value::Cref { class, parent: Some(ctx.cref.clone()) });
        ctx.frame = Rc::new(crate::value::Frame {
            method: None,
            name: ctx.frame.name,
            block: ctx.frame.block.clone(),
            file: ctx.frame.file.clone(),
            internal: ctx.frame.internal,
            last_match: Value::Nil.into(),
            visibility: Visibility::Public.into(),
            module_function: false.into(),
            generation: crate::value::Generation::current(),
        });
    }
    let proc = Rc::new(Proc {
        kind: ProcKind::Block { code: code.clone(), ctx },
        lambda: block.lambda,
        generation: Generation::current(),
    });
    vm.call_proc(&proc, args)
}

/// A shallow copy.
pub(super) fn copy(vm: &mut Vm<'_>, me: &Value, keep_frozen: bool) -> Outcome {
    let copy = copy_alone(vm, me, keep_frozen)?;
    // `clone` keeps the methods of the object alone, `dup` does not.
    if keep_frozen && let Some(class) = vm.st.core_singletons.get(me).cloned() {
        vm.st.core_singletons.insert(&copy, class);
    }
    Ok(copy)
}

fn copy_alone(vm: &mut Vm<'_>, me: &Value, keep_frozen: bool) -> Outcome {
    Ok(match me {
        Value::Str(text) => {
            vm.build(text.len_bytes() + 40)?;
            let copy = Str::clone(text);
            copy.frozen.set(keep_frozen && text.frozen.get());
            Value::Str(Rc::new(copy))
        }
        Value::Array(array) => {
            let list = array.list.borrow().clone();
            vm.steps(list.len() / 8)?;
            vm.build(list.len() * 16 + 40)?;
            let copy = Value::array(list);
            if let Value::Array(copied) = &copy {
                copied.frozen.set(keep_frozen && array.frozen.get());
            }
            copy
        }
        Value::Hash(hash) => {
            let table = hash.table.borrow().clone();
            vm.steps(table.len() / 4)?;
            vm.build_table(table.len())?;
            let copy = crate::value::HashObject::new(table);
            *copy.default.borrow_mut() = hash.default.borrow().clone();
            *copy.default_proc.borrow_mut() = hash.default_proc.borrow().clone();
            copy.frozen.set(keep_frozen && hash.frozen.get());
            Value::Hash(Rc::new(copy))
        }
        Value::Object(object) => {
            vm.build(object.vars.borrow().len() * 24 + 96)?;
            let class = if keep_frozen { object.class.borrow().clone() } else { vm.real_class(me) };
            let copy = Object::new(class);
            *copy.vars.borrow_mut() = object.vars.borrow().clone();
            let data = match &*object.data.borrow() {
                Data::None => Data::None,
                Data::Exception(exception) => Data::Exception(exception.clone()),
                Data::Lazy(lazily) => Data::Lazy(lazily.clone()),
                Data::Random(random) => Data::Random(random.clone()),
            };
            *copy.data.borrow_mut() = data;
            copy.frozen.set(keep_frozen && object.frozen.get());
            let copy = Value::Object(Rc::new(copy));
            vm.call(&copy, known::INITIALIZE_COPY, Args::one(me.clone()))?;
            copy
        }
        Value::Class(class) => {
            let copied = match &class.superclass {
                Some(superclass) => vm.make_class(None, superclass)?,
                None => vm.new_class(None, None, class.is_module),
            };
            *copied.methods.borrow_mut() = class.methods.borrow().clone();
            *copied.constants.borrow_mut() = class.constants.borrow().clone();
            *copied.includes.borrow_mut() = class.includes.borrow().clone();
            Value::Class(copied)
        }
        other => other.clone(),
    })
}

pub(super) const NIL: Natives = &[
    ("to_s", 0, 0, |_, _, _| Ok(Value::str(""))),
    ("to_a", 0, 0, |_, _, _| Ok(Value::array(Vec::new()))),
    ("to_h", 0, 0, |_, _, _| Ok(Value::hash(Default::default()))),
    ("to_i", 0, 0, |_, _, _| Ok(Value::Int(0))),
    ("to_f", 0, 0, |_, _, _| Ok(Value::Float(0.0))),
    ("inspect", 0, 0, |_, _, _| Ok(Value::str("nil"))),
    ("&", 1, 1, |_, _, _| Ok(false.into())),
    ("|", 1, 1, |_, _, a| Ok(a.at(0).truthy().into())),
    ("^", 1, 1, |_, _, a| Ok(a.at(0).truthy().into())),
];

pub(super) const TRUE: Natives = &[
    ("to_s", 0, 0, |_, _, _| Ok(Value::str("true"))),
    ("inspect", 0, 0, |_, _, _| Ok(Value::str("true"))),
    ("&", 1, 1, |_, _, a| Ok(a.at(0).truthy().into())),
    ("|", 1, 1, |_, _, _| Ok(true.into())),
    ("^", 1, 1, |_, _, a| Ok((!a.at(0).truthy()).into())),
];

pub(super) const FALSE: Natives = &[
    ("to_s", 0, 0, |_, _, _| Ok(Value::str("false"))),
    ("inspect", 0, 0, |_, _, _| Ok(Value::str("false"))),
    ("&", 1, 1, |_, _, _| Ok(false.into())),
    ("|", 1, 1, |_, _, a| Ok(a.at(0).truthy().into())),
    ("^", 1, 1, |_, _, a| Ok(a.at(0).truthy().into())),
];
