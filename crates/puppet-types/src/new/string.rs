//! `String.new`.

use hieratic_value::{Hash, Value};

use super::{ConversionResult, choose};
use crate::creation::STRING;
use crate::text::{ContainerFormat, FormatSpec, StringFormats, convert_to_string_with};
use crate::types::Type;

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    choose("new_string", &*STRING, arguments)?;
    let formats = match arguments.get(1) {
        Some(Value::String(format)) => StringFormats::single(format),
        Some(Value::Hash(formats)) => StringFormats::map(formats_by_type(formats)),
        _ => StringFormats::default(),
    };
    Ok(Value::from(convert_to_string_with(&arguments[0], &formats)?))
}

/// Reads the formats of a hash whose keys are types. Its structure was checked.
fn formats_by_type(formats: &Hash) -> Vec<(Type, FormatSpec)> {
    let entries =
        formats.iter().filter_map(|(kind, format)| Some((Type::of_value(kind)?.clone(), specification(format))));
    entries.collect()
}

fn specification(format: &Value) -> FormatSpec {
    let Value::Hash(container) = format else {
        return FormatSpec::Format(format.as_str().unwrap_or_default().to_owned());
    };
    let text = |key: &str| container.get(key).and_then(Value::as_str).map(str::to_owned);
    FormatSpec::Container(ContainerFormat {
        format: text("format"),
        separator: text("separator"),
        separator2: text("separator2"),
        string_formats: container.get("string_formats").and_then(Value::as_hash).map(formats_by_type),
    })
}
