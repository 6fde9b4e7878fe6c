//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_value::{Rich, Value};

use crate::testing::{TestHost, call, hash, kind, list, one, shown, two};
use crate::{Flow, Host, Level};

#[test]
fn steering() {
    assert!(matches!(call("break", &[], None), Err(Flow::Break(site)) if site.line == 7));
    assert!(matches!(call("next", &[1.into()], None), Err(Flow::Next(Value::Integer(1), _))));
    assert!(matches!(call("return", &[], None), Err(Flow::Return(Value::Undef, _))));
    assert_eq!(shown("fail", &[list([1, 2]), "a".into(), Value::Undef], None), "ERR [1, 2] a ");
    assert_eq!(shown("call", &["upcase".into(), "a".into()], None), r#""A""#);
    assert_eq!(shown("call", &["nosuch".into()], None), "ERR Unknown function 'nosuch'");
}

#[test]
fn values_of_types() {
    assert_eq!(shown("new", &[kind("Integer"), "0x1F".into()], None), "31");
    assert_eq!(shown("convert_to", &["11".into(), kind("Integer"), 2.into()], None), "3");
    assert_eq!(shown("convert_to", &["5".into(), kind("Integer")], Some(one(|x| list([x.clone()])))), "[5]");
    assert_eq!(shown("assert_type", &[kind("Integer"), 5.into()], None), "5");
    assert_eq!(
        shown("assert_type", &["Array[Integer]".into(), list([Value::from(1), Value::from("a")])], None),
        "ERR assert_type(): index 1 expects an Integer value, got String"
    );
    let both = Some(two(|expected, actual| Value::from(format!("{} {}", expected.to_text(), actual.to_text()))));
    assert_eq!(shown("assert_type", &[kind("Integer"), "a".into()], both), r#""Integer String""#);
    assert_eq!(shown("unwrap", &[Value::sensitive(5.into())], None), "5");
    assert_eq!(shown("unwrap", &["x".into()], None), r#""x""#);
    let type_of = |arguments: &[Value]| call("type", arguments, None).unwrap().to_text();
    assert_eq!(type_of(&[list([1, 2])]), "Tuple[Integer[1, 1], Integer[2, 2]]");
    assert_eq!(type_of(&[list([1, 2]), "reduced".into()]), "Array[Integer[1, 2], 2, 2]");
    assert_eq!(type_of(&[list([1, 2]), "generalized".into()]), "Array[Integer]");
}

#[test]
fn logs() {
    let mut host = TestHost::default();
    let arguments = [1.into(), list([Value::from(2), Value::from("x")]), hash([("a", 1)]), Value::Undef];
    assert_eq!(host.call_function("notice", &arguments, None).unwrap(), Value::Undef);
    host.call_function("err", &[Value::sensitive("s".into()), Value::from(Rich::Default)], None).unwrap();
    assert_eq!(
        host.logs,
        [
            (Level::Notice, "1 [2, x] {a => 1} ".to_owned()),
            (Level::Err, "Sensitive [value redacted] default".to_owned()),
        ]
    );
}

#[test]
fn removed_names_are_reported() {
    let message = "ERR Use of 'import' has been discontinued in favor of a manifest directory. \
                   See http://links.puppet.com/puppet-import-deprecation";
    assert_eq!(shown("import", &["x".into()], None), message);
}
