//! A type as a value.

use std::any::Any;
use std::hash::{Hash, Hasher};

use hieratic_value::{Extended, Value};

use crate::types::Type;

/// A type that is itself a value, as in `$x = Integer[1]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeValue(pub Type);

impl Type {
    /// The type as a value.
    pub fn into_value(self) -> Value {
        Value::from_extended(TypeValue(self))
    }

    /// The type that a value is.
    pub fn of_value(value: &Value) -> Option<&Type> {
        value.extended::<TypeValue>().map(|value| &value.0)
    }
}

impl Extended for TypeValue {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn Extended) -> bool {
        other.as_any().downcast_ref::<TypeValue>() == Some(self)
    }

    fn hash_into(&self, mut state: &mut dyn Hasher) {
        self.0.hash(&mut state);
    }

    fn to_text(&self) -> String {
        self.0.to_string()
    }

    fn ruby_class(&self) -> &'static str {
        self.0.ruby_class()
    }

    fn clone_box(&self) -> Box<dyn Extended> {
        Box::new(self.clone())
    }
}
