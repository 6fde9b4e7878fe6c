//! Methods of modules and classes.

use std::rc::Rc;

use hieratic_value::ErasedSort as _;

use super::Natives;
use crate::symbol::{Symbol, known};
use crate::value::{BoundMethod, Class, MethodBody, Object, Value, Visibility};
use crate::vm::{Args, Outcome, Vm};

/// The receiver as the class that it is.
fn class(vm: &mut Vm<'_>, me: &Value) -> Outcome<Rc<Class>> {
    match me {
        Value::Class(class) => Ok(class.clone()),
        _ if me.same(&vm.st.main) => Ok(vm.st.classes.object.clone()),
        _ => Err(vm.type_error("not a class or module")),
    }
}

fn argument(vm: &mut Vm<'_>, value: &Value) -> Outcome<Rc<Class>> {
    match value {
        Value::Class(class) => Ok(class.clone()),
        other => {
            let name = vm.class_name(other);
            Err(vm.type_error(format!("wrong argument type {name} (expected Module)")))
        }
    }
}

/// The names in a path of constants.
fn names_of_path(vm: &mut Vm<'_>, path: &Value) -> Outcome<Vec<Symbol>> {
    let (text, marks) = match path.plain() {
        Value::Sym(_) => {
            let name = vm.to_name(path)?;
            (vm.name(name), vm.marks_of_name(name))
        }
        other => {
            let text = vm.to_string_object(other)?;
            (text.to_arc(), text.marks())
        }
    };
    vm.build(text.len() + 32)?;
    let mut names = Vec::new();
    let mut start = 0;
    for part in text.split("::") {
        let name = vm.sym(part);
        vm.note_name(name, &marks.within(&(start..start + part.len())))?;
        names.push(name);
        start += part.len() + "::".len();
    }
    Ok(names)
}

fn attributes(vm: &mut Vm<'_>, me: &Value, a: &Args, read: bool, write: bool) -> Outcome {
    let class = class(vm, me)?;
    let mut names = Vec::new();
    for one in &a.list {
        let name = vm.to_name(one)?;
        let text = vm.name(name);
        let var = vm.derived_name(name, &format!("@{text}"))?;
        let visibility = vm.st.calls.last().map_or(Visibility::Public, |call| call.frame.visibility.get());
        if read {
            vm.add_method(&class, name, visibility, MethodBody::Reader(var))?;
            names.push(Value::Sym(name));
        }
        if write {
            let writer = vm.derived_name(name, &format!("{text}="))?;
            vm.add_method(&class, writer, visibility, MethodBody::Writer(var))?;
            names.push(Value::Sym(writer));
        }
    }
    Ok(Value::array(names))
}

fn set_visibility(vm: &mut Vm<'_>, class: &Rc<Class>, name: Symbol, visibility: Visibility) -> Outcome<()> {
    let found = vm.find_method(class, name).or_else(|| {
        let object = vm.st.classes.object.clone();
        vm.find_method(&object, name)
    });
    let Some(method) = found else { return Err(vm.undefined_method(class, name)) };
    let body = match &method.body {
        MethodBody::Ruby { def, cref, internal } => {
            MethodBody::Ruby { def: def.clone(), cref: cref.clone(), internal: *internal }
        }
        MethodBody::Native(native, least, most, traits) => MethodBody::Native(*native, *least, *most, *traits),
        MethodBody::Proc(proc) => MethodBody::Proc(proc.clone()),
        MethodBody::Reader(name) => MethodBody::Reader(*name),
        MethodBody::Writer(name) => MethodBody::Writer(*name),
        MethodBody::Undefined => MethodBody::Undefined,
        MethodBody::Alias(original) => MethodBody::Alias(original.clone()),
    };
    vm.add_method(class, name, visibility, body)
}

fn visibility(vm: &mut Vm<'_>, me: &Value, a: &Args, visibility: Visibility) -> Outcome {
    let class = class(vm, me)?;
    if a.list.is_empty() {
        if let Some(call) = vm.st.calls.last() {
            call.frame.visibility.set(visibility);
            call.frame.module_function.set(false);
        }
        return Ok(Value::Nil);
    }
    for one in &a.list {
        let names = match one {
            Value::Array(list) => list.list.borrow().clone(),
            other => vec![other.clone()],
        };
        for name in names {
            let name = vm.to_name(&name)?;
            set_visibility(vm, &class, name, visibility)?;
        }
    }
    Ok(a.at(0))
}

