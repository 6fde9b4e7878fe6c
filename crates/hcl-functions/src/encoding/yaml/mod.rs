//! `yamldecode` and `yamlencode`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions/encoding/yamldecode>,
//! <https://yaml.org/spec/1.2.2/#103-core-schema>, with the booleans of YAML 1.1.

mod decode;
mod encode;
mod resolve;
mod timestamp;

use hieratic_hcl_types::{CallError, Type, Value};

use crate::FunctionTable;
use crate::arguments::{any, string, text, value};

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed("yamldecode", "Reads YAML.", [string("src")], Type::Dynamic, |arguments| {
        decode::decode(text(arguments, 0)).map_err(CallError::call)
    });
    table.fixed(
        "yamlencode",
        "Writes a value as YAML.",
        [any("value").nullable().with_dynamic()],
        Type::String,
        |arguments| {
            let value = value(arguments, 0);
            Ok(if value.is_wholly_known() {
                Value::string(encode::encode(value))
            } else {
                Value::Unknown(Type::String)
            })
        },
    );
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
