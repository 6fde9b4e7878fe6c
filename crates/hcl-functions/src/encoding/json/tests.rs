#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::decode::decode;
use super::encode;

fn read(json: &str) -> String {
    decode(json).map_or_else(|error| error, |value| encode(&value).unwrap())
}

#[test]
fn values_round_trip() {
    for json in ["null", "true", "[1,\"a\",{}]", "{\"a\":[],\"b\":null}", "0.1", "-0", "12345678901234567890"] {
        assert_eq!(read(json), json);
    }
    assert_eq!(read(r#""\u00e9\ud83d\ude00\ud800x""#), "\"é😀\u{fffd}x\"");
    assert_eq!(read(r#"{"b":1,"a":2,"b":3}"#), r#"{"a":2,"b":3}"#);
    assert_eq!(read("\"<&>\\u2028\""), r#""\u003c\u0026\u003e\u2028""#);
}

#[test]
fn errors_are_those_of_the_reference() {
    for (json, message) in [
        ("", "EOF"),
        ("{", "EOF"),
        ("tru", "unexpected EOF"),
        ("\"a", "unexpected EOF"),
        ("[1,]", "invalid character ']' looking for beginning of value"),
        ("{1}", "invalid character '1'"),
        ("{\"a\" 1}", "invalid character '1' after object key"),
        ("{\"a\":1 \"b\"}", "invalid character '\"' after object key:value pair"),
        ("1 2", "extraneous data after JSON object"),
        ("é", "invalid character 'Ã' looking for beginning of value"),
        ("{\"a\":1,\"a\":\"x\"}", "duplicate \"a\" property in JSON object"),
        ("1.x", "invalid character 'x' after decimal point in numeric literal"),
    ] {
        assert_eq!(read(json), message, "{json}");
    }
    assert!(read(&"[".repeat(100_000)).contains("nest deeper"));
}
