//! Builds an interpreter: the core classes, their native methods, and the prelude in Ruby.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_ruby_regexp::Patterns;
use hieratic_value::collections::{HashMap, HashSet};

use super::classes::Classes;
use super::state::{Builtins, State};
use super::{Outcome, Vm};
use crate::host::Host;
use crate::library::Library;
use crate::prelude;
use crate::symbol::Symbol;
use crate::value::{Class, Cref, Method, MethodBody, Native, Object, Value, Visibility};

/// Native methods of a class: name, least and most arguments, code. A name that starts with `self.` is a method of the
/// class itself, one that starts with `-` is private.
pub(crate) type Natives = &'static [(&'static str, i8, i8, Native)];

/// The maximum number of cached patterns that code has made from strings.
const MAX_PATTERNS: usize = 1_024;

impl State {
    /// Creates the state of an interpreter that has only the core.
    pub fn new(host: &mut dyn Host) -> Box<State> {
        let library = Library::current();
        let mut all_classes = Classes::default();
        let mut class = |name: &str, superclass: Option<&Rc<Class>>, is_module: bool| {
            all_classes.make(|number| Class::new(number, Some(name.into()), superclass.cloned(), is_module))
        };
        let basic_object = class("BasicObject", None, false);
        let object = class("Object", Some(&basic_object), false);
        let module = class("Module", Some(&object), false);
        let kernel = class("Kernel", None, true);
        let comparable = class("Comparable", None, true);
        let enumerable = class("Enumerable", None, true);
        let numeric = class("Numeric", Some(&object), false);
        let exception = class("Exception", Some(&object), false);
        let script_error = class("ScriptError", Some(&exception), false);
        let standard_error = class("StandardError", Some(&exception), false);
        let argument_error = class("ArgumentError", Some(&standard_error), false);
        let name_error = class("NameError", Some(&standard_error), false);
        let runtime_error = class("RuntimeError", Some(&standard_error), false);
        let index_error = class("IndexError", Some(&standard_error), false);
        let range_error = class("RangeError", Some(&standard_error), false);
        let no_matching_pattern = class("NoMatchingPatternError", Some(&standard_error), false);
        let arithmetic_error = class("ArithmeticError", Some(&standard_error), false);
        let classes = Builtins {
            class: class("Class", Some(&module), false),
            nil: class("NilClass", Some(&object), false),
            true_class: class("TrueClass", Some(&object), false),
            false_class: class("FalseClass", Some(&object), false),
            integer: class("Integer", Some(&numeric), false),
            float: class("Float", Some(&numeric), false),
            string: class("String", Some(&object), false),
            symbol: class("Symbol", Some(&object), false),
            array: class("Array", Some(&object), false),
            hash: class("Hash", Some(&object), false),
            range: class("Range", Some(&object), false),
            regexp: class("Regexp", Some(&object), false),
            match_data: class("MatchData", Some(&object), false),
            proc: class("Proc", Some(&object), false),
            method: class("Method", Some(&object), false),
            unbound_method: class("UnboundMethod", Some(&object), false),
            foreign: class("PuppetValue", Some(&object), false),
            type_error: class("TypeError", Some(&standard_error), false),
            no_method_error: class("NoMethodError", Some(&name_error), false),
            key_error: class("KeyError", Some(&index_error), false),
            stop_iteration: class("StopIteration", Some(&index_error), false),
            zero_division: class("ZeroDivisionError", Some(&arithmetic_error), false),
            frozen_error: class("FrozenError", Some(&runtime_error), false),
            local_jump_error: class("LocalJumpError", Some(&standard_error), false),
            float_domain_error: class("FloatDomainError", Some(&range_error), false),
            regexp_error: class("RegexpError", Some(&standard_error), false),
            no_matching_pattern_key: class("NoMatchingPatternKeyError", Some(&no_matching_pattern), false),
            uncaught_throw: class("UncaughtThrowError", Some(&argument_error), false),
            not_implemented: class("NotImplementedError", Some(&script_error), false),
            system_stack: class("SystemStackError", Some(&exception), false),
            basic_object,
            object,
            module,
            kernel,
            comparable,
            enumerable,
            numeric,
            exception,
            standard_error,
            argument_error,
            name_error,
            runtime_error,
            index_error,
            range_error,
            no_matching_pattern,
        };
        let mut named: Vec<Rc<Class>> = vec![script_error, arithmetic_error];
        let c = &classes;
        for one in [
            &c.basic_object,
            &c.object,
            &c.module,
            &c.class,
            &c.kernel,
            &c.comparable,
            &c.enumerable,
            &c.nil,
            &c.true_class,
            &c.false_class,
            &c.integer,
            &c.float,
            &c.numeric,
            &c.string,
            &c.symbol,
            &c.array,
            &c.hash,
            &c.range,
            &c.regexp,
            &c.match_data,
            &c.proc,
            &c.method,
            &c.unbound_method,
            &c.exception,
            &c.standard_error,
            &c.type_error,
            &c.argument_error,
            &c.name_error,
            &c.no_method_error,
            &c.runtime_error,
            &c.range_error,
            &c.index_error,
            &c.key_error,
            &c.zero_division,
            &c.frozen_error,
            &c.stop_iteration,
            &c.local_jump_error,
            &c.float_domain_error,
            &c.regexp_error,
            &c.no_matching_pattern,
            &c.no_matching_pattern_key,
            &c.uncaught_throw,
            &c.not_implemented,
            &c.system_stack,
            &c.foreign,
        ] {
            named.push(one.clone());
        }
        for one in &named {
            let text: Arc<str> = one.name.borrow().clone().unwrap_or_default();
            let name = library.intern(&text);
            c.object.constants.borrow_mut().insert(name, Value::Class(one.clone()));
        }
        c.object.includes.borrow_mut().push(c.kernel.clone());
        for one in [&c.string, &c.numeric] {
            one.includes.borrow_mut().push(c.comparable.clone());
        }
        for one in [&c.array, &c.hash, &c.range] {
            one.includes.borrow_mut().push(c.enumerable.clone());
        }
        let main = Value::Object(Rc::new(Object::new(classes.object.clone())));
        let root = Rc::new(Cref { class: classes.object.clone(), parent: None });
        let state = Box::new(State {
            library,
            classes,
            globals: HashMap::default(),
            method_cache: HashMap::default(),
            version: 1,
            calls: Vec::new(),
            next_id: 0,
            all_classes,
            core_singletons: Default::default(),
            fuel: Cell::new(0),
            built: 0,
            objects: 0,
            owed_steps: Cell::new(0),
            run: 0,
            running: 0,
            patterns: Patterns::new(MAX_PATTERNS),
            imports: Default::default(),
            lasting: 0,
            has_changed: false,
            history: Some(0),
            current_error: Value::Nil,
            last_host_error: None,
            functions: Default::default(),
            variables: Vec::new(),
            lent_blocks: Vec::new(),
            file_data: HashMap::default(),
            mismatch: None,
            pending: None,
            is_tracking: false,
            secrets: 0,
            is_native: false,
            sources: Default::default(),
            names: Default::default(),
            main,
            root,
            features: HashSet::default(),
            visiting: Vec::new(),
            object_ids: HashMap::default(),
            object_numbers: HashMap::default(),
            pinned: Vec::new(),
            programs: HashMap::default(),
            programs_size: 0,
            match_cache: HashMap::default(),
            unmatched: Vec::new(),
            output: String::new(),
        });
        // Loading the core costs the same for every node, so it is not charged to a budget.
        let mut free = crate::host::NullHost::default();
        let _ = host;
        let mut vm = Vm { host: &mut free, st: super::StateSlot::new(state) };
        vm.install();
        vm.st.take().expect("nothing is lent while the core is read")
    }
}

