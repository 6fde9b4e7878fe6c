//! A test fails with a panic.
#![allow(clippy::unwrap_used)]

use hieratic_puppet_types::RegexpValue;
use hieratic_ruby_regexp::Regexp;
use hieratic_value::Value;
use proptest::prelude::*;

use super::sprintf;
use crate::testing::{hash, kind, list, shown};

fn text(function: &str, text: &str) -> String {
    shown(function, &[text.into()], None)
}

fn regexp(source: &str) -> Value {
    RegexpValue::value(Regexp::new(source).unwrap())
}

#[test]
fn case_of_letters() {
    for (function, before, after) in [
        ("upcase", "straße", "STRASSE"),
        ("downcase", "ΑΣ", "ασ"),
        ("capitalize", "aBC", "Abc"),
        ("capitalize", "ǆa", "ǅa"),
        ("capitalize", "ßa", "Ssa"),
        ("capitalize", "ŉa", "ʼNa"),
        ("capitalize", "", ""),
        ("camelcase", "_foo__bar_", "FooBar"),
        ("camelcase", "foo-bar", "Foo-bar"),
        ("strip", " \0a b\t\n", "a b"),
        ("lstrip", " a ", "a "),
        ("rstrip", " a ", " a"),
        ("chomp", "a\r\n", "a"),
        ("chomp", "a\n\n", "a\\n"),
        ("chop", "aé", "a"),
        ("chop", "a\r\n", "a"),
        ("chop", "", ""),
    ] {
        assert_eq!(text(function, before), format!("\"{after}\""), "{function} {before}");
    }
    assert_eq!(shown("upcase", &[list([hash([("a", "b")])])], None), r#"[{"A"=>"B"}]"#);
    assert_eq!(shown("camelcase", &[list(["a_b", "c"])], None), r#"["AB", "C"]"#);
    assert_eq!(
        shown("upcase", &[Value::Undef], None),
        "ERR 'upcase' parameter 'arg' expects a value of type Numeric, String, Array, or Hash, got Undef"
    );
    let deep = list([list([Value::from("a"), Value::from(true)])]);
    assert_eq!(
        shown("downcase", &[list([true])], None).lines().nth(6),
        Some(
            "    rejected: parameter 'arg' index 0 expects a StringData = Variant[String, Numeric, Array[StringData], \
             Hash[StringData, StringData]] value, got Boolean"
        )
    );
    assert!(shown("upcase", &[deep], None).starts_with("ERR The function 'upcase' was called with arguments"));
}

#[test]
fn splitting() {
    let split = |text: &str, pattern: Value| shown("split", &[text.into(), pattern], None);
    assert_eq!(split("a,b,,c,,", ",".into()), r#"["a", "b", "", "c"]"#);
    assert_eq!(split(",a", ",".into()), r#"["", "a"]"#);
    assert_eq!(split("a.b", ".".into()), "[]");
    assert_eq!(split("a1b2", regexp(r"(\d)")), r#"["a", "1", "b", "2"]"#);
    assert_eq!(split("aéc", regexp("")), r#"["a", "é", "c"]"#);
    assert_eq!(split("", ",".into()), "[]");
    assert_eq!(split("a-b", kind("Regexp[/-/]")), r#"["a", "b"]"#);
    assert_eq!(split("a", "(".into()), "ERR end pattern with unmatched parenthesis: /(/");
}

#[test]
fn replacing() {
    let regsubst = |arguments: &[Value]| shown("regsubst", arguments, None);
    assert_eq!(regsubst(&["abcb".into(), "b".into(), "X".into()]), r#""aXcb""#);
    assert_eq!(regsubst(&["abcb".into(), "B".into(), "<\\0>".into(), "GI".into()]), r#""a<b>c<b>""#);
    assert_eq!(regsubst(&["abc".into(), "".into(), "-".into(), "G".into()]), r#""-a-b-c-""#);
    assert_eq!(regsubst(&["abc".into(), "(?<n>b)".into(), "\\k<n>\\k<n>".into()]), r#""abbc""#);
    assert_eq!(regsubst(&["abc".into(), "(?<n>b)".into(), "\\k<x>".into()]), "ERR undefined group name reference: x");
    assert_eq!(
        regsubst(&[list(["ab", "cd"]), regexp("[bd]"), "\\`\\&\\'\\\\\\q\\".into()]),
        r#"["aab\\\\q\\", "ccd\\\\q\\"]"#
    );
    assert_eq!(regsubst(&["hello".into(), regexp("[lo]"), hash([("l", "L")]), "G".into()]), r#""heLL""#);
}

#[test]
fn matching() {
    let matched = |pattern: Value| shown("match", &["abc123".into(), pattern], None);
    let whole = r#"["abc123", "abc", "123"]"#;
    assert_eq!(matched(regexp(r"([a-z]+)(\d+)")), whole);
    assert_eq!(matched(r"([a-z]+)(\d+)".into()), whole);
    assert_eq!(matched(kind(r"Regexp[/([a-z]+)(\d+)/]")), whole);
    assert_eq!(matched(kind(r"Pattern[/z/, /([a-z]+)(\d+)/]")), whole);
    assert_eq!(matched(list([list([regexp("z")]), list([regexp(r"([a-z]+)(\d+)")])])), whole);
    assert_eq!(matched(kind("Pattern")), "nil");
    assert_eq!(matched(regexp("(z)|(a)")), r#"["a", nil, "a"]"#);
    assert_eq!(matched(kind("Regexp")), "ERR Given Regexp Type has no regular expression");
    let expects =
        "ERR match() expects pattern of T, where T is String, Regexp, Regexp[r], Pattern[p], or Array[T]. Got";
    assert_eq!(matched(5.into()), format!("{expects} Integer"));
    assert_eq!(matched(kind("Integer")), format!("{expects} Puppet::Pops::Types::PIntegerType"));
    assert_eq!(shown("match", &[list(["a1", "b"]), regexp(r"\d")], None), r#"[["1"], nil]"#);
}

#[test]
fn words_for_a_shell() {
    let quoted = |words: &[Value]| shown("shellquote", words, None);
    assert_eq!(quoted(&["a".into(), list(["b c", "$x"]), "".into()]), r#""a \"b c\" '$x' \"\"""#);
    assert_eq!(quoted(&["it's $5".into()]), r#""\"it's \\$5\"""#);
    assert_eq!(quoted(&[5.into()]), "ERR undefined method `length' for 5:Integer");
}

#[test]
fn versions() {
    for (a, b, order) in [
        ("1.2.3", "1.2.4", -1),
        ("1.10", "1.9", 1),
        ("1.0-1", "1.0.1", -1),
        ("1.0", "1.0.0", -1),
        ("01", "1", -1),
        ("1.A", "1.a", 0),
        ("1", "1-1", -1),
    ] {
        assert_eq!(shown("versioncmp", &[a.into(), b.into()], None), order.to_string(), "{a} {b}");
    }
    assert_eq!(shown("versioncmp", &["1.0.0-1".into(), "1-1".into(), true.into()], None), "0");
    assert_eq!(shown("versioncmp", &["".into(), "--".into(), true.into()], None), "0");
}

#[test]
fn scanning() {
    let scan = |text: &str, format: &str| shown("scanf", &[text.into(), format.into()], None);
    assert_eq!(scan("12:-34", "%d:%d"), "[12, -34]");
    assert_eq!(scan("a 1.5e3 0x1F 017", "%s%f%i%o"), r#"["a", 1500.0, 31, 15]"#);
    assert_eq!(scan("abc123", "%[a-c]%*2d%d"), r#"["abc", 3]"#);
    assert_eq!(scan("abcdef", "%2c%[^e]"), r#"["ab", "cd"]"#);
    assert_eq!(scan("x 5", "y %d"), "[]");
    assert_eq!(scan("50%", "%d%%"), "[50]");
    assert_eq!(scan("FF -ff", "%x%x"), "[255, -255]");
    assert_eq!(scan("", "%d"), "[]");
    assert_eq!(scan("12", "%1d%d"), "[1, 2]");
}

#[test]
fn a_format_is_bounded() {
    let message = |format: &str| sprintf(format, &[1.into()]).unwrap_err().message;
    assert_eq!(message("%99999999999d"), "width too big");
    assert_eq!(message("%.99999999d"), "precision too big");
    assert_eq!(message("%9999999s"), "width too big");
}

proptest! {
    #[test]
    fn no_format_and_no_value_panics(format in "[%#+ 0-9.*$<>{}a-zA-Z\u{e9}-]{0,12}", number: i64, float: f64) {
        let values = [Value::from(number), Value::from(float), Value::from("é")];
        let _ = sprintf(&format, &values);
        let _ = sprintf(&format, &[hash([("a", number)])]);
    }

    #[test]
    fn no_scan_panics(text in "[0-9a-fx.+eE %é\n-]{0,12}", format in "[%*0-9diuoxfcs\\[\\]a-z:^ é-]{0,12}") {
        let _ = shown("scanf", &[text.into(), format.into()], None);
    }

    #[test]
    fn parts_joined_are_the_text(parts in proptest::collection::vec("[ab]{1,3}", 1..6)) {
        let whole = parts.join(",");
        prop_assert_eq!(shown("split", &[whole.into(), ",".into()], None), list(parts).inspect());
    }

    #[test]
    fn versions_compare_the_other_way_round(a in "[0-9a-c.-]{0,8}", b in "[0-9a-c.-]{0,8}") {
        prop_assert_eq!(super::versioncmp(&a, &b, false), super::versioncmp(&b, &a, false).reverse());
        prop_assert_eq!(super::versioncmp(&a, &a, true), std::cmp::Ordering::Equal);
    }
}
