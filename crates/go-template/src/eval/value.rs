//! The values of templates.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of a template.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// `nil`, or a missing key of a map.
    #[default]
    Nil,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A map. Templates iterate over its keys in sorted order.
    Map(Arc<BTreeMap<String, Value>>),
}

impl Value {
    /// Creates a string.
    pub fn string(text: impl Into<Arc<str>>) -> Value {
        Value::String(text.into())
    }

    /// Creates a list.
    pub fn list(values: Vec<Value>) -> Value {
        Value::List(Arc::new(values))
    }

    /// Creates a map.
    pub fn map(entries: impl IntoIterator<Item = (String, Value)>) -> Value {
        Value::Map(Arc::new(entries.into_iter().collect()))
    }

    /// Returns whether the value counts as true, that is, whether it is not empty.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Nil => false,
            Value::Bool(truth) => *truth,
            Value::Int(number) => *number != 0,
            Value::Float(number) => *number != 0.0,
            Value::String(text) => !text.is_empty(),
            Value::List(values) => !values.is_empty(),
            Value::Map(entries) => !entries.is_empty(),
        }
    }

    /// Returns the name of the type in Go.
    pub fn type_name(&self) -> &'static str {
        match self {
            Value::Nil => "<nil>",
            Value::Bool(_) => "bool",
            Value::Int(_) => "int",
            Value::Float(_) => "float64",
            Value::String(_) => "string",
            Value::List(_) => "[]interface {}",
            Value::Map(_) => "map[string]interface {}",
        }
    }

    /// Returns the name of the kind of the type in Go.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Nil => "invalid",
            Value::List(_) => "slice",
            Value::Map(_) => "map",
            other => other.type_name(),
        }
    }

    /// Returns the string, or `None` for other values.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::string(text)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::string(text)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value::Int(number)
    }
}
