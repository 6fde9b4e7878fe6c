//! Callable values: methods, macros, and the results of `cycler` and `joiner`.

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use minijinja::value::{Object, ObjectRepr};
use minijinja::{Error, State, Value};

use crate::call::Args;
use crate::error::error;

/// A method that is bound to its receiver.
#[derive(Debug)]
pub struct Method {
    /// The receiver.
    pub receiver: Value,
    /// Its name.
    pub name: Arc<str>,
    /// Calls the method with this name of a value.
    pub call: fn(&Value, &str, Args) -> Result<Value, Error>,
}

impl Object for Method {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &mut State<'_, '_>, args: &[Value]) -> Result<Value, Error> {
        (self.call)(&self.receiver, &self.name, Args::from_values(&self.name, args)?)
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "<built-in method {}>", self.name)
    }
}

/// A macro. It is opaque except to the renderer that created it, which can call it.
#[derive(Debug)]
pub struct Macro {
    /// The name. It is empty for the body of a `call`.
    pub name: Arc<str>,
    /// The definition of the macro.
    pub definition: Arc<dyn Any + Send + Sync>,
    /// The context of the macro. The renderer clears the scopes that contain macros at its end, because the two keep
    /// each other alive.
    pub origin: Arc<dyn Any + Send + Sync>,
    /// Whether the macro escapes its output.
    pub escapes: bool,
}

impl Object for Macro {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &mut State<'_, '_>, _: &[Value]) -> Result<Value, Error> {
        Err(error(format!("the macro '{}' can only be called by a template", self.name)))
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.name {
            "" => out.write_str("<Macro anonymous>"),
            name => write!(out, "<Macro '{name}'>"),
        }
    }
}

/// The result of `cycler(...)`, which returns its values in turn.
#[derive(Debug)]
pub struct Cycler {
    /// The values. There is at least one.
    pub items: Vec<Value>,
    /// The index of the next value.
    pub at: AtomicUsize,
}

impl Cycler {
    /// Returns the next value.
    pub fn current(&self) -> Value {
        self.items.get(self.at.load(Ordering::Relaxed)).cloned().unwrap_or_default()
    }

    /// Returns the next value, and advances.
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

    fn call_method(self: &Arc<Self>, _: &mut State<'_, '_>, method: &str, _: &[Value]) -> Result<Value, Error> {
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

/// The result of `joiner(...)`, which returns an empty string on the first call, and its separator on all others.
#[derive(Debug)]
pub struct Joiner {
    /// The separator.
    pub separator: Value,
    /// The number of calls.
    pub calls: AtomicUsize,
}

impl Object for Joiner {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn call(self: &Arc<Self>, _: &mut State<'_, '_>, _: &[Value]) -> Result<Value, Error> {
        match self.calls.fetch_add(1, Ordering::Relaxed) {
            0 => Ok(Value::from("")),
            _ => Ok(self.separator.clone()),
        }
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("<Joiner>")
    }
}
