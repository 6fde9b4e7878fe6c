use hieratic_value::Value;

use super::*;
use crate::parse;

fn convert(text: &str, value: Value, arguments: &[Value]) -> String {
    new_instance(&parse(text).unwrap(), &value, arguments)
        .map_or_else(|error| format!("!! {error}"), |result| result.inspect())
}

#[test]
fn integers() {
    for (value, arguments, expected) in [
        (Value::from("042"), vec![], "34"),
        (Value::from("042"), vec![Value::from(10)], "42"),
        (Value::from("0b101"), vec![], "5"),
        (Value::from("- 0x1f"), vec![], "-31"),
        (Value::from("-38"), vec![Value::from(10), Value::from(true)], "38"),
        (Value::from(3.99), vec![], "3"),
        (Value::from("99999999999999999999"), vec![], "99999999999999999999"),
        (Value::from("forty"), vec![], "!! 'new' The string 'forty' cannot be converted to Integer"),
        (Value::from("0x1F"), vec![Value::from(10)], "!! invalid value for Integer(): \"0x1F\""),
        (Value::from("12"), vec![Value::from(7)], "!! Illegal radix: 7, expected 2, 8, 10, 16, or default"),
        (Value::from(f64::INFINITY), vec![], "!! Infinity"),
    ] {
        assert_eq!(convert("Integer", value, &arguments), expected);
    }
    assert_eq!(
        convert("Integer[0,10]", Value::from("42"), &[]),
        "!! Converted value from Integer[0, 10].new() has wrong type, expects an Integer[0, 10] value, got Integer[42, 42]"
    );
}

#[test]
fn values_of_the_type_are_not_converted() {
    assert_eq!(convert("Enum[a]", Value::from("a"), &[]), "\"a\"");
    assert_eq!(
        convert("Enum[a]", Value::from("b"), &[]),
        "!! Creation of new instance of type 'Enum['a']' is not supported"
    );
}

#[test]
fn long_inputs_are_refused() {
    let error = convert("Array", Value::from(i64::MAX), &[]);
    assert!(error.starts_with("!! An array of 9223372036854775807 elements is too long"), "{error}");
    let path: Value = (0..2000).map(Value::from).collect();
    let tree = Value::from(vec![Value::from(vec![path, Value::Undef])]);
    assert_eq!(convert("Hash", tree, &[Value::from("tree")]), "!! A path of a tree can have at most 1000 steps");
    assert_eq!(convert("String", Value::from("a"), &[Value::from("%99999999s")]), "!! width too big");
}

#[test]
fn calls_that_fit_no_signature_are_explained() {
    assert_eq!(
        convert("Boolean", Value::from("true"), &[Value::from(1)]),
        "!! 'new_boolean' expects 1 argument, got 2"
    );
    assert_eq!(
        convert("Array", Value::from(1), &[Value::from("x")]),
        "!! 'new_array' parameter 'wrap' expects a Boolean value, got String"
    );
}
