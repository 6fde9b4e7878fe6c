//! `Init[T]`: what a type can be created from, and the creation.

use hieratic_value::Value;

use super::{ConversionError, Converted, make as make_type};
use crate::types::{InitType, Type};

/// Whether the type can be created from the value.
pub(crate) fn takes(init: &InitType, value: &Value) -> bool {
    init.kind.is_instance(value) || make(init, std::slice::from_ref(value)).is_ok()
}

/// Whether values of the other type are of the type already.
pub(crate) fn accepts(init: &InitType, other: &Type) -> bool {
    init.kind.is_assignable(other)
}

/// Makes a value of the type.
pub(super) fn make(init: &InitType, arguments: &[Value]) -> Converted {
    let _: Option<ConversionError> = None;
    let all: Vec<Value> = arguments.iter().chain(&init.arguments).cloned().collect();
    make_type(&init.kind, &all)
}
