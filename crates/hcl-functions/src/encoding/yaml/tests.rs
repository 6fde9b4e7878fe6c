#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use hieratic_hcl_types::Value;

use super::decode::decode;
use super::encode::encode;
use crate::encoding::json;

fn read(yaml: &str) -> String {
    decode(yaml).map_or_else(|error| error, |value| json::encode(&value).unwrap())
}

#[test]
fn scalars_resolve_by_the_core_schema() {
    for (yaml, json) in [
        ("yes", "true"),
        ("~", "null"),
        ("0x1F", "31"),
        ("0o17", "15"),
        ("012", "12"),
        ("1e3", "1000"),
        ("1_000", "\"1_000\""),
        ("'5'", "\"5\""),
        ("|-\n  1.50", "\"1.5\""),
        ("2001-12-14t21:59:43.10-05:00", "\"2001-12-14T21:59:43-05:00\""),
        ("!!str 5", "\"5\""),
        (".nan", "floating point NaN is not supported"),
    ] {
        assert_eq!(read(yaml), json, "{yaml}");
    }
}

#[test]
fn mappings_merge_in_order() {
    assert_eq!(read("a: &x {b: 1, c: 2}\nd:\n  b: 9\n  <<: *x\n"), r#"{"a":{"b":1,"c":2},"d":{"b":1,"c":2}}"#);
    assert_eq!(read("a: &x [*x]"), "cannot refer to anchor \"x\" from inside its own definition");
}

#[test]
fn alias_bombs_are_refused() {
    let mut yaml = String::from("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for level in 1..12 {
        yaml += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 10].join(","));
    }
    assert!(read(&yaml).contains("consists of more than"));
    assert!(read(&"[".repeat(5000)).contains("nest deeper"));
}

#[test]
fn values_are_written_in_blocks() {
    let list = Value::tuple(vec![1.into(), Value::string("a\nb\n"), Value::tuple(Vec::new())]);
    let object = Value::object(vec![("k".into(), list), ("n".into(), Value::NULL)]);
    assert_eq!(encode(&object), "\"k\":\n- 1\n- |\n  a\n  b\n- []\n\"n\": null\n");
    assert_eq!(encode(&5.into()), "5\n...\n");
    assert_eq!(encode(&Value::string("é\t")), "\"é\\t\"\n");
}
