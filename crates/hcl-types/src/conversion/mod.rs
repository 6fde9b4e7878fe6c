//! Conversion of values to other types.
//!
//! The types alone decide whether a conversion exists ([`conversion`]); applying it may still fail for some values. A
//! conversion that never fails is *safe*. Source: <https://github.com/zclconf/go-cty/blob/main/docs/convert.md>.

mod apply;
mod mismatch;
mod plan;

use std::fmt;

use crate::{Text, Type, Value};

pub use mismatch::mismatch;
use plan::PlannedConversion;

/// A conversion from one type to another.
#[derive(Clone, Debug)]
pub struct Conversion(PlannedConversion);

impl Conversion {
    /// Converts a value of the source type.
    ///
    /// # Errors
    ///
    /// The value cannot be converted, such as a string that is not a number.
    pub fn apply(&self, value: &Value) -> Result<Value, ConversionError> {
        self.0.apply(value).map_err(ConversionError::outermost_first)
    }
}

/// Returns the conversion between two types, or `None` if they cannot be converted.
pub fn conversion(from: &Type, to: &Type) -> Option<Conversion> {
    plan::plan_conversion(from, to, true).map(Conversion)
}

/// Returns the safe conversion between two types, which never fails, or `None` if there is none.
pub fn safe_conversion(from: &Type, to: &Type) -> Option<Conversion> {
    plan::plan_conversion(from, to, false).map(Conversion)
}

/// Converts a value to a type.
///
/// # Errors
///
/// The types or this value cannot be converted. The message names the requirement.
pub fn convert(value: &Value, to: &Type) -> Result<Value, ConversionError> {
    if value.is_of(to) || (to.has_optional() && value.is_of(&to.without_optional())) {
        return Ok(value.clone());
    }
    if let (Value::Tuple(items), Type::List(element)) = (value, to)
        && matches!(**element, Type::String | Type::Number | Type::Bool)
        && !items.is_empty()
        && items.iter().all(|item| item.is_of(element))
    {
        return Ok(Value::list((**element).clone(), items.to_vec()));
    }
    let from = value.ty();
    match conversion(&from, to) {
        Some(conversion) => conversion.apply(value),
        None => Err(ConversionError { path: Vec::new(), message: mismatch(&from, to) }),
    }
}

/// The error for a value that cannot be converted to another type, or from and to JSON.
#[derive(Clone, Debug)]
pub struct ConversionError {
    /// The path to the part that cannot be converted.
    pub path: Vec<PathStep>,
    /// The unmet requirement.
    pub message: String,
}

/// One step into a value.
#[derive(Clone, Debug)]
pub enum PathStep {
    /// The element with this key or index.
    Index(Value),
    /// The attribute with this name.
    Attribute(Text),
}

impl ConversionError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { path: Vec::new(), message: message.into() }
    }

    /// The steps are collected from the inside.
    fn outermost_first(mut self) -> Self {
        self.path.reverse();
        self
    }

    fn within(mut self, step: PathStep) -> Self {
        self.path.push(step);
        self
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError {}

#[cfg(test)]
mod tests;
