use hieratic_value::{Hash, Rich, Value};

use super::*;
use crate::parse;

fn message(text: &str, value: Value) -> String {
    let kind = parse(text).unwrap();
    assert_instance("Found value", &kind, &value).map_or_else(|mismatch| mismatch.to_string(), |()| String::new())
}

fn list(values: &[i64]) -> Value {
    values.iter().map(|number| Value::from(*number)).collect()
}

#[test]
fn single_faults_are_one_line() {
    let hash: Hash = [("a", Value::from(1))].into_iter().collect();
    for (text, value, expected) in [
        ("Integer", Value::from("a"), "expects an Integer value, got String"),
        ("String[10]", Value::from("text"), "expects a String[10] value, got String"),
        ("Enum[a,b]", Value::from("text"), "expects a match for Enum['a', 'b'], got 'text'"),
        ("Integer[0,10]", Value::from(42), "expects an Integer[0, 10] value, got Integer[42, 42]"),
        ("Optional[Integer]", Value::from("x"), "expects a value of type Undef or Integer, got String"),
        (
            "Variant[Integer,Float,Boolean]",
            Value::from("x"),
            "expects a value of type Integer, Float, or Boolean, got String",
        ),
        ("Array[Integer,3]", list(&[1]), "expects size to be at least 3, got 1"),
        ("Hash[String,String]", Value::from(hash), "entry 'a' expects a String value, got Integer"),
        ("Foo", Value::from(1), "references an unresolved type 'Foo'"),
        ("String", Value::sensitive(Value::from("x")), "expects a String value, got Sensitive[String]"),
        ("Scalar", Value::from(Rich::Symbol("x".into())), "expects a Scalar value, got Runtime"),
    ] {
        assert_eq!(message(text, value), format!("Found value has wrong type, {expected}"), "{text}");
    }
}

#[test]
fn several_faults_are_a_list() {
    let hash: Hash = [("a", Value::from(1)), ("c", Value::from(2))].into_iter().collect();
    assert_eq!(
        message("Struct[{a => String, b => Integer}]", Value::from(hash)),
        " Found value has wrong type, entry 'a' expects a String value, got Integer\n  \
         Found value has wrong type, expects a value for key 'b'\n  \
         Found value has wrong type, unrecognized key 'c'"
    );
}

#[test]
fn the_reference_has_no_words_for_the_size_of_a_collection() {
    assert_eq!(message("Collection[5]", list(&[1])), "");
    assert!(assert_instance("Found value", &parse("Collection[5]").unwrap(), &list(&[1])).is_err());
}

#[test]
fn types_are_checked_too() {
    let error = assert_assignable("The type", &Type::INTEGER, &Type::STRING).unwrap_err();
    assert_eq!(error.to_string(), "The type is incorrect, expects an Integer value, got String");
}
