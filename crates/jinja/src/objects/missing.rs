//! [`Missing`]: something that is not defined.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Object, ObjectRepr};

use crate::error::{Result, undefined};

/// Something that is not defined. It can be asked for its parts, which are not defined either, and tested; whatever else
/// is done with it is an error, if undefined things are errors at all.
#[derive(Clone, Debug)]
pub struct Missing {
    /// What is missing.
    pub what: What,
    /// Whether to use it is an error.
    pub strict: bool,
}

/// What is missing.
#[derive(Clone, Debug)]
pub enum What {
    /// A variable.
    Variable(Arc<str>),
    /// An attribute of an object of a type.
    Attribute(Cow<'static, str>, Arc<str>),
    /// An element of an object of a type; the element as Python writes it.
    Element(String, String),
    /// Something that is told in words.
    Hint(String),
    /// What an `if` without `else` gives when its condition is false. It prints as nothing, and is never an error.
    NoElse,
}

impl Missing {
    /// A value for something that is not defined.
    pub fn value(what: What, strict: bool) -> Value {
        Value::from_object(Missing { what, strict })
    }

    /// A part of it, which is missing for the same reason; the value is this one. What an `if` without `else` gives has none.
    pub fn part(&self, value: &Value) -> Result<Value> {
        match self.what {
            What::NoElse => Err(undefined(self.message())),
            _ => Ok(value.clone()),
        }
    }

    /// What is not defined cannot be used; where that is allowed, it is empty.
    pub fn defined(&self) -> Result<()> {
        match self.strict {
            true => Err(undefined(self.message())),
            false => Ok(()),
        }
    }

    /// The same where a value is needed: what an `if` without `else` gives can be printed, and nothing else.
    pub fn usable(&self) -> Result<()> {
        match self.what {
            What::NoElse => Err(undefined(self.message())),
            _ => self.defined(),
        }
    }

    /// What Jinja2 says of it.
    pub fn message(&self) -> String {
        match &self.what {
            What::Variable(name) => format!("'{name}' is undefined"),
            What::Attribute(owner, name) => format!("'{owner}' has no attribute '{name}'"),
            What::Element(owner, element) => format!("'{owner}' has no element {element}"),
            What::Hint(hint) => hint.clone(),
            What::NoElse => "the inline if-expression evaluated to false and no else section was defined.".into(),
        }
    }

    /// What is printed for it, where that is no error.
    pub fn placeholder(&self) -> String {
        match &self.what {
            What::Variable(name) => format!("{{{{ {name} }}}}"),
            What::Attribute(owner, name) => format!("{{{{ no such element: {owner}['{name}'] }}}}"),
            What::Element(owner, element) => format!("{{{{ no such element: {owner}[{element}] }}}}"),
            What::NoElse => String::new(),
            What::Hint(hint) => format!("{{{{ undefined value printed: {hint} }}}}"),
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
