//! What can be called: methods, macros, and what `cycler` and `joiner` make.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::{Object, ObjectRepr};
use minijinja::{Error, State, Value};

use crate::call::Args;
use crate::error::error;

/// A method with what it is a method of.
#[derive(Debug)]
pub struct Method {
    /// What it is called on.
    pub receiver: Value,
    /// Its name.
    pub name: Arc<str>,
    /// Calls the method of this name of a value.
    pub call: fn(&Value, &str, Args) -> Result<Value, Error>,
}

impl Object for Method {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &State<'_, '_>, args: &[Value]) -> Result<Value, Error> {
        (self.call)(&self.receiver, &self.name, Args::from_values(&self.name, args)?)
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<built-in method {}>", self.name)
    }
}

/// A macro. Only the renderer that made it knows what it is made of, and can call it.
#[derive(Debug)]
pub struct Macro {
    /// Its name.
    pub name: Arc<str>,
    /// The macro as written.
    pub definition: Arc<dyn Any + Send + Sync>,
    /// What it sees. The renderer empties the scopes that hold macros when it is done, since they keep each other alive.
    pub origin: Arc<dyn Any + Send + Sync>,
    /// Whether it escapes what it prints.
    pub escapes: bool,
}

impl Object for Macro {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &State<'_, '_>, _: &[Value]) -> Result<Value, Error> {
        Err(error(format!("the macro '{}' can only be called by a template", self.name)))
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<Macro '{}'>", self.name)
    }
}

/// What `cycler(...)` makes: it gives one value after the other.
#[derive(Debug)]
pub struct Cycler {
    /// The values; never empty.
    pub items: Vec<Value>,
    /// Which is next.
    pub at: AtomicUsize,
}

impl Cycler {
    /// The value that is next.
    pub fn current(&self) -> Value {
        self.items.get(self.at.load(Ordering::Relaxed)).cloned().unwrap_or_default()
    }

    /// The value that is next, after which another one is.
    pub fn next(&self) -> Value {
        let current = self.current();
        let at = self.at.load(Ordering::Relaxed) + 1;
        self.at.store(if at < self.items.len() { at } else { 0 }, Ordering::Relaxed);
        current
    }
}

impl Object for Cycler {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        (key.as_str() == Some("current")).then(|| self.current())
    }

    fn call_method(self: &Arc<Self>, _: &State<'_, '_>, method: &str, _: &[Value]) -> Result<Value, Error> {
        match method {
            "next" => Ok(self.next()),
            "reset" => {
                self.at.store(0, Ordering::Relaxed);
                Ok(Value::from(()))
            }
            _ => Err(Error::from(minijinja::ErrorKind::UnknownMethod)),
        }
    }

    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<Cycler>")
    }
}

/// What `joiner(...)` makes: nothing the first time it is called, then always its text.
#[derive(Debug)]
pub struct Joiner {
    /// The text.
    pub separator: Value,
    /// How often it was called.
    pub calls: AtomicUsize,
}

impl Object for Joiner {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &State<'_, '_>, _: &[Value]) -> Result<Value, Error> {
        match self.calls.fetch_add(1, Ordering::Relaxed) {
            0 => Ok(Value::from("")),
            _ => Ok(self.separator.clone()),
        }
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<Joiner>")
    }
}
