//! Reading and printing paths.

use hieratic_diagnostics::{Source, Span};
use proptest::prelude::*;

use super::Path;
use crate::ExpressionError;

fn parse(text: &str) -> Result<Path, ExpressionError> {
    Path::parse(&Source::new("", text), Span::new(0, text.len()))
}

/// The canonical form.
fn printed(text: &str) -> String {
    parse(text).map_or_else(|error| format!("{} at {:?}", error, error.column()), |path| path.to_string())
}

#[test]
fn paths_have_one_form() {
    for (text, form) in [
        (" conf :: level ", "conf::level"),
        ("users[age=25]?::name", "users?[age=25] ::name"),
        ("users::[ age = 25 ]", "users::[age = 25]"),
        ("a[b][!c]::d", "a[b][!c]::d"),
        ("a[b] ::d", "a[b] ::d"),
        ("a[b]!=c", "a!=c[b]"),
        ("::!=c", "::!=c"),
        ("a[!=c]", "a[!=c]"),
        ("[[b]!=c]", "[[b]!=c]"),
        ("tags::+1_0", "tags::10"),
        ("a=1 ?", "a=1 ?"),
        ("$x::$y[=$z]", "$x::$y[=$z]"),
    ] {
        assert_eq!(printed(text), form, "{text}");
        assert_eq!(printed(form), form, "{form}");
    }
}

#[test]
fn an_invalid_path_is_an_error_with_its_position() {
    for (text, expected) in [
        ("", "the expression is empty at Some(1)"),
        (" ", "the expression is empty at Some(1)"),
        ("!", "the expression selects nothing at Some(1)"),
        ("=5", "the left side of the comparison is missing at Some(1)"),
        ("a::b[c", "the '[' is never closed at Some(5)"),
        ("a[b[c]", "the '[' is never closed at Some(2)"),
        ("a]b", "the ']' closes no '[' at Some(2)"),
        ("a[b]c::d", "unexpected 'c' after a filter at Some(5)"),
    ] {
        assert_eq!(printed(text), expected, "{text}");
    }
}

#[test]
fn depth_and_length_have_limits() {
    assert!(parse(&"[".repeat(50_000)).is_err());
    assert!(parse(&"[]".repeat(30_000)).is_err());
    assert!(parse(&"a".repeat(70_000)).is_err());
    assert!(parse(&"::".repeat(30_000)).is_ok());
}

/// Strings of significant characters, and of some others.
fn text() -> impl Strategy<Value = String> {
    "([ab1\\-_+.$*!?= ]|::|\\[|\\]|é){0,24}"
}

proptest! {
    #[test]
    fn every_string_parses_or_is_an_error(text in "\\PC{0,40}") {
        let _ = parse(&text);
    }

    #[test]
    fn printed_paths_parse_to_the_same_path(text in text()) {
        if let Ok(path) = parse(&text) {
            let form = path.to_string();
            let again = parse(&form);
            prop_assert!(again.is_ok(), "{form} does not read");
            prop_assert_eq!(&again.as_ref().map(ToString::to_string).unwrap_or_default(), &form);
            prop_assert_eq!(again.unwrap(), path);
        }
    }

    #[test]
    fn errors_have_spans_within_the_source(text in text()) {
        if let Err(ExpressionError { place: Some((source, span)), .. }) = parse(&text) {
            prop_assert_eq!(source.clamp(span), span);
        }
    }
}
