//! Unique identifiers: `uuidv4`, `uuidv5`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions#uuid-functions>.

use hieratic_hcl_types::{Type, Value, quoted};
use uuid::Uuid;

use crate::FunctionTable;
use crate::arguments::{CallResult, call_error, string, text};

pub(crate) fn add(table: &mut FunctionTable) {
    table
        .fixed("uuidv4", "Returns a random UUID.", [], Type::String, |_| Ok(Value::string(Uuid::new_v4().to_string())));
    table.fixed(
        "uuidv5",
        "Returns the UUID of a name in a namespace: `dns`, `url`, `oid`, `x500` or a UUID.",
        [string("namespace"), string("name")],
        Type::String,
        v5,
    );
}

fn v5(arguments: &[Value]) -> CallResult {
    let namespace = match text(arguments, 0) {
        "dns" => Uuid::NAMESPACE_DNS,
        "url" => Uuid::NAMESPACE_URL,
        "oid" => Uuid::NAMESPACE_OID,
        "x500" => Uuid::NAMESPACE_X500,
        other => match parse_uuid(other) {
            Ok(namespace) => namespace,
            Err(message) => return call_error(format!("uuidv5() doesn't support namespace {other} ({message})")),
        },
    };
    Ok(Value::string(Uuid::new_v5(&namespace, text(arguments, 1).as_bytes()).to_string()))
}

/// Parses a UUID in one of four forms: with hyphens, with the prefix `urn:uuid:`, between two arbitrary characters, or
/// digits alone.
fn parse_uuid(text: &str) -> Result<Uuid, String> {
    let malformed = || "invalid UUID format".to_owned();
    let bytes = text.as_bytes();
    let (bytes, hyphens) = match bytes.len() {
        36 => (bytes, true),
        45 => match bytes.split_at_checked(9) {
            Some((prefix, rest)) if prefix.eq_ignore_ascii_case(b"urn:uuid:") => (rest, true),
            _ => {
                let prefix = String::from_utf8_lossy(bytes.get(..9).unwrap_or_default());
                return Err(format!("invalid urn prefix: {}", quoted(&prefix)));
            }
        },
        38 => (bytes.get(1..37).unwrap_or_default(), true),
        32 => (bytes, false),
        length => return Err(format!("invalid UUID length: {length}")),
    };
    let mut digits = String::with_capacity(32);
    for (index, byte) in bytes.iter().enumerate() {
        match (hyphens && matches!(index, 8 | 13 | 18 | 23), byte) {
            (true, b'-') => {}
            (false, byte) if byte.is_ascii_hexdigit() => digits.push(char::from(*byte)),
            _ => return Err(malformed()),
        }
    }
    u128::from_str_radix(&digits, 16).map(Uuid::from_u128).map_err(|_| malformed())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn namespaces_parse_in_four_forms() {
        let plain = parse_uuid("6ba7b8109dad11d180b400c04fd430c8").unwrap();
        assert_eq!(plain, Uuid::NAMESPACE_DNS);
        for form in [
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "URN:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
        ] {
            assert_eq!(parse_uuid(form), Ok(plain), "{form}");
        }
        assert_eq!(parse_uuid("x").unwrap_err(), "invalid UUID length: 1");
        assert_eq!(parse_uuid("6ba7b810x9dad-11d1-80b4-00c04fd430c8").unwrap_err(), "invalid UUID format");
    }
}