impl Vm<'_> {
    fn install(&mut self) {
        for (path, natives) in crate::methods::TABLES {
            let Some(class) = self.native_class(path) else { continue };
            self.add_natives(path, &class, natives);
        }
        let library = self.st.library.clone();
        for program in library.core() {
            let me = self.st.main.clone();
            if let Err(flow) = self.run(program, me) {
                // The prelude is part of the program and tested with it.
                panic!("{}: {}", program.file, self.describe(&flow));
            }
        }
        self.st.calls.clear();
        (self.st.has_changed, self.st.history) = (false, Some(0));
        self.st.built = 0;
        (self.st.fuel, self.st.owed_steps) = Default::default();
    }

    /// Returns a class by its path, creating missing modules.
    fn native_class(&mut self, path: &str) -> Option<Rc<Class>> {
        let mut at = self.st.classes.object.clone();
        for part in path.split("::") {
            let name = self.sym(part);
            let known = at.constants.borrow().get(&name).cloned();
            at = match known {
                Some(Value::Class(class)) => class,
                Some(_) => return None,
                None => {
                    let full = if Rc::ptr_eq(&at, &self.st.classes.object) {
                        part.into()
                    } else {
                        format!("{}::{part}", at.display_name())
                    };
                    let module = self.new_class(Some(full.into()), None, true);
                    at.constants.borrow_mut().insert(name, Value::Class(module.clone()));
                    module
                }
            };
        }
        Some(at)
    }

    fn add_natives(&mut self, path: &str, class: &Rc<Class>, natives: Natives) {
        for (name, least, most, native) in natives {
            let traits = crate::methods::traits_of(path, name);
            let (visibility, name) = match name.strip_prefix('-').filter(|rest| rest.len() > 1) {
                Some(name) if !name.starts_with('@') => (Visibility::Private, name),
                _ => (Visibility::Public, *name),
            };
            let (owner, name) = match name.strip_prefix("self.") {
                Some(name) => match self.meta(class) {
                    Ok(meta) => (meta, name),
                    Err(_) => continue,
                },
                None => (class.clone(), name),
            };
            let name = self.sym(name);
            let body = MethodBody::Native(*native, *least, *most, traits);
            let method = Method { name, owner: owner.clone(), visibility, body };
            owner.methods.borrow_mut().insert(name, Rc::new(method));
        }
        self.st.method_cache.clear();
    }

    /// Loads the library that defines a constant. Returns false if there is none.
    pub fn autoload(&mut self, class: &Rc<Class>, name: Symbol) -> Outcome<bool> {
        if !Rc::ptr_eq(class, &self.st.classes.object) {
            return Ok(false);
        }
        let text = self.name(name);
        match prelude::library_of(&text) {
            Some(library) => self.load_library(library),
            None => Ok(false),
        }
    }

    /// Loads a library of the prelude. Returns false if it was loaded already.
    pub fn load_library(&mut self, library: &str) -> Outcome<bool> {
        if !self.st.features.insert(library.to_owned()) {
            return Ok(false);
        }
        let Some(program) = self.st.library.prelude(library) else { return Ok(false) };
        self.run_file(&program)?;
        Ok(true)
    }

    /// Describes a flow for error messages of the interpreter.
    pub fn describe(&mut self, flow: &super::Flow) -> String {
        match flow {
            super::Flow::Raise(exception) => {
                let class = self.class_name(exception);
                let message = self.message_of(exception).unwrap_or_default();
                let place = self
                    .place_of_exception(exception)
                    .map(|(file, line)| format!(" at {file}:{line}"))
                    .unwrap_or_default();
                format!("{class}: {message}{place}")
            }
            super::Flow::Fatal(fatal) => format!("{} at {}:{}", fatal.message, fatal.file, fatal.line),
            other => format!("{other:?}"),
        }
    }

    /// Returns the position where an exception was raised.
    pub fn place_of_exception(&self, exception: &Value) -> Option<(Arc<str>, u32)> {
        let Value::Object(object) = exception else { return None };
        match &*object.data.borrow() {
            crate::value::Data::Exception(inner) => {
                inner.backtrace.as_ref()?.first().map(|(file, line, _)| (file.clone(), *line))
            }
            _ => None,
        }
    }
}
