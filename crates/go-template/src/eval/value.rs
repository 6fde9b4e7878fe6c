//! The values of templates.

use std::cmp::Ordering;
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
    /// A map whose keys have any type, as YAML has them. Few functions take one: sprig's are for maps of strings.
    AnyMap(Arc<BTreeMap<Key, Value>>),
}

/// A key of a map with keys of any type, in Go's order: by type, then by value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// `nil`.
    Nil,
    /// A string.
    String(Arc<str>),
    /// An integer.
    Int(i64),
    /// A floating-point number.
    Float(FloatKey),
    /// A boolean.
    Bool(bool),
}

impl Key {
    /// Creates a key. Returns `None` for a list or a map, which Go cannot hash.
    pub fn new(value: &Value) -> Option<Key> {
        Some(match value {
            Value::Nil => Key::Nil,
            Value::Bool(truth) => Key::Bool(*truth),
            Value::Int(number) => Key::Int(*number),
            Value::Float(number) => Key::Float(FloatKey(*number)),
            Value::String(text) => Key::String(text.clone()),
            Value::List(_) | Value::Map(_) | Value::AnyMap(_) => return None,
        })
    }

    /// Returns the key as a value.
    pub fn to_value(&self) -> Value {
        match self {
            Key::Nil => Value::Nil,
            Key::Bool(truth) => Value::Bool(*truth),
            Key::Int(number) => Value::Int(*number),
            Key::Float(FloatKey(number)) => Value::Float(*number),
            Key::String(text) => Value::String(text.clone()),
        }
    }
}

/// A floating-point number as a key. NaN is before all numbers.
#[derive(Clone, Copy, Debug)]
pub struct FloatKey(f64);

impl Ord for FloatKey {
    fn cmp(&self, other: &FloatKey) -> Ordering {
        // Both zeros are one key.
        let number = |key: &FloatKey| if key.0 == 0.0 { 0.0 } else { key.0 };
        other.0.is_nan().cmp(&self.0.is_nan()).then_with(|| number(self).total_cmp(&number(other)))
    }
}

impl PartialOrd for FloatKey {
    fn partial_cmp(&self, other: &FloatKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for FloatKey {
    fn eq(&self, other: &FloatKey) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for FloatKey {}

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

    /// Creates a map with keys of any type.
    pub fn any_map(entries: BTreeMap<Key, Value>) -> Value {
        Value::AnyMap(Arc::new(entries))
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
            Value::AnyMap(entries) => !entries.is_empty(),
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
            Value::AnyMap(_) => "map[interface {}]interface {}",
        }
    }

    /// Returns the name of the kind of the type in Go.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Value::Nil => "invalid",
            Value::List(_) => "slice",
            Value::Map(_) | Value::AnyMap(_) => "map",
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
