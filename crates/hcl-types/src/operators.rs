//! Access to the elements of values.

use crate::{Type, Value};

/// The reason why an index has no element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexError {
    /// The value has no such element.
    Missing,
    /// The key has a type that the value does not support, or the value has no elements.
    Kind,
}

impl Value {
    /// Returns the element of a list or tuple by a number, or of a map by a string.
    ///
    /// # Errors
    ///
    /// The key does not exist or has the wrong type. The element of an unknown key or value is unknown.
    pub fn index(&self, key: &Value) -> Result<Value, IndexError> {
        match self {
            Value::Unknown(Type::List(element) | Type::Map(element)) => Ok(Value::Unknown((**element).clone())),
            // The number of elements is known from the type.
            Value::Unknown(Type::Tuple(types)) => match key {
                Value::Unknown(_) => Ok(Value::DYNAMIC),
                key => place(key)
                    .and_then(|place| types.get(place).cloned().map(Value::Unknown).ok_or(IndexError::Missing)),
            },
            Value::Unknown(_) => Ok(Value::DYNAMIC),
            Value::List(list) => match key {
                Value::Unknown(_) => Ok(Value::Unknown(list.element.clone())),
                key => at(&list.items, key),
            },
            Value::Tuple(items) => match key {
                Value::Unknown(_) => Ok(Value::DYNAMIC),
                key => at(items, key),
            },
            Value::Map(map) => match key {
                Value::Unknown(_) => Ok(Value::Unknown(map.element.clone())),
                Value::String(key) => map.entries.get(key).cloned().ok_or(IndexError::Missing),
                _ => Err(IndexError::Kind),
            },
            _ => Err(IndexError::Kind),
        }
    }
}

fn at(items: &[Value], key: &Value) -> Result<Value, IndexError> {
    items.get(place(key)?).cloned().ok_or(IndexError::Missing)
}

fn place(key: &Value) -> Result<usize, IndexError> {
    let Value::Number(number) = key else { return Err(IndexError::Kind) };
    number.to_i64().and_then(|place| usize::try_from(place).ok()).ok_or(IndexError::Missing)
}
