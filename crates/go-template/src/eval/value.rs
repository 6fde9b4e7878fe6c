//! The values of templates.

use std::collections::BTreeMap;
use std::sync::Arc;

/// A value, as the template sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    /// No value: `nil`, or a key that a map does not have.
    #[default]
    Nil,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(f64),
    /// A string.
    String(Arc<str>),
    /// A list.
    List(Arc<Vec<Value>>),
    /// A map. Its keys are sorted, as a template iterates over them.
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

    /// Whether the value counts as true: it is not empty.
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

    /// Returns the name of the type, as Go has it.
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

    /// Returns the name of the kind of type, as Go has it.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Nil => "invalid",
            Value::List(_) => "slice",
            Value::Map(_) => "map",
            other => other.type_name(),
        }
    }

    /// Returns the text of a string.
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
