//! Functions that trim strings: `chomp`, `trim`, `trimprefix`, `trimspace`, `trimsuffix`.

use hieratic_hcl_types::{Type, Value};

use super::simple;
use crate::FunctionTable;
use crate::arguments::{string, text};

pub(super) fn add(table: &mut FunctionTable) {
    simple(table, "chomp", "Removes newlines from the end of a string.", |text| {
        text.trim_end_matches(['\r', '\n']).to_owned()
    });
    simple(table, "trimspace", "Removes whitespace from both ends of a string.", |text| text.trim().to_owned());
    let mut with = |name, documentation, parameter, body: fn(&'_ str, &str) -> String| {
        table.fixed(name, documentation, [string("str"), string(parameter)], Type::String, move |arguments| {
            Ok(Value::string(body(text(arguments, 0), text(arguments, 1))))
        });
    };
    with("trim", "Removes letters of a set from both ends of a string.", "cutset", |text, cutset| {
        text.trim_matches(|letter| cutset.contains(letter)).to_owned()
    });
    with("trimprefix", "Removes a prefix, if the string has it.", "prefix", |text, prefix| {
        text.strip_prefix(prefix).unwrap_or(text).to_owned()
    });
    with("trimsuffix", "Removes a suffix, if the string has it.", "suffix", |text, suffix| {
        text.strip_suffix(suffix).unwrap_or(text).to_owned()
    });
}
