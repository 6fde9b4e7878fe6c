//! Functions that trim strings: `chomp`, `trim`, `trimprefix`, `trimspace`, `trimsuffix`.

use hieratic_hcl_types::{Type, Value};

use super::simple;
use crate::FunctionTable;
use crate::arguments::{string, text};

pub(super) fn add(table: &mut FunctionTable) {
    simple(table, "chomp", |text| text.trim_end_matches(['\r', '\n']).to_owned());
    simple(table, "trimspace", |text| text.trim().to_owned());
    let mut with = |name, parameter, body: fn(&'_ str, &str) -> String| {
        table.fixed(name, [string("str"), string(parameter)], Type::String, move |arguments| {
            Ok(Value::string(body(text(arguments, 0), text(arguments, 1))))
        });
    };
    with("trim", "cutset", |text, cutset| text.trim_matches(|letter| cutset.contains(letter)).to_owned());
    with("trimprefix", "prefix", |text, prefix| text.strip_prefix(prefix).unwrap_or(text).to_owned());
    with("trimsuffix", "suffix", |text, suffix| text.strip_suffix(suffix).unwrap_or(text).to_owned());
}
