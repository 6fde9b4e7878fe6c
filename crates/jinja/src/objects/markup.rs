//! [`Markup`]: an escaped string, whose special characters are entities.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{DynObject, Object, ObjectRepr};

/// The result of `escape` and `safe`: a string that is not escaped again. Otherwise it behaves like a string. Functions
/// and methods receive the plain string.
#[derive(Debug)]
pub struct Markup(pub Arc<str>);

impl Markup {
    /// Creates the value of a string that is not escaped again.
    pub fn value(text: impl Into<Arc<str>>) -> Value {
        Value::from_object(Markup(text.into()))
    }

    /// Returns whether a value is an escaped string.
    pub fn is(value: &Value) -> bool {
        value.downcast_object_ref::<Markup>().is_some()
    }

    /// Converts an escaped string to a plain one. Other values are unchanged.
    pub fn plain(value: Value) -> Value {
        match value.downcast_object_ref::<Markup>() {
            Some(Markup(text)) => Value::from(text.clone()),
            None => value,
        }
    }
}

impl Object for Markup {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Plain
    }

    fn is_true(self: &Arc<Self>) -> bool {
        !self.0.is_empty()
    }

    fn custom_cmp(self: &Arc<Self>, other: &DynObject) -> Option<Ordering> {
        Some(self.0.cmp(&other.downcast_ref::<Markup>()?.0))
    }

    fn render(self: &Arc<Self>, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}
