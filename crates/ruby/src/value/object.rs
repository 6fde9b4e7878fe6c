//! [`Object`]: an instance of a class, with instance variables, and with what only native code sees. => [`Object`]: an
//! instance of a class, with instance variables and native state.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use hieratic_value::random::Random;

use super::{Class, Generation, Value, drop_flat};
use crate::symbol::Symbol;

/// An object.
#[derive(Debug)]
pub(crate) struct Object {
    pub class: RefCell<Rc<Class>>,
    pub vars: RefCell<Vec<(Symbol, Value)>>,
    pub data: RefCell<Data>,
    pub frozen: Cell<bool>,
    pub generation: Generation,
    /// True if the object was a key and its class defines `hash`: then equal hashes make equal keys.
    pub hashes_by_value: Cell<bool>,
}

/// The native data of an object.
pub(crate) enum Data {
    None,
    Exception(Box<Exception>),
    /// A callback that provides instance variables that are not set.
    Lazy(Rc<dyn LazyVariables>),
    /// A generator of random numbers.
    Random(Box<Random>),
}

/// Instance variables that are fetched when they are first read: a template's.
pub(crate) trait LazyVariables {
    /// The name to ask the host for.
    fn host_name(&self, name: &str) -> Option<String>;
}

/// The file, the line and the method of a call.
pub(crate) type Place = (Arc<str>, u32, Option<Symbol>);

/// The data of an exception.
#[derive(Clone, Debug)]
pub(crate) struct Exception {
    pub message: Value,
    pub cause: Value,
    /// File, line and method of each call, innermost first.
    pub backtrace: Option<Vec<Place>>,
    /// A backtrace that code has set.
    pub set_backtrace: Option<Value>,
}

impl fmt::Debug for Data {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Data::None => "None",
            Data::Exception(_) => "Exception",
            Data::Lazy(_) => "Lazy",
            Data::Random(_) => "Random",
        })
    }
}

impl Object {
    pub fn new(class: Rc<Class>) -> Object {
        Object {
            class: RefCell::new(class),
            vars: RefCell::default(),
            data: RefCell::new(Data::None),
            frozen: Cell::new(false),
            generation: Generation::current(),
            hashes_by_value: Cell::new(false),
        }
    }

    pub fn get(&self, name: Symbol) -> Option<Value> {
        self.vars.borrow().iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }

    pub fn set(&self, name: Symbol, value: Value) {
        let mut vars = self.vars.borrow_mut();
        match vars.iter_mut().find(|(known, _)| *known == name) {
            Some((_, slot)) => *slot = value,
            None => vars.push((name, value)),
        }
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        let vars = std::mem::take(self.vars.get_mut());
        if !vars.is_empty() {
            drop_flat(vars.into_iter().map(|(_, value)| value));
        }
        if let Data::Exception(exception) = std::mem::replace(self.data.get_mut(), Data::None) {
            drop_flat([exception.message, exception.cause].into_iter());
        }
    }
}
