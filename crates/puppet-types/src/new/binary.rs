//! `Binary.new`.

use hieratic_value::Value;

use super::{ConversionResult, choose};
use crate::Error;
use crate::creation::BINARY;
use crate::values::{Base64, bytes_value, decode};

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    choose("new_Binary", &*BINARY, arguments)?;
    match arguments {
        [Value::Hash(hash)] => new_binary(hash.get("value").unwrap_or(&Value::Undef), hash.get("format")),
        [first, rest @ ..] => new_binary(first, rest.first()),
        [] => new_binary(&Value::Undef, None),
    }
}

fn new_binary(value: &Value, format: Option<&Value>) -> ConversionResult {
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
