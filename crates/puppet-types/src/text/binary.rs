//! Bytes as strings: the format letters of `Binary`.

use hieratic_value::Value;

use super::directive;
use super::format::Format;
use crate::Error;
use crate::values::{Base64, encode};

pub(super) fn convert(format: &Format, bytes: &[u8]) -> Result<String, Error> {
    let strict = || encode(bytes, Base64::Strict);
    let written = match format.letter {
        's' if format.is_alternative() => return directive::text(format, &inspect(bytes)),
        's' => match std::str::from_utf8(bytes) {
            Ok(text) => return directive::text(format, text),
            Err(error) => return Err(not_text(bytes, error.valid_up_to())),
        },
        'p' => {
            let inner = directive::text(&format.with_letter('s'), &strict())?;
            return Ok(format!("Binary(\"{inner}\")"));
        }
        'b' => encode(bytes, Base64::Lines),
        'B' => strict(),
        'u' => encode(bytes, Base64::Url),
        't' => "Binary".into(),
        'T' => "BINARY".into(),
        letter => return Err(Error::illegal_letter("Binary", letter, "bButTsp")),
    };
    let written = if format.is_alternative() { Value::from(written).inspect() } else { written };
    directive::text(&format.with_letter('s'), &written)
}

/// Ruby's error for bytes that cannot be converted to UTF-8: it names the first byte that is not ASCII.
fn not_text(bytes: &[u8], valid: usize) -> Error {
    let first = bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(valid);
    Error::new(format!("\"\\x{:02X}\" from ASCII-8BIT to UTF-8", bytes[first.min(bytes.len() - 1)]))
}

/// Formats the bytes as Ruby's `inspect` formats an invalid string.
fn inspect(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            byte if byte.is_ascii() => {
                let one = Value::from(char::from(*byte).to_string()).inspect();
                out.push_str(&one[1..one.len() - 1]);
            }
            byte => out.push_str(&format!("\\x{byte:02X}")),
        }
    }
    out.push('"');
    out
}
