//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_value::{Rich, Value};

use crate::testing::{TestHost, call, hash, list, one, shown, two};
use crate::{Flow, Host, find};

#[test]
fn elements_of_a_collection() {
    let pairs = hash([("b", 1), ("a", 2)]);
    assert_eq!(shown("keys", std::slice::from_ref(&pairs), None), r#"["b", "a"]"#);
    assert_eq!(shown("values", std::slice::from_ref(&pairs), None), "[1, 2]");
    assert_eq!(shown("size", &[pairs], None), "2");
    assert_eq!(shown("length", &[Value::from("日本")], None), "2");
    assert_eq!(shown("empty", &[list([Value::Undef])], None), "false");
    assert_eq!(shown("empty", &[Value::Undef], None), "true");
    assert_eq!(shown("empty", &[Value::sensitive(Value::from(""))], None), "true");
    assert_eq!(shown("length", &[hieratic_puppet_types::bytes_value(vec![1, 2])], None), "2");
    let nested = list([Value::from(1), list([Value::from(2), list([hash([("a", list([1]))])])])]);
    assert_eq!(shown("flatten", &[nested], None), r#"[1, 2, {"a"=>[1]}]"#);
}

#[test]
fn an_empty_number_is_deprecated() {
    let mut host = TestHost::default();
    let result = host.call_function("empty", &[Value::from(5)], None).unwrap();
    assert_eq!(result, Value::from(false));
    let warning = "Calling function empty() with Numeric value is deprecated.\n   (file: unknown, line: 7)";
    assert_eq!(host.warnings, [warning]);
}

#[test]
fn joined_as_ruby_does() {
    let nested = list([Value::from(1), list([Value::from(2), list::<Value>([])]), Value::Undef, Value::from(1.5)]);
    assert_eq!(shown("join", &[nested, Value::from(",")], None), r#""1,2,,,1.5""#);
    assert_eq!(shown("join", &[list([Value::from(Rich::Default)])], None), r#""default""#);
}

#[test]
fn sorted_by_ruby_or_by_a_block() {
    assert_eq!(shown("sort", &[list(["b", "a", "C"])], None), r#"["C", "a", "b"]"#);
    assert_eq!(shown("sort", &[Value::from("bca")], None), r#""abc""#);
    assert_eq!(
        shown("sort", &[list([Value::from(1), Value::from("a")])], None),
        "ERR comparison of Integer with String failed"
    );
    assert_eq!(
        shown("sort", &[list([Value::from("a"), Value::from(1)])], None),
        "ERR comparison of String with 1 failed"
    );
    let descending = Some(two(|a, b| Value::from(b.compare(a).unwrap() as i64)));
    assert_eq!(shown("sort", &[list([3, 1, 2])], descending), "[3, 2, 1]");
    let silent = Some(two(|_, _| Value::Undef));
    assert_eq!(shown("sort", &[list([3, 1])], silent), "ERR comparison of Integer with 1 failed");
    // A contradictory order must still terminate.
    let always = Some(two(|_, _| Value::from(1)));
    assert_eq!(call("sort", &[list(0..100)], always).unwrap().as_array().unwrap().len(), 100);
}

#[test]
fn unique_by_kind_or_by_a_block() {
    assert_eq!(shown("unique", &[list([Value::from(1), Value::from(1), Value::from(1.0)])], None), "[1, 1.0]");
    assert_eq!(shown("unique", &[Value::from("aab")], None), r#""ab""#);
    let pairs = hash([("a", 1), ("b", 1), ("c", 2)]);
    assert_eq!(shown("unique", &[pairs], None), r#"{["a", "b"]=>[1], ["c"]=>[2]}"#);
    let same = Some(one(|_| Value::from(0)));
    assert_eq!(shown("unique", &[list([1, 2])], same), "[1]");
}

#[test]
fn paths() {
    let data = hash([("a", hash([("b", list([1, 2]))]))]);
    let path = |keys: &[Value]| {
        let mut arguments = vec![data.clone()];
        arguments.extend_from_slice(keys);
        shown("dig", &arguments, None)
    };
    assert_eq!(path(&["a".into(), "b".into(), 1.into()]), "2");
    assert_eq!(path(&["a".into(), "b".into(), (-1).into()]), "2");
    assert_eq!(path(&["x".into(), "b".into()]), "nil");
    assert_eq!(
        path(&["a".into(), "b".into(), "c".into()]),
        r#"ERR The given data requires an Integer index at ["a", "b", "c"], got 'String'"#
    );
    assert_eq!(
        path(&["a".into(), "b".into(), 0.into(), 1.into()]),
        r#"ERR The given data does not contain a Collection at ["a", "b", 0], got 'Integer[1, 1]'"#
    );
}

#[test]
fn paths_with_dots() {
    let data = hash([("a", hash([("b", list([1, 2]))])), ("a.b", Value::from(3))]);
    let get = |path: &str| shown("get", &[data.clone(), path.into(), "none".into()], None);
    assert_eq!(get("a.b.1"), "2");
    assert_eq!(get("'a.b'"), "3");
    assert_eq!(get("a.x"), r#""none""#);
    assert_eq!(get("a..b"), "ERR Syntax error in dotted-navigation string");
    let mut host = TestHost::default();
    host.variables.insert("::x".into(), data.clone());
    let mut getvar = |name: &str| match host.call_function("getvar", &[name.into(), 7.into()], None) {
        Ok(value) => value.inspect(),
        Err(Flow::Error(error)) => error.message,
        Err(flow) => format!("{flow:?}"),
    };
    assert_eq!(getvar("::x.a.b.0"), "1");
    assert_eq!(getvar("nosuch.a"), "7");
    assert_eq!(getvar("9x"), "'getvar' The given string does not start with a valid variable name");
}

#[test]
fn conflicting_files_are_kept() {
    let mut host = TestHost::default();
    let result = find("dig").unwrap().call(&mut host, &[hash([("a", 1)]), "a".into(), "b".into()], None);
    let Err(Flow::Error(error)) = result else { panic!("it was found") };
    let details = error.details.unwrap();
    assert_eq!(details.as_hash().unwrap().get("issue_code"), Some(&Value::from("EXPECTED_COLLECTION")));
}
