//! Encodings of bytes: `base64decode`, `base64encode`, `urlencode`.

use std::fmt::Write;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use hieratic_hcl_types::{Type, Value};

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, string, text};

/// Bits after the last byte are ignored.
const ENGINE: GeneralPurpose =
    GeneralPurpose::new(&STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

pub(super) fn add(table: &mut FunctionTable) {
    table.fixed("base64decode", "Decodes text in base64.", [string("str")], Type::String, decode);
    table.fixed("base64encode", "Encodes text in base64.", [string("str")], Type::String, |arguments| {
        Ok(Value::string(to_base64(text(arguments, 0).as_bytes())))
    });
    table.fixed("urlencode", "Escapes a string for the query of a URL.", [string("str")], Type::String, |arguments| {
        Ok(Value::string(query_escaped(text(arguments, 0))))
    });
}

/// In base 64, with padding.
pub(crate) fn to_base64(bytes: &[u8]) -> String {
    ENGINE.encode(bytes)
}

/// Decodes Base64, which may contain line breaks.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    if text.contains(['\r', '\n']) {
        return ENGINE.decode(text.replace(['\r', '\n'], "")).ok();
    }
    ENGINE.decode(text).ok()
}

fn decode(arguments: &[Value]) -> CallResult {
    let text = text(arguments, 0);
    match from_base64(text).map(String::from_utf8) {
        Some(Ok(decoded)) => Ok(Value::string(decoded)),
        Some(Err(_)) => call_error("the result of decoding the the provided string is not valid UTF-8"),
        None => call_error(format!("failed to decode base64 data '{text}'")),
    }
}

/// As a part of the query of a URL: a space is a plus.
fn query_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => escaped.push(char::from(byte)),
            b' ' => escaped.push('+'),
            // Writing to a string cannot fail.
            byte => drop(write!(escaped, "%{byte:02X}")),
        }
    }
    escaped
}