/// Defines a method from a block or a method object.
pub(super) fn define(vm: &mut Vm<'_>, class: &Rc<Class>, name: Symbol, a: &Args) -> Outcome {
    let body = match (a.get(1), &a.block) {
        (Some(Value::Proc(proc)), _) | (None, Some(proc)) => MethodBody::Proc(proc.clone()),
        (Some(Value::Method(bound)), _) => match &bound.method.body {
            MethodBody::Alias(original) => MethodBody::Alias(original.clone()),
            _ => MethodBody::Alias(bound.method.clone()),
        },
        (Some(other), _) => {
            let name = vm.class_name(other);
            return Err(vm.type_error(format!("wrong argument type {name} (expected Proc/Method/UnboundMethod)")));
        }
        (None, None) => return Err(vm.argument_error("tried to create Proc object without a block")),
    };
    let visibility = match vm.st.calls.last() {
        Some(call) if call.frame.method.is_none() => call.frame.visibility.get(),
        _ => Visibility::Public,
    };
    vm.add_method(class, name, visibility, body)?;
    vm.hook(&Value::Class(class.clone()), known::METHOD_ADDED, Value::Sym(name))?;
    Ok(Value::Sym(name))
}

fn eval_in(vm: &mut Vm<'_>, me: &Value, a: &Args, arguments: &[Value]) -> Outcome {
    let class = class(vm, me)?;
    match &a.block {
        Some(block) => super::object::with_self(vm, block, me, Some(class), Args::from_slice(arguments)),
        None => super::object::eval_source(vm, me, Some(class), a),
    }
}

fn methods_of(vm: &mut Vm<'_>, me: &Value, a: &Args, target: &[Visibility]) -> Outcome {
    let class = class(vm, me)?;
    let inherited = a.get(0).is_none_or(Value::truthy);
    let mut names = Vec::new();
    for one in vm.ancestors(&class).iter() {
        if Rc::ptr_eq(one, &vm.st.classes.object) && !Rc::ptr_eq(one, &class) {
            break;
        }
        let mut all: Vec<Symbol> = one
            .methods
            .borrow()
            .iter()
            .filter(|(_, method)| target.contains(&method.visibility) && !matches!(method.body, MethodBody::Undefined))
            .map(|(name, _)| *name)
            .collect();
        all.sort_erased();
        names.extend(all);
        if !inherited {
            break;
        }
    }
    let mut seen = hieratic_value::collections::HashSet::default();
    Ok(Value::array(names.into_iter().filter(|name| seen.insert(*name)).map(Value::Sym).collect()))
}

fn defined(vm: &mut Vm<'_>, me: &Value, a: &Args, target: &[Visibility]) -> Outcome {
    let class = class(vm, me)?;
    let name = vm.to_name(&a.at(0))?;
    Ok(vm.find_method(&class, name).is_some_and(|method| target.contains(&method.visibility)).into())
}

const VISIBLE: &[Visibility] = &[Visibility::Public, Visibility::Protected];

