//! The first value that is not null or empty: `coalesce`, `coalescelist`.

use hieratic_hcl_types::{CallError, Function, Type, Value, convert, unify};

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, everything};

pub(super) fn add(table: &mut FunctionTable) {
    let mut variadic = |name, documentation, body: fn(&[Value]) -> CallResult| {
        table.add(
            name,
            documentation,
            Function::new(Vec::new(), Type::Dynamic, body).with_variadic(everything("vals")),
        );
    };
    variadic("coalesce", "Returns the first value that is neither null nor an empty string.", coalesce);
    variadic("coalescelist", "Returns the first list that is not empty.", coalesce_list);
}

/// `coalesce`: the first that is not null, as the type that all have in common.
fn coalesce(arguments: &[Value]) -> CallResult {
    let types: Vec<Type> = arguments.iter().map(Value::ty).collect();
    let Some(common) = unify(&types) else { return call_error("all arguments must have the same type") };
    match arguments.iter().find(|argument| !argument.is_null()) {
        Some(Value::Unknown(_)) => Ok(Value::Unknown(common.ty)),
        Some(found) => convert(found, &common.ty).map_err(|error| CallError::call(error.message)),
        None => call_error("no non-null arguments"),
    }
}

/// `coalescelist`: the first argument that is not empty, unconverted.
fn coalesce_list(arguments: &[Value]) -> CallResult {
    if arguments.is_empty() {
        return call_error("at least one argument is required");
    }
    for argument in arguments {
        match argument {
            Value::Unknown(_) => return Ok(Value::DYNAMIC),
            Value::List(_) | Value::Tuple(_) | Value::Null(Type::List(_) | Type::Tuple(_)) => {}
            _ => return call_error("coalescelist arguments must be lists or tuples"),
        }
    }
    match arguments.iter().find(|argument| argument.length().is_some_and(|length| length > 0)) {
        Some(found) => Ok(found.clone()),
        None => call_error("no non-null arguments"),
    }
}
