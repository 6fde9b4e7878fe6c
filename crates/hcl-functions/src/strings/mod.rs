//! Functions on strings.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#string-functions>.

mod case;
mod characters;
mod format;
mod lists;
mod regex;
mod replace;
mod trim;

use hieratic_hcl_types::{Type, Value};

use crate::FunctionTable;
use crate::arguments::{string, text};

pub(crate) use format::quoted_byte;
pub use regex::check_pattern;

pub(crate) fn add(table: &mut FunctionTable) {
    case::add(table);
    characters::add(table);
    format::add(table);
    lists::add(table);
    replace::add(table);
    trim::add(table);
}

/// Adds a function from a string to a string.
fn simple(table: &mut FunctionTable, name: &'static str, documentation: &'static str, body: fn(&str) -> String) {
    table.fixed(name, documentation, [string("str")], Type::String, move |arguments| {
        Ok(Value::string(body(text(arguments, 0))))
    });
}
