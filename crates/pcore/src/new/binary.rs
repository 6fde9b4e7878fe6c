//! `Binary.new`.

use std::sync::LazyLock;

use hieratic_value::Value;

use super::integer::alias;
use super::{Converted, choose};
use crate::Error;
use crate::mismatch::signature::Signature;
use crate::types::{Key, Type};
use crate::values::{Base64, bytes_value, decode};

pub(super) static SIGNATURES: LazyLock<[Signature; 3]> = LazyLock::new(|| {
    let byte = alias("ByteInteger", Type::integer(Some(0), Some(255)).unwrap_or(Type::INTEGER));
    let format = alias("Base64Format", Type::enumeration(["%b", "%u", "%B", "%s", "%r"]));
    let text = Type::structure([
        (Key::required("value"), Type::STRING),
        (Key::optional("format"), Type::optional(format.clone())),
    ]);
    let bytes = Type::structure([(Key::required("value"), Type::array(byte.clone()))]);
    let named = Type::variant([alias("StringHash", text), alias("ArrayHash", bytes)]);
    [
        Signature::new(1, [("str", Type::STRING), ("format", format)]),
        Signature::new(1, [("byte_array", Type::array(byte))]),
        Signature::new(1, [("hash_args", alias("BinaryArgsHash", named))]),
    ]
});

pub(super) fn new(arguments: &[Value]) -> Converted {
    choose("new_Binary", &*SIGNATURES, arguments)?;
    match arguments {
        [Value::Hash(hash)] => made(hash.get("value").unwrap_or(&Value::Undef), hash.get("format")),
        [first, rest @ ..] => made(first, rest.first()),
        [] => made(&Value::Undef, None),
    }
}

fn made(value: &Value, format: Option<&Value>) -> Converted {
    let bytes = match value {
        Value::Array(numbers) => numbers
            .iter()
            .map(|number| match number {
                Value::Integer(number) => u8::try_from(*number).unwrap_or_default(),
                _ => 0,
            })
            .collect(),
        Value::String(text) => match format.and_then(Value::as_str).unwrap_or("%B") {
            "%b" => decode(text, Base64::Lines).ok_or_else(invalid)?,
            "%u" => decode(text, Base64::Url).ok_or_else(invalid)?,
            "%B" => decode(text, Base64::Strict).ok_or_else(invalid)?,
            _ => text.as_bytes().to_vec(),
        },
        _ => return Err(invalid()),
    };
    Ok(bytes_value(bytes))
}

fn invalid() -> Error {
    Error::new("invalid base64")
}
