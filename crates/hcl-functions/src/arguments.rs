//! Typed access to the arguments of functions.
//!
//! [`hieratic_hcl_types::Function`] has checked the types and number of the arguments, so the fallback for a missing or
//! mistyped argument is never used.

use hieratic_hcl_types::{CallError, Number, Parameter, Type, Value};

/// The result of a function call.
pub(crate) type CallResult = Result<Value, CallError>;

pub(crate) fn string(name: &'static str) -> Parameter {
    Parameter::new(name, Type::String)
}

pub(crate) fn number(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Number)
}

pub(crate) fn any(name: &'static str) -> Parameter {
    Parameter::new(name, Type::Dynamic)
}

/// A parameter that accepts everything: nulls, unknown values, values of unknown type.
pub(crate) fn everything(name: &'static str) -> Parameter {
    any(name).nullable().with_unknown().with_dynamic()
}

/// The string at that index.
pub(crate) fn text(arguments: &[Value], index: usize) -> &str {
    arguments.get(index).and_then(Value::as_str).unwrap_or_default()
}

/// The value at that index.
pub(crate) fn value(arguments: &[Value], index: usize) -> &Value {
    arguments.get(index).unwrap_or(&Value::NULL)
}

/// The number at that index.
pub(crate) fn numeric(arguments: &[Value], index: usize) -> Number {
    arguments.get(index).and_then(Value::as_number).cloned().unwrap_or(Number::ZERO)
}

/// The number at that index as an `i64`, or an error message.
pub(crate) fn whole(arguments: &[Value], index: usize) -> Result<i64, String> {
    match arguments.get(index) {
        Some(Value::Number(number)) => whole_of(number),
        _ => Err("null value is not allowed".into()),
    }
}

fn whole_of(number: &Number) -> Result<i64, String> {
    number.to_i64().ok_or_else(|| format!("value must be a whole number, between {} and {}", i64::MIN, i64::MAX))
}

/// The number at that index as an `f64`, or an error message.
pub(crate) fn float(arguments: &[Value], index: usize) -> Result<f64, String> {
    let number = numeric(arguments, index);
    let float = number.to_f64();
    if float.is_infinite() && !number.is_infinite() {
        return Err(format!("value must be between {:.6} and {:.6} inclusive", -f64::MAX, f64::MAX));
    }
    Ok(float)
}

/// An error of the call as a whole.
pub(crate) fn call_error<T>(message: impl Into<String>) -> Result<T, CallError> {
    Err(CallError::call(message))
}

/// A failure of one argument.
pub(crate) fn argument_error<T>(index: usize, message: impl Into<String>) -> Result<T, CallError> {
    Err(CallError::argument(index, message))
}

/// The element type of a collection with these items: `ty` itself, or the common type of the items if `ty` contains
/// "any". `None` if the items have different types.
pub(crate) fn common_item_type<'v>(ty: &Type, mut items: impl Iterator<Item = &'v Value>) -> Option<Type> {
    if !ty.has_dynamic() {
        return Some(ty.clone());
    }
    let Some(first) = items.next().map(Value::ty) else { return Some(ty.clone()) };
    items.all(|item| item.is_of(&first)).then_some(first)
}

/// The type of the elements of a list or set.
pub(crate) fn element_type(value: &Value) -> Option<&Type> {
    match value {
        Value::List(list) => Some(&list.element),
        Value::Set(set) => Some(set.element()),
        Value::Map(map) => Some(&map.element),
        _ => None,
    }
}