pub(super) const METHODS: Natives = &[
    ("name", 0, 0, |vm, me, _| {
        let class = class(vm, me)?;
        let name = class.name.borrow().clone();
        Ok(name.map(|name| Value::str(&name)).into())
    }),
    ("to_s", 0, 0, |vm, me, _| class(vm, me).map(|class| Value::string(class.display_name()))),
    ("inspect", 0, 0, |vm, me, _| class(vm, me).map(|class| Value::string(class.display_name()))),
    ("===", 1, 1, |vm, me, a| {
        let class = class(vm, me)?;
        Ok(vm.is_a(&a.at(0), &class).into())
    }),
    ("<", 1, 1, |vm, me, a| {
        let (one, other) = (class(vm, me)?, argument(vm, &a.at(0))?);
        Ok(match (Rc::ptr_eq(&one, &other), vm.inherits(&one, &other), vm.inherits(&other, &one)) {
            (true, ..) => false.into(),
            (_, true, _) => true.into(),
            (_, _, true) => false.into(),
            _ => Value::Nil,
        })
    }),
    ("<=", 1, 1, |vm, me, a| {
        let (one, other) = (class(vm, me)?, argument(vm, &a.at(0))?);
        Ok(match (vm.inherits(&one, &other), vm.inherits(&other, &one)) {
            (true, _) => true.into(),
            (_, true) => false.into(),
            _ => Value::Nil,
        })
    }),
    (">", 1, 1, |vm, me, a| {
        let (one, other) = (class(vm, me)?, argument(vm, &a.at(0))?);
        Ok((!Rc::ptr_eq(&one, &other) && vm.inherits(&other, &one)).into())
    }),
    (">=", 1, 1, |vm, me, a| {
        let (one, other) = (class(vm, me)?, argument(vm, &a.at(0))?);
        Ok(vm.inherits(&other, &one).into())
    }),
    ("<=>", 1, 1, |vm, me, a| {
        let one = class(vm, me)?;
        let Value::Class(other) = a.at(0) else { return Ok(Value::Nil) };
        Ok(match (Rc::ptr_eq(&one, &other), vm.inherits(&one, &other), vm.inherits(&other, &one)) {
            (true, ..) => Value::Int(0),
            (_, true, _) => Value::Int(-1),
            (_, _, true) => Value::Int(1),
            _ => Value::Nil,
        })
    }),
    ("ancestors", 0, 0, |vm, me, _| {
        let class = class(vm, me)?;
        Ok(Value::array(vm.ancestors(&class).iter().map(|one| Value::Class(one.clone())).collect()))
    }),
    ("included_modules", 0, 0, |vm, me, _| {
        let class = class(vm, me)?;
        let list = vm.ancestors(&class);
        Ok(Value::array(list.iter().filter(|one| one.is_module).map(|one| Value::Class(one.clone())).collect()))
    }),
    ("include?", 1, 1, |vm, me, a| {
        let (one, module) = (class(vm, me)?, argument(vm, &a.at(0))?);
        Ok((!Rc::ptr_eq(&one, &module) && module.is_module && vm.inherits(&one, &module)).into())
    }),
    ("include", 1, -1, |vm, me, a| {
        let class = class(vm, me)?;
        for module in a.list.iter().rev() {
            let found = argument(vm, module)?;
            if !found.is_module {
                return Err(vm.type_error("wrong argument type Class (expected Module)"));
            }
            vm.include(&class, &found)?;
            vm.hook(module, known::INCLUDED, me.clone())?;
        }
        Ok(me.clone())
    }),
    ("prepend", 1, -1, |vm, me, a| {
        let class = class(vm, me)?;
        for module in a.list.iter().rev() {
            let found = argument(vm, module)?;
            if !class.prepends.borrow().iter().any(|one| Rc::ptr_eq(one, &found)) {
                class.prepends.borrow_mut().insert(0, found.clone());
                vm.note_mixin("prepend", &class, &found);
            }
            vm.hook(module, known::PREPENDED, me.clone())?;
        }
        Ok(me.clone())
    }),
    ("-included", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("-extended", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("-prepended", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("-method_added", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("instance_methods", 0, 1, |vm, me, a| methods_of(vm, me, a, VISIBLE)),
    ("public_instance_methods", 0, 1, |vm, me, a| methods_of(vm, me, a, &[Visibility::Public])),
    ("private_instance_methods", 0, 1, |vm, me, a| methods_of(vm, me, a, &[Visibility::Private])),
    ("method_defined?", 1, 2, |vm, me, a| defined(vm, me, a, VISIBLE)),
    ("public_method_defined?", 1, 2, |vm, me, a| defined(vm, me, a, &[Visibility::Public])),
    ("private_method_defined?", 1, 2, |vm, me, a| defined(vm, me, a, &[Visibility::Private])),
    ("protected_method_defined?", 1, 2, |vm, me, a| defined(vm, me, a, &[Visibility::Protected])),
    ("instance_method", 1, 1, |vm, me, a| {
        let class = class(vm, me)?;
        let name = vm.to_name(&a.at(0))?;
        match vm.find_method(&class, name) {
            Some(method) => Ok(Value::Method(Rc::new(BoundMethod { receiver: None, method, name }))),
            None => Err(vm.undefined_method(&class, name)),
        }
    }),
    ("define_method", 1, 2, |vm, me, a| {
        let class = class(vm, me)?;
        let name = vm.to_name(&a.at(0))?;
        define(vm, &class, name, a)
    }),
    ("alias_method", 2, 2, |vm, me, a| {
        let class = class(vm, me)?;
        let (new, old) = (vm.to_name(&a.at(0))?, vm.to_name(&a.at(1))?);
        vm.alias_method(&class, new, old)?;
        Ok(Value::Sym(new))
    }),
    ("remove_method", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        for one in &a.list {
            let name = vm.to_name(one)?;
            let removed = class.methods.borrow_mut().remove(&name);
            if removed.is_none() {
                let message = format!("method `{}' not defined in {}", vm.name(name), class.display_name());
                let error = vm.st.classes.name_error.clone();
                return Err(vm.error(&error, message));
            }
        }
        vm.note_changed_methods();
        Ok(me.clone())
    }),
    ("undef_method", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        for one in &a.list {
            let name = vm.to_name(one)?;
            vm.undef_method(&class, name)?;
        }
        Ok(me.clone())
    }),
    ("attr_reader", 0, -1, |vm, me, a| attributes(vm, me, a, true, false)),
    ("attr", 0, -1, |vm, me, a| attributes(vm, me, a, true, false)),
    ("attr_writer", 0, -1, |vm, me, a| attributes(vm, me, a, false, true)),
    ("attr_accessor", 0, -1, |vm, me, a| attributes(vm, me, a, true, true)),
    ("public", 0, -1, |vm, me, a| visibility(vm, me, a, Visibility::Public)),
    ("private", 0, -1, |vm, me, a| visibility(vm, me, a, Visibility::Private)),
    ("protected", 0, -1, |vm, me, a| visibility(vm, me, a, Visibility::Protected)),
    ("module_function", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        if a.list.is_empty() {
            if let Some(call) = vm.st.calls.last() {
                call.frame.module_function.set(true);
            }
            return Ok(Value::Nil);
        }
        let meta = vm.meta(&class)?;
        for one in &a.list {
            let name = vm.to_name(one)?;
            match vm.find_method(&class, name) {
                Some(method) => vm.add_method(&meta, name, Visibility::Public, MethodBody::Alias(method))?,
                None => return Err(vm.undefined_method(&class, name)),
            }
        }
        Ok(me.clone())
    }),
    ("private_class_method", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        let meta = vm.meta(&class)?;
        visibility(vm, &Value::Class(meta), a, Visibility::Private)
    }),
    ("public_class_method", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        let meta = vm.meta(&class)?;
        visibility(vm, &Value::Class(meta), a, Visibility::Public)
    }),
    ("private_constant", 0, -1, |_, _, _| Ok(Value::Nil)),
    ("public_constant", 0, -1, |_, _, _| Ok(Value::Nil)),
    ("const_missing", 1, 1, |vm, me, a| {
        let class = class(vm, me)?;
        let name = vm.to_name(&a.at(0))?;
        Err(vm.constant_missing(&class, name))
    }),
    ("const_get", 1, 2, |vm, me, a| {
        let mut at = me.clone();
        for name in names_of_path(vm, &a.at(0))? {
            let class = class(vm, &at)?;
            at = match vm.find_constant(&class, name, true) {
                Some(value) => value,
                None => vm.constant_in(&at, name)?,
            };
        }
        Ok(at)
    }),
    ("const_set", 2, 2, |vm, me, a| {
        let (class, name) = (class(vm, me)?, vm.to_name(&a.at(0))?);
        vm.set_constant(&class, name, a.at(1))?;
        Ok(a.at(1))
    }),
    ("const_defined?", 1, 2, |vm, me, a| {
        let mut at = class(vm, me)?;
        for name in names_of_path(vm, &a.at(0))? {
            if vm.find_constant(&at, name, true).is_none() {
                vm.autoload(&at, name)?;
            }
            match vm.find_constant(&at, name, true) {
                Some(Value::Class(class)) => at = class,
                Some(_) => return Ok(true.into()),
                None => return Ok(false.into()),
            }
        }
        Ok(true.into())
    }),
    ("constants", 0, 1, |vm, me, _| {
        let class = class(vm, me)?;
        Ok(Value::array(class.constants.borrow().keys().map(|name| Value::Sym(*name)).collect()))
    }),
    ("remove_const", 1, 1, |vm, me, a| {
        let (class, name) = (class(vm, me)?, vm.to_name(&a.at(0))?);
        vm.note_lasting_change();
        let removed = class.constants.borrow_mut().shift_remove(&name);
        Ok(removed.into())
    }),
    ("class_variable_get", 1, 1, |vm, me, a| {
        let (class, name) = (class(vm, me)?, vm.to_name(&a.at(0))?);
        let found = vm.ancestors(&class).iter().find_map(|one| one.class_vars.borrow().get(&name).cloned());
        match found {
            Some(value) => Ok(value),
            None => {
                let message = format!("uninitialized class variable {} in {}", vm.name(name), class.display_name());
                let error = vm.st.classes.name_error.clone();
                Err(vm.error(&error, message))
            }
        }
    }),
    ("class_variable_set", 2, 2, |vm, me, a| {
        let (class, name) = (class(vm, me)?, vm.to_name(&a.at(0))?);
        vm.note_lasting_change();
        class.class_vars.borrow_mut().insert(name, a.at(1));
        Ok(a.at(1))
    }),
    ("class_variable_defined?", 1, 1, |vm, me, a| {
        let (class, name) = (class(vm, me)?, vm.to_name(&a.at(0))?);
        Ok(vm.ancestors(&class).iter().any(|one| one.class_vars.borrow().contains_key(&name)).into())
    }),
    ("class_variables", 0, 1, |vm, me, _| {
        let class = class(vm, me)?;
        let mut names: Vec<Symbol> = class.class_vars.borrow().keys().copied().collect();
        names.sort_erased();
        Ok(Value::array(names.into_iter().map(Value::Sym).collect()))
    }),
    ("module_eval", 0, -1, |vm, me, a| eval_in(vm, me, a, std::slice::from_ref(me))),
    ("class_eval", 0, -1, |vm, me, a| eval_in(vm, me, a, std::slice::from_ref(me))),
    ("module_exec", 0, -1, |vm, me, a| eval_in(vm, me, a, &a.list.clone())),
    ("class_exec", 0, -1, |vm, me, a| eval_in(vm, me, a, &a.list.clone())),
    ("self.new", 0, 0, |vm, _, a| {
        vm.build(512)?;
        let module = Value::Class(vm.new_class(None, None, true));
        if a.block.is_some() {
            eval_in(vm, &module, a, std::slice::from_ref(&module))?;
        }
        Ok(module)
    }),
];

