//! Definitions of methods, classes and modules.

use std::rc::Rc;
use std::sync::Arc;

use super::{Args, Outcome, Vm};
use crate::ast::{Body, ClassDef, Def};
use crate::symbol::{Symbol, known};
use crate::value::{Class, Cref, Ctx, Env, Frame, Generation, Method, MethodBody, Value, Visibility};

impl Vm<'_> {
    pub fn new_class(&mut self, name: Option<Arc<str>>, superclass: Option<Rc<Class>>, is_module: bool) -> Rc<Class> {
        self.st.all_classes.make(|number| Class::new(number, name, superclass, is_module))
    }

    /// Creates a class, whose singleton class inherits from that of its superclass.
    pub fn make_class(&mut self, name: Option<Arc<str>>, superclass: &Rc<Class>) -> Outcome<Rc<Class>> {
        self.build(512)?;
        let class = self.new_class(name, Some(superclass.clone()), false);
        self.meta(&class)?;
        Ok(class)
    }

    /// Returns the singleton class of a class, which has its class methods.
    pub fn meta(&mut self, class: &Rc<Class>) -> Outcome<Rc<Class>> {
        if let Some(meta) = &*class.meta.borrow() {
            return Ok(meta.clone());
        }
        let superclass = match (&class.superclass, class.is_module) {
            (_, true) => self.st.classes.module.clone(),
            (Some(superclass), false) => self.meta(superclass)?,
            (None, false) => self.st.classes.class.clone(),
        };
        self.build(512)?;
        let meta = self.singleton_of(Value::Class(class.clone()), superclass);
        *class.meta.borrow_mut() = Some(meta.clone());
        Ok(meta)
    }

    /// Returns the singleton class of an object.
    pub fn singleton(&mut self, value: &Value) -> Outcome<Rc<Class>> {
        match value {
            Value::Class(class) => self.meta(class),
            Value::Object(object) => {
                let class = object.class.borrow().clone();
                if class.attached.is_some() {
                    return Ok(class);
                }
                let refusal = self.sym("hieratic_refuse_singleton");
                if self.find_method(&class, refusal).is_some() {
                    self.send(value, "hieratic_refuse_singleton", &[])?;
                }
                self.build(512)?;
                self.note_change(&object.generation);
                // A reference to the object would be a cycle.
                let singleton = self.singleton_of(Value::Nil, class);
                *object.class.borrow_mut() = singleton.clone();
                Ok(singleton)
            }
            Value::Nil => Ok(self.st.classes.nil.clone()),
            Value::Int(_) | Value::Float(_) | Value::Sym(_) | Value::Big(_) => {
                Err(self.type_error("can't define singleton"))
            }
            Value::Str(_) | Value::Array(_) | Value::Hash(_) => self.singleton_of_core(value),
            _ => Err(self.unsupported("a method of one core object alone, other than a string, an array or a hash,")),
        }
    }

    /// The class of one string, array or hash alone. Few have one, so they are in a separate table.
    fn singleton_of_core(&mut self, value: &Value) -> Outcome<Rc<Class>> {
        let class = self.class_of(value);
        if class.attached.is_some() {
            return Ok(class);
        }
        self.build(640)?;
        match value {
            Value::Str(text) => self.note_change(&text.generation),
            Value::Array(list) => self.note_change(&list.generation),
            Value::Hash(hash) => self.note_change(&hash.generation),
            _ => {}
        }
        // The table keeps the object longer than the run.
        self.note_lasting_change();
        let singleton = self.singleton_of(Value::Nil, class);
        self.st.core_singletons.insert(value, singleton.clone());
        Ok(singleton)
    }

    fn singleton_of(&mut self, attached: Value, superclass: Rc<Class>) -> Rc<Class> {
        let attached = Some(attached);
        self.st.all_classes.make(|number| Class { attached, ..Class::new(number, None, Some(superclass), false) })
    }

    pub fn add_method(
        &mut self,
        class: &Rc<Class>,
        name: Symbol,
        visibility: Visibility,
        body: MethodBody,
    ) -> Outcome<()> {
        if class.frozen.get() {
            return Err(self.frozen_error(&Value::Class(class.clone())));
        }
        self.build(128)?;
        // The class of one object, as scopes are; methods of classes are defined all the time.
        if matches!(class.attached, Some(Value::Nil)) {
            self.check_singleton_method(class, name)?;
        }
        match (&body, class.title()) {
            (MethodBody::Ruby { def, .. }, Some(title)) => self.note_change_by((title, def.number, visibility)),
            _ => self.note_lasting_change(),
        }
        let method = Method { name, owner: class.clone(), visibility, body };
        class.methods.borrow_mut().insert(name, Rc::new(method));
        self.st.method_cache.clear();
        Ok(())
    }

    /// Refuses a method of one scope that Puppet itself would call.
    fn check_singleton_method(&mut self, class: &Rc<Class>, name: Symbol) -> Outcome<()> {
        let refusal = self.sym("hieratic_refuse_singleton");
        if self.find_method(class, refusal).is_some()
            && let Some(scopes) = self.constant_path("Puppet::Parser::Scope")?
        {
            self.send(&scopes, "hieratic_refuse_method", &[Value::Sym(name)])?;
        }
        Ok(())
    }

    pub fn define_method(&mut self, def: &Arc<Def>, ctx: &Ctx) -> Outcome {
        let body = || MethodBody::Ruby { def: def.clone(), cref: ctx.cref.clone(), internal: ctx.frame.internal };
        if let Some(singleton) = &def.singleton {
            let object = self.eval(singleton, ctx)?;
            let class = self.singleton(&object)?;
            self.add_method(&class, def.name, Visibility::Public, body())?;
            return Ok(Value::Sym(def.name));
        }
        let class = ctx.cref.class.clone();
        let private = [known::INITIALIZE, known::INITIALIZE_COPY, known::RESPOND_TO_MISSING].contains(&def.name);
        let in_class_body = ctx.frame.method.is_none();
        let visibility = match in_class_body {
            _ if private => Visibility::Private,
            true => ctx.frame.visibility.get(),
            false => Visibility::Public,
        };
        self.add_method(&class, def.name, visibility, body())?;
        if ctx.frame.module_function.get() {
            let meta = self.meta(&class)?;
            self.add_method(&meta, def.name, Visibility::Public, body())?;
        }
        self.hook(&Value::Class(class), known::METHOD_ADDED, Value::Sym(def.name))?;
        Ok(Value::Sym(def.name))
    }

    /// Calls a hook such as `inherited` if code has defined it. The default hooks do nothing.
    pub fn hook(&mut self, receiver: &Value, name: Symbol, argument: Value) -> Outcome<()> {
        let class = self.class_of(receiver);
        if let Some(method) = self.find_method(&class, name)
            && !matches!(method.body, MethodBody::Native(..))
        {
            self.invoke(&method, receiver, name, Args::one(argument))?;
        }
        Ok(())
    }

    pub fn alias_method(&mut self, class: &Rc<Class>, new: Symbol, old: Symbol) -> Outcome<()> {
        let found = self.find_method(class, old).or_else(|| {
            let object = self.st.classes.object.clone();
            class.is_module.then(|| self.find_method(&object, old)).flatten()
        });
        let Some(method) = found else {
            return Err(self.undefined_method(class, old));
        };
        let original = match &method.body {
            MethodBody::Alias(original) => original.clone(),
            _ => method.clone(),
        };
        self.add_method(class, new, method.visibility, MethodBody::Alias(original))
    }

    pub fn undefined_method(&mut self, class: &Rc<Class>, name: Symbol) -> Box<super::Flow> {
        let kind = if class.is_module { "module" } else { "class" };
        let message = format!("undefined method `{}' for {kind} `{}'", self.name(name), class.display_name());
        let error = self.st.classes.name_error.clone();
        self.error(&error, message)
    }

    pub fn undef_method(&mut self, class: &Rc<Class>, name: Symbol) -> Outcome<()> {
        if self.find_method(class, name).is_none() {
            return Err(self.undefined_method(class, name));
        }
        self.add_method(class, name, Visibility::Public, MethodBody::Undefined)
    }

    fn place_of(&mut self, definition: &ClassDef, ctx: &Ctx) -> Outcome<Rc<Class>> {
        match &definition.scope {
            None => Ok(ctx.cref.class.clone()),
            Some(None) => Ok(self.st.classes.object.clone()),
            Some(Some(expr)) => match self.eval(expr, ctx)? {
                Value::Class(class) => Ok(class),
                other => {
                    let shown = self.inspect(&other)?;
                    Err(self.type_error(format!("{shown} is not a class/module")))
                }
            },
        }
    }

    fn existing(&mut self, place: &Rc<Class>, definition: &ClassDef) -> Outcome<Option<Value>> {
        let name = definition.name;
        if let Some(known) = place.constants.borrow().get(&name) {
            return Ok(Some(known.clone()));
        }
        self.autoload(place, name)?;
        Ok(place.constants.borrow().get(&name).cloned())
    }

    fn full_name(&self, place: &Rc<Class>, name: Symbol) -> Arc<str> {
        let name = self.name(name);
        if Rc::ptr_eq(place, &self.st.classes.object) {
            name
        } else {
            format!("{}::{name}", place.display_name()).into()
        }
    }

    pub fn open_class(&mut self, definition: &ClassDef, line: u32, ctx: &Ctx) -> Outcome {
        let place = self.place_of(definition, ctx)?;
        let superclass = match &definition.superclass {
            Some(expr) => match self.eval(expr, ctx)? {
                Value::Class(class) if !class.is_module => Some(class),
                _ => return Err(self.type_error("superclass must be a Class")),
            },
            None => None,
        };
        self.at_line(line);
        let class = match self.existing(&place, definition)? {
            Some(Value::Class(class)) if !class.is_module => {
                let other =
                    superclass.filter(|target| !class.superclass.as_ref().is_some_and(|own| Rc::ptr_eq(own, target)));
                if other.is_some() {
                    let message = format!("superclass mismatch for class {}", self.name(definition.name));
                    return Err(self.type_error(message));
                }
                class
            }
            Some(_) => {
                let message = format!("{} is not a class", self.name(definition.name));
                return Err(self.type_error(message));
            }
            None => {
                let superclass = superclass.unwrap_or_else(|| self.st.classes.object.clone());
                let name = self.full_name(&place, definition.name);
                let class = self.make_class(Some(name), &superclass)?;
                self.set_constant(&place, definition.name, Value::Class(class.clone()))?;
                self.hook(&Value::Class(superclass), known::INHERITED, Value::Class(class.clone()))?;
                class
            }
        };
        self.run_class_body(&class, &definition.body, line, ctx)
    }

    pub fn open_module(&mut self, definition: &ClassDef, line: u32, ctx: &Ctx) -> Outcome {
        let place = self.place_of(definition, ctx)?;
        let module = match self.existing(&place, definition)? {
            Some(Value::Class(module)) if module.is_module => module,
            Some(_) => {
                let message = format!("{} is not a module", self.name(definition.name));
                return Err(self.type_error(message));
            }
            None => {
                self.build(512)?;
                let name = self.full_name(&place, definition.name);
                let module = self.new_class(Some(name), None, true);
                self.set_constant(&place, definition.name, Value::Class(module.clone()))?;
                module
            }
        };
        self.run_class_body(&module, &definition.body, line, ctx)
    }

    pub fn run_class_body(&mut self, class: &Rc<Class>, body: &Arc<Body>, line: u32, ctx: &Ctx) -> Outcome {
        let frame = Rc::new(Frame {
            method: None,
            name: None,
            block: None,
            file: ctx.frame.file.clone(),
            internal: ctx.frame.internal,
            last_match: Value::Nil.into(),
            visibility: Visibility::Public.into(),
            module_function: false.into(),
            generation: Generation::current(),
        });
        let inner = Ctx {
            me: Value::Class(class.clone()),
            env: Env::new(body.locals.len(), None),
            frame: frame.clone(),
            cref: Rc::new(Cref { class: class.clone(), parent: Some(ctx.cref.clone()) }),
            return_to: ctx.return_to,
            break_to: 0,
        };
        self.enter(frame, line)?;
        let depth = self.st.calls.len();
        let outcome = self.eval(&body.expr, &inner);
        self.st.calls.truncate(depth);
        self.leave();
        outcome
    }

    pub fn include(&mut self, class: &Rc<Class>, module: &Rc<Class>) -> Outcome<()> {
        if self.inherits(module, class) {
            return Err(self.argument_error("cyclic include detected"));
        }
        self.steps(class.includes.borrow().len() / 64)?;
        let known = class.includes.borrow().iter().any(|one| Rc::ptr_eq(one, module));
        if !known {
            class.includes.borrow_mut().insert(0, module.clone());
            self.note_mixin("include", class, module);
        }
        Ok(())
    }
}
