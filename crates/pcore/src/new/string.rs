//! `String.new`.

use std::sync::LazyLock;

use hieratic_value::{Hash, Value};

use super::integer::alias;
use super::{Converted, choose};
use crate::mismatch::signature::Signature;
use crate::pattern::Pattern;
use crate::text::{ContainerFormat, FormatSpec, StringFormats, convert_to_string_with};
use crate::types::{Key, Type};

const FORMAT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

pub(super) static SIGNATURES: LazyLock<[Signature; 1]> = LazyLock::new(|| {
    // The expression is a constant and known to be good.
    let format = alias("Format", Type::pattern(Pattern::new(FORMAT).ok()));
    let container = alias(
        "ContainerFormat",
        Type::structure([
            (Key::optional("format"), format.clone()),
            (Key::optional("separator"), Type::STRING),
            (Key::optional("separator2"), Type::STRING),
            (Key::optional("string_formats"), Type::hash(Type::Type(None), format.clone())),
        ]),
    );
    let map = alias("TypeMap", Type::hash(Type::Type(None), Type::variant([format, container])));
    let formats = alias("Formats", Type::variant([Type::Default, Type::string_of_at_least(1), map]));
    [Signature::new(1, [("from", alias("Convertible", Type::Any)), ("string_formats", formats)])]
});

pub(super) fn new(arguments: &[Value]) -> Converted {
    choose("new_string", &*SIGNATURES, arguments)?;
    let formats = match arguments.get(1) {
        Some(Value::String(format)) => StringFormats::single(format),
        Some(Value::Hash(formats)) => StringFormats::map(formats_by_type(formats)),
        _ => StringFormats::default(),
    };
    Ok(Value::from(convert_to_string_with(&arguments[0], &formats)?))
}

/// The formats of a hash whose keys are types. Its form was checked.
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
