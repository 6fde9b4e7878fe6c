#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use hieratic_budget::Budget;

use super::Pattern;

fn replaced(pattern: &str, text: &str, template: &str) -> String {
    Pattern::new(pattern).unwrap().replace_all(&Budget::default(), text, template).unwrap()
}

fn refused(pattern: &str) -> String {
    Pattern::new(pattern).err().unwrap()
}

#[test]
fn templates_name_groups() {
    assert_eq!(replaced("(a)(?P<rest>.*)", "abc", "$rest-$1"), "bc-a");
    assert_eq!(replaced("(a)", "a", "$1x"), "");
    assert_eq!(replaced("(a)", "a", "${1}x$$"), "ax$");
    assert_eq!(replaced("a", "a", "$"), "$");
    assert_eq!(replaced("(?P<n>a)|(?P<n>b)", "ab", "[$n]"), "[a][b]");
}

#[test]
fn empty_matches_do_not_touch_others() {
    assert_eq!(replaced("a*", "baac", "-"), "-b-c-");
    assert_eq!(replaced("", "ab", "-"), "-a-b-");
}

#[test]
fn perl_classes_are_ascii() {
    assert_eq!(replaced(r"\d", "1٣", "x"), "x٣");
    assert_eq!(replaced(r"\pN", "1٣", "x"), "xx");
    assert_eq!(replaced(r"[[:^alpha:]]", "a1é", "x"), "axx");
    assert_eq!(replaced(r"(?i)k", "kK\u{212a}", "x"), "xxx");
}

#[test]
fn invalid_repetitions_are_literals() {
    assert_eq!(replaced("a{,2}", "a{,2}", "x"), "x");
    assert_eq!(replaced("a{2}", "aaa", "x"), "xa");
}

#[test]
fn errors_are_those_of_the_reference() {
    assert_eq!(refused("("), "error parsing regexp: missing closing ): `(`");
    assert_eq!(refused("a**"), "error parsing regexp: invalid nested repetition operator: `**`");
    assert_eq!(refused("*a"), "error parsing regexp: missing argument to repetition operator: `*`");
    assert_eq!(refused("[z-a]"), "error parsing regexp: invalid character class range: `z-a`");
    assert_eq!(refused("[a"), "error parsing regexp: missing closing ]: `[a`");
    assert_eq!(refused(r"\8"), r"error parsing regexp: invalid escape sequence: `\8`");
    assert_eq!(refused("a{1001}"), "error parsing regexp: invalid repeat count: `{1001}`");
    assert_eq!(refused(&"(".repeat(100_000).replace('(', "(?:")), refused(&"(?:".repeat(100_000)));
}
