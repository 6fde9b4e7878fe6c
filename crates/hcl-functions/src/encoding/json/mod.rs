//! `jsondecode` and `jsonencode`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions/encoding/jsonencode>.

mod decode;
mod encode;
mod tokens;

use hieratic_hcl_types::{CallError, Function, Type, Value};

use crate::FunctionTable;
use crate::arguments::{everything, string, text, value};

pub(crate) use encode::{encode, quoted};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed("jsondecode", "Reads JSON.", [string("str")], Type::Dynamic, |arguments| {
        decode::decode(text(arguments, 0)).map_err(CallError::call)
    });
    table.add(
        "jsonencode",
        "Writes a value as JSON.",
        Function::new(vec![everything("val")], Type::String, |arguments| {
            let value = value(arguments, 0);
            if !value.is_wholly_known() {
                return Ok(Value::Unknown(Type::String));
            }
            encode(value).map(Value::string).map_err(CallError::call)
        }),
    );
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
