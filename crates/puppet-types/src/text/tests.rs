use hieratic_value::{Hash, Value};

use super::*;
use crate::parse;

fn written(value: impl Into<Value>, format: &str) -> String {
    convert_to_string_with(&value.into(), &StringFormats::single(format)).unwrap_or_else(|error| format!("!! {error}"))
}

#[test]
fn scalars_in_a_format() {
    for (text, expected) in [
        (written(255, "%#x"), "0xff"),
        (written(-255, "%x"), "..f01"),
        (written(-255, "%+08x"), "-00000ff"),
        (written(255, "%e"), "2.550000e+02"),
        (written(65, "%c"), "A"),
        (written(1.5, "%a"), "0x1.8p+0"),
        (written(1.5, "%d"), "1"),
        (written(true, "%y"), "yes"),
        (written(true, "%#t"), "t"),
        (written("abc::def", "%C"), "Abc::Def"),
        (
            written("abc", "%-6.2s|"),
            "!! The format '%-6.2s|' is not a valid format on the form '%<flags><width>.<prec><format>'",
        ),
        (
            written("abc", "%z"),
            "!! Illegal format 'z' specified for value of String type - expected one of the characters 'cCudspt'",
        ),
        (written(1, "%[d"), "!! malformed format string - %["),
    ] {
        assert_eq!(text, expected);
    }
}

#[test]
fn containers_are_indented() {
    let inner: Hash = [("b", Value::from(2))].into_iter().collect();
    let list = Value::from(vec![Value::from(1), Value::from(inner)]);
    let hash: Hash = [("a", list)].into_iter().collect();
    assert_eq!(written(hash, "%#h"), "{\n  'a' => [1,\n    {\n      'b' => 2\n    }]\n}");
}

#[test]
fn a_call_is_written_with_its_type() {
    let kind = parse("Struct[{a => Enum['x y']}]").unwrap();
    let arguments = [Value::from("it's"), Value::Undef, Value::from(1.5)];
    assert_eq!(convert_call_to_string(&kind, &arguments), r"[Struct[{'a' => Enum['x y']}], 'it\'s', undef, 1.5]");
    assert_eq!(convert_call_to_string(&Type::INTEGER, &[]), "[Integer]");
}

#[test]
fn secrets_stay_secret() {
    let secret = Value::sensitive(Value::from("x"));
    assert_eq!(convert_to_string(&secret), "Sensitive [value redacted]");
    assert_eq!(convert_to_string(&Value::from(vec![secret])), "[#<Sensitive [value redacted]>]");
}
