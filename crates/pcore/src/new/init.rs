//! `Init.new`: a value of the type that the `Init` is of.

use hieratic_value::Value;

use super::{Converted, choose, instantiate};
use crate::creation::of_init;
use crate::init::ways;
use crate::types::InitType;

/// Makes a value of the type.
pub(super) fn make(init: &InitType, arguments: &[Value]) -> Converted {
    let ways = ways(init)?;
    choose("new_Init", &of_init(init), arguments)?;
    let value = &arguments[0];
    if !init.arguments.is_empty() {
        let all: Vec<Value> = std::iter::once(value).chain(&init.arguments).cloned().collect();
        return instantiate(&init.kind, &all);
    }
    match value {
        Value::Array(elements) => {
            let alone = ways.single.is_instance(value)
                || ways.other.is_some() && !ways.take_elements(value) && ways.take_single_element(value);
            if alone { instantiate(&init.kind, std::slice::from_ref(value)) } else { instantiate(&init.kind, elements) }
        }
        _ => instantiate(&init.kind, std::slice::from_ref(value)),
    }
}
