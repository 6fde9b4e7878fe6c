//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_value::Value;

use crate::Host;
use crate::testing::{TestHost, list, shown, two};

#[test]
fn rounding() {
    for (function, number, expected) in [
        ("ceiling", 1.2, "2"),
        ("ceiling", -1.2, "-1"),
        ("floor", -1.2, "-2"),
        ("round", 2.5, "3"),
        ("round", -2.5, "-3"),
        ("round", 1.4999, "1"),
        ("abs", -5.5, "5.5"),
        ("ceiling", 1e20, "100000000000000000000"),
        ("floor", f64::INFINITY, "ERR Infinity"),
    ] {
        assert_eq!(shown(function, &[number.into()], None), expected, "{function} {number}");
    }
    assert_eq!(shown("abs", &[i64::MIN.into()], None), "9223372036854775808");
}

#[test]
fn texts_as_numbers_are_deprecated() {
    let mut host = TestHost::default();
    assert_eq!(host.call_function("floor", &["1.8".into()], None).unwrap(), Value::from(1));
    assert_eq!(
        host.warnings,
        [
            "The floor() function's auto conversion of String to Float is deprecated - change to convert input before calling\n   (file & line not available)"
        ]
    );
    assert_eq!(
        shown("abs", &["a".into()], None),
        "ERR abs(): Requires float or integer to work with - was given non decimal string"
    );
    assert_eq!(
        shown("ceiling", &["x".into()], None),
        "ERR ceiling(): cannot convert given value to a floating point value."
    );
}

#[test]
fn extremes() {
    assert_eq!(shown("max", &[1.into(), 2.5.into()], None), "2.5");
    assert_eq!(shown("min", &[list([3, 1, 2])], None), "1");
    assert_eq!(shown("max", &["10".into(), "9".into()], None), r#""10""#);
    assert_eq!(shown("max", &["a".into(), 1.into()], None), r#""a""#);
    assert_eq!(shown("max", &[], None), "ERR max(): Wrong number of arguments need at least one");
    let least = Some(two(|a, b| Value::from(b.compare(a).unwrap() as i64)));
    assert_eq!(shown("max", &[1.into(), 2.into()], least), "1");
    let text = Some(two(|_, _| Value::from("x")));
    assert_eq!(shown("min", &[1.into(), 2.into()], text), "ERR comparison of String with 0 failed");
}

#[test]
fn comparisons() {
    let compare = |arguments: &[Value]| shown("compare", arguments, None);
    assert_eq!(compare(&[2.into(), 1.5.into()]), "1");
    assert_eq!(compare(&["a".into(), "A".into()]), "0");
    assert_eq!(compare(&["a".into(), "A".into(), false.into()]), "1");
    assert_eq!(
        compare(&[1.into(), 2.into(), true.into()]),
        "ERR 'compare' compare(): The third argument (ignore case) can only be used when comparing strings"
    );
    assert_eq!(
        compare(&["a".into(), "b".into(), 1.into()]),
        "ERR 'compare' compare(): The third argument (ignore case) must be a Boolean. Got Integer"
    );
    assert_eq!(
        compare(&[Value::Undef, 1.into()]),
        "ERR 'compare' compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and \
         Timestamp can be compared. Got Undef Value and Integer"
    );
    assert_eq!(
        compare(&["a".into(), 1.into()]),
        "ERR 'compare' compare(): Can only compare values of the same type (or for Timestamp/Timespan also against \
         Numeric). Got String and Integer"
    );
}
