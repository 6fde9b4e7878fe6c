//! `String.new`.

use std::sync::LazyLock;

use hieratic_value::Value;

use super::integer::alias;
use super::{Converted, choose};
use crate::mismatch::signature::Signature;
use crate::pattern::Pattern;
use crate::text::{StringFormats, convert_to_string_with};
use crate::types::{Key, Type};

const FORMAT: &str = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$";

static SIGNATURES: LazyLock<[Signature; 1]> = LazyLock::new(|| {
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
    // A hash of formats has types as keys, which values cannot hold yet: only an empty one comes here.
    let formats = arguments.get(1).and_then(Value::as_str).map(StringFormats::single).unwrap_or_default();
    Ok(Value::from(convert_to_string_with(&arguments[0], &formats)?))
}
