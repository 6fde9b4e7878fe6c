//! [`Missing`]: an undefined value.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use crate::error::{Result, undefined};

/// An undefined value. Its attributes and elements are undefined as well, and it can be tested. Every other use is an
/// error if undefined values are errors.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The name that is undefined.
    pub what: UndefinedOrigin,
    /// Whether its use is an error.
    pub strict: bool,
}

/// The origin of an undefined value.
#[derive(Clone, Debug)]
pub enum UndefinedOrigin {
    /// A variable.
    Variable(Arc<str>),
    /// An attribute of an object of a type.
    Attribute(Cow<'static, str>, Arc<str>),
    /// An element of an object of a type. The element has the form of Python's `repr`.
    Element(String, String),
    /// An origin that is described by a message.
    Hint(String),
    /// The result of an `if` without `else` whose condition is false. It prints as an empty string, and is never an
    /// error there.
    NoElse,
}

impl Missing {
    /// Creates an undefined value.
    pub fn value(origin: UndefinedOrigin, strict: bool) -> Value {
        Value::from_object(Missing { what: origin, strict })
    }

    /// Returns an attribute of the undefined value, which is undefined for the same reason. `value` is this object. The
    /// result of an `if` without `else` has no attributes.
    pub fn part(&self, value: &Value) -> Result<Value> {
        match self.what {
            UndefinedOrigin::NoElse => Err(undefined(self.message())),
            _ => Ok(value.clone()),
        }
    }

    /// Returns an error unless undefined values can be used as empty ones.
    pub fn defined(&self) -> Result<()> {
        if self.strict { Err(undefined(self.message())) } else { Ok(()) }
    }

    /// Returns an error where a value is required. The result of an `if` without `else` can be printed, but not used.
    pub fn usable(&self) -> Result<()> {
        match self.what {
            UndefinedOrigin::NoElse => Err(undefined(self.message())),
            _ => self.defined(),
        }
    }

    /// Returns the message of Jinja2.
    pub fn message(&self) -> String {
        match &self.what {
            UndefinedOrigin::Variable(name) => format!("'{name}' is undefined"),
            UndefinedOrigin::Attribute(owner, name) => format!("'{owner}' has no attribute '{name}'"),
            UndefinedOrigin::Element(owner, element) => format!("'{owner}' has no element {element}"),
            UndefinedOrigin::Hint(hint) => hint.clone(),
            UndefinedOrigin::NoElse => {
                "the inline if-expression evaluated to false and no else section was defined.".into()
            }
        }
    }

    /// Returns the string that is printed if undefined values are not errors.
    pub fn placeholder(&self) -> String {
        match &self.what {
            UndefinedOrigin::Variable(name) => format!("{{{{ {name} }}}}"),
            UndefinedOrigin::Attribute(owner, name) => format!("{{{{ no such element: {owner}['{name}'] }}}}"),
            UndefinedOrigin::Element(owner, element) => format!("{{{{ no such element: {owner}[{element}] }}}}"),
            UndefinedOrigin::NoElse => String::new(),
            UndefinedOrigin::Hint(hint) => format!("{{{{ undefined value printed: {hint} }}}}"),
        }
    }
}

impl Object for Missing {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        false
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.placeholder())
    }
}
