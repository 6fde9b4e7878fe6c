#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use hieratic_hcl_types::{CallError, Number, Value};

use hieratic_budget::Budget;

fn formatted(format: &str, values: &[Value]) -> Result<String, CallError> {
    super::format_values(&Budget::default(), format, values)
}

fn one(format: &str, value: &Value) -> String {
    formatted(format, std::slice::from_ref(value)).unwrap_or_else(|error| error.message().to_owned())
}

fn number(text: &str) -> Value {
    Number::parse(text).unwrap().into()
}

#[test]
fn numbers() {
    for (format, value, expected) in [
        ("%v", "1000000", "1e+06"),
        ("%v", "0.1", "0.1"),
        ("%d", "-5", "-5"),
        ("%+05d", "5", "+0005"),
        ("%-5d|", "5", "5    |"),
        ("%#x", "255", "0xff"),
        ("%X", "255", "FF"),
        ("%.3d", "5", "005"),
        ("%f", "1.5", "1.500000"),
        ("%.0f", "2.5", "2"),
        ("%e", "0", "0.000000e+00"),
        ("%E", "12345", "1.234500E+04"),
        ("%g", "0.00001", "1e-05"),
        ("%.3g", "1234.5", "1.23e+03"),
        ("%8.2f", "3.14159", "    3.14"),
        ("%d", "1.5", "unsupported value for \"%d\" at 0: an integer is required"),
    ] {
        assert_eq!(one(format, &number(value)), expected, "{format}");
    }
}

#[test]
fn width_counts_grapheme_clusters() {
    assert_eq!(one("%4s|", &Value::string("🇬🇧é")), "  🇬🇧é|");
    assert_eq!(one("%.1s", &Value::string("e\u{301}x")), "é");
    assert_eq!(one("%q", &Value::string("a\"<")), "\"a\\\"\\u003c\"");
    assert_eq!(one("%05s", &Value::string("x")), "0000x");
}

#[test]
fn arguments_may_be_named() {
    let values = [Value::string("a"), Value::string("b")];
    assert_eq!(formatted("%[2]s%[1]s%s%%", &values).unwrap(), "bab%");
    assert_eq!(formatted("%s", &values).unwrap_err().message(), "too many arguments; only 1 used by format string");
    assert_eq!(
        formatted("%[3]s", &values).unwrap_err().message(),
        "not enough arguments for \"%[3]s\" at 0: need index 3 but have 2 total"
    );
    assert_eq!(formatted("%é", &[]).unwrap_err().message(), "unrecognized format character 'é' at offset 1");
    assert_eq!(formatted("a%", &[]).unwrap_err().message(), "invalid format string starting at offset 2");
}
