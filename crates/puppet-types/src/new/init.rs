//! `Init.new`: creates a value of the type in brackets.

use hieratic_value::Value;

use super::{ConversionResult, choose, instantiate};
use crate::check::Check;
use crate::creation::of_init;
use crate::init::new_arguments;
use crate::types::InitType;

/// Creates a value of the type.
pub(super) fn make(init: &InitType, arguments: &[Value]) -> ConversionResult {
    let check = Check::default();
    let ways = new_arguments(init, &check)?;
    choose("new_Init", &of_init(init), arguments)?;
    let value = &arguments[0];
    if !init.arguments.is_empty() {
        let all: Vec<Value> = std::iter::once(value).chain(&init.arguments).cloned().collect();
        return instantiate(&init.kind, &all);
    }
    match value {
        Value::Array(elements) => {
            let alone = ways.single.holds(value, &check)
                || ways.other.is_some()
                    && !ways.take_elements(value, &check)
                    && ways.take_single_element(value, &check);
            if alone { instantiate(&init.kind, std::slice::from_ref(value)) } else { instantiate(&init.kind, elements) }
        }
        _ => instantiate(&init.kind, std::slice::from_ref(value)),
    }
}
