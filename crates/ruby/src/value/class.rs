//! [`Class`]: classes and modules with their methods and constants.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::collections::{FixedState, HashMap};
use indexmap::IndexMap;

use super::{Proc, Value};
use crate::ast::Def;
use crate::methods::Traits;
use crate::symbol::Symbol;
use crate::vm::{Args, Outcome, Vm};

/// A method in Rust: the receiver and the arguments.
pub(crate) type Native = fn(&mut Vm<'_>, &Value, &Args) -> Outcome;

/// The visibility of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Visibility {
    Public,
    Private,
    Protected,
}

/// A method.
#[derive(Debug)]
pub(crate) struct Method {
    pub name: Symbol,
    pub owner: Rc<Class>,
    pub visibility: Visibility,
    pub body: MethodBody,
}

/// The body of a method.
pub(crate) enum MethodBody {
    Ruby {
        def: Arc<Def>,
        cref: Rc<super::Cref>,
        internal: bool,
    },
    /// A native method, with the minimum and the maximum number of arguments; -1 for any number.
    Native(Native, i8, i8, Traits),
    /// A method of `define_method`.
    Proc(Rc<Proc>),
    Reader(Symbol),
    Writer(Symbol),
    /// Marks an undefined method (`undef`), which also ends the search in ancestors.
    Undefined,
    /// Another method under a new name.
    Alias(Rc<Method>),
}

impl fmt::Debug for MethodBody {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("MethodBody")
    }
}

/// A class or module.
pub(crate) struct Class {
    pub id: u32,
    pub name: RefCell<Option<Arc<str>>>,
    pub superclass: Option<Rc<Class>>,
    pub is_module: bool,
    /// The object that this singleton class belongs to.
    pub attached: Option<Value>,
    /// Modules that were included, the last first.
    pub includes: RefCell<Vec<Rc<Class>>>,
    pub prepends: RefCell<Vec<Rc<Class>>>,
    pub methods: RefCell<HashMap<Symbol, Rc<Method>>>,
    pub constants: RefCell<IndexMap<Symbol, Value, FixedState>>,
    pub class_vars: RefCell<HashMap<Symbol, Value>>,
    pub vars: RefCell<Vec<(Symbol, Value)>>,
    /// The class of the class: where its own methods are.
    pub meta: RefCell<Option<Rc<Class>>>,
    pub frozen: Cell<bool>,
    /// The method resolution order, with the version of the hierarchy for which it is valid.
    pub ancestors: RefCell<(u64, Rc<[Rc<Class>]>)>,
}

impl fmt::Debug for Class {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Class({:?})", self.name.borrow())
    }
}

impl Class {
    /// Returns the identity of the class in the interpreter: its name and false or, for the singleton class of a class,
    /// the name of that class and true. `None` for other singleton classes and for anonymous classes.
    pub fn title(&self) -> Option<(Arc<str>, bool)> {
        match &self.attached {
            None => Some((self.name.borrow().clone()?, false)),
            Some(Value::Class(of)) if of.attached.is_none() => Some((of.name.borrow().clone()?, true)),
            Some(_) => None,
        }
    }

    /// Drops all references of the class, at the end of its interpreter.
    pub fn take_apart(&self) {
        drop((self.includes.take(), self.prepends.take(), self.methods.take(), self.constants.take()));
        drop((self.class_vars.take(), self.vars.take(), self.meta.take()));
        self.ancestors.replace((0, Rc::from([])));
    }

    pub fn new(id: u32, name: Option<Arc<str>>, superclass: Option<Rc<Class>>, is_module: bool) -> Class {
        Class {
            id,
            name: RefCell::new(name),
            superclass,
            is_module,
            attached: None,
            includes: RefCell::default(),
            prepends: RefCell::default(),
            methods: RefCell::default(),
            constants: RefCell::default(),
            class_vars: RefCell::default(),
            vars: RefCell::default(),
            meta: RefCell::default(),
            frozen: Cell::new(false),
            ancestors: RefCell::new((0, Rc::new([]))),
        }
    }

    /// Returns the name, or the `inspect` form of an anonymous class.
    pub fn display_name(&self) -> String {
        match &*self.name.borrow() {
            Some(name) => name.to_string(),
            None => match &self.attached {
                Some(Value::Class(of)) => format!("#<Class:{}>", of.display_name()),
                Some(_) => "#<Class:#<Object>>".into(),
                None => format!("#<{}:0x{:016x}>", if self.is_module { "Module" } else { "Class" }, self.id * 8),
            },
        }
    }
}