/// An object without `initialize`.
fn allocate(vm: &mut Vm<'_>, class: &Rc<Class>) -> Outcome {
    vm.build(96)?;
    let c = &vm.st.classes;
    let core = [&c.integer, &c.float, &c.symbol, &c.nil, &c.true_class, &c.false_class];
    if core.iter().any(|one| Rc::ptr_eq(one, class)) || class.attached.is_some() {
        let shown = class.display_name();
        let message = format!("undefined method `new' for {shown}:Class");
        let error = vm.st.classes.no_method_error.clone();
        return Err(vm.error(&error, message));
    }
    let exception = vm.st.classes.exception.clone();
    if vm.inherits(class, &exception) {
        return Ok(vm.exception(class, Value::Nil));
    }
    for core in [&vm.st.classes.string, &vm.st.classes.array, &vm.st.classes.hash] {
        if !Rc::ptr_eq(core, class) && vm.inherits(class, core) {
            let feature = format!("a subclass of {}", core.display_name());
            return Err(vm.unsupported(feature));
        }
    }
    Ok(Value::Object(Rc::new(Object::new(class.clone()))))
}

pub(super) const CLASS: Natives = &[
    ("allocate", 0, 0, |vm, me, _| {
        let class = class(vm, me)?;
        allocate(vm, &class)
    }),
    ("new", 0, -1, |vm, me, a| {
        let class = class(vm, me)?;
        let object = allocate(vm, &class)?;
        if let Some(method) = vm.find_method(&class, known::INITIALIZE) {
            if matches!(method.body, MethodBody::Native(..)) && !a.list.is_empty() && matches!(object, Value::Object(_))
            {
                let exception = vm.st.classes.exception.clone();
                if !vm.inherits(&class, &exception) {
                    return Err(vm.arity_error(a.len(), "0"));
                }
            }
            vm.invoke(&method, &object, known::INITIALIZE, a.clone())?;
        }
        Ok(object)
    }),
    ("superclass", 0, 0, |vm, me, _| {
        let class = class(vm, me)?;
        Ok(class.superclass.clone().map(Value::Class).into())
    }),
    ("-inherited", 1, 1, |_, _, _| Ok(Value::Nil)),
    ("self.new", 0, 1, |vm, _, a| {
        let superclass = match a.get(0) {
            Some(Value::Class(class)) if !class.is_module => class.clone(),
            Some(_) => return Err(vm.type_error("superclass must be a Class")),
            None => vm.st.classes.object.clone(),
        };
        let class = Value::Class(vm.make_class(None, &superclass)?);
        vm.hook(&Value::Class(superclass), known::INHERITED, class.clone())?;
        if a.block.is_some() {
            eval_in(vm, &class, a, std::slice::from_ref(&class))?;
        }
        Ok(class)
    }),
];
