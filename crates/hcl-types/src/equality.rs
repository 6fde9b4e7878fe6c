//! The equality of the language, and exact equality.

use std::hash::{Hash, Hasher};

use crate::{Type, Value};

impl Value {
    /// Returns the result of the operator `==`, or `None` if it depends on unknown values.
    ///
    /// Values are not converted: a list never equals a tuple, and `1` does not equal `"1"`. All nulls are equal.
    ///
    /// Source: <https://github.com/zclconf/go-cty/blob/main/docs/concepts.md>
    pub fn equals(&self, other: &Value) -> Option<bool> {
        match (self, other) {
            (Value::Unknown(_), Value::Unknown(_)) => None,
            (Value::Unknown(ty), known) | (known, Value::Unknown(ty)) => {
                if known.is_null() || ty.has_dynamic() || known.is_of(ty) { None } else { Some(false) }
            }
            (Value::Null(_), Value::Null(_)) => Some(true),
            (Value::Null(_), _) | (_, Value::Null(_)) => Some(false),
            (Value::Bool(a), Value::Bool(b)) => Some(a == b),
            (Value::Number(a), Value::Number(b)) => Some(a == b),
            (Value::String(a), Value::String(b)) => Some(a == b),
            _ => self.compound_equals(other),
        }
    }

    fn compound_equals(&self, other: &Value) -> Option<bool> {
        if !self.has_known_type() || !other.has_known_type() {
            let could_conform = conforms(&self.ty(), &other.ty()) || conforms(&other.ty(), &self.ty());
            return if could_conform { None } else { Some(false) };
        }
        if !self.same_type(other) {
            return Some(false);
        }
        if let (Value::Set(a), Value::Set(b)) = (self, other) {
            let known = |items: &[Value]| items.iter().all(Value::is_known);
            if !known(a.items()) || !known(b.items()) {
                return None;
            }
            let same = a.items().len() == b.items().len()
                && a.items().iter().zip(b.items()).all(|(a, b)| a.equals(b) == Some(true));
            return Some(same);
        }
        if let (Some(a), Some(b)) = (self.as_entries(), other.as_entries()) {
            if a.len() != b.len() || a.iter().zip(b).any(|(a, b)| a.0 != b.0) {
                return Some(false);
            }
        } else if self.length() != other.length() {
            return Some(false);
        }
        let mut result = true;
        for (a, b) in self.elements().zip(other.elements()) {
            if !a.equals(b)? {
                result = false;
                break;
            }
        }
        Some(result)
    }

    fn same_type(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::List(a), Value::List(b)) => a.element == b.element,
            (Value::Set(a), Value::Set(b)) => a.element() == b.element(),
            (Value::Map(a), Value::Map(b)) => a.element == b.element,
            (Value::Tuple(a), Value::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.same_type(b))
            }
            (Value::Object(a), Value::Object(b)) => {
                a.entries().len() == b.entries().len()
                    && a.entries().iter().zip(b.entries()).all(|(a, b)| a.0 == b.0 && a.1.same_type(&b.1))
            }
            (Value::Null(a) | Value::Unknown(a), b) | (b, Value::Null(a) | Value::Unknown(a)) => b.is_of(a),
            (Value::Bool(_), Value::Bool(_))
            | (Value::Number(_), Value::Number(_))
            | (Value::String(_), Value::String(_)) => true,
            _ => false,
        }
    }

    /// Returns whether the value contains no unknown value of unknown type.
    fn has_known_type(&self) -> bool {
        match self {
            Value::Unknown(ty) => !ty.has_dynamic(),
            _ => self.elements().all(Value::has_known_type),
        }
    }

    /// Compares values and types exactly, including nulls and unknowns.
    pub fn same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null(a), Value::Null(b)) | (Value::Unknown(a), Value::Unknown(b)) => a == b,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a == b,
            (Value::String(a), Value::String(b)) => a == b,
            (Value::List(_), Value::List(_))
            | (Value::Set(_), Value::Set(_))
            | (Value::Map(_), Value::Map(_))
            | (Value::Tuple(_), Value::Tuple(_))
            | (Value::Object(_), Value::Object(_)) => {
                let keys = |value: &Value| value.as_entries().map(|entries| entries.len());
                let same_keys = match (self.as_entries(), other.as_entries()) {
                    (Some(a), Some(b)) => a.iter().zip(b).all(|(a, b)| a.0 == b.0),
                    _ => true,
                };
                self.length() == other.length()
                    && keys(self) == keys(other)
                    && same_keys
                    && self.same_type(other)
                    && self.elements().zip(other.elements()).all(|(a, b)| a.same(b))
            }
            _ => false,
        }
    }
}

/// Returns whether a type conforms to a constraint that may contain "any".
fn conforms(ty: &Type, constraint: &Type) -> bool {
    match (ty, constraint) {
        (_, Type::Dynamic) => true,
        (Type::List(a), Type::List(b)) | (Type::Set(a), Type::Set(b)) | (Type::Map(a), Type::Map(b)) => conforms(a, b),
        (Type::Tuple(a), Type::Tuple(b)) => a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| conforms(a, b)),
        (Type::Object(a), Type::Object(b)) => {
            a.attributes().len() == b.attributes().len()
                && a.attributes().iter().zip(b.attributes()).all(|(a, b)| a.name == b.name && conforms(&a.ty, &b.ty))
        }
        (a, b) => a == b,
    }
}

/// A value as the member of a hash set: equal if the same.
pub(crate) struct SetMember(pub Value);

impl PartialEq for SetMember {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            // A set can contain both zeros.
            (Value::Number(a), Value::Number(b)) => a == b && a.is_negative() == b.is_negative(),
            (a, b) => a.equals(b) == Some(true),
        }
    }
}

impl Eq for SetMember {}

impl Hash for SetMember {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Null(_) => 0u8.hash(state),
        Value::Unknown(_) => 1u8.hash(state),
        Value::Bool(value) => value.hash(state),
        Value::Number(value) => value.hash(state),
        Value::String(value) => value.hash(state),
        compound => {
            compound.length().hash(state);
            compound.elements().for_each(|element| hash(element, state));
        }
    }
}
