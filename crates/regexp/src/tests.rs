//! What Ruby 3.1 answers.

use proptest::prelude::*;

use super::*;

fn matches(pattern: &str, text: &str) -> bool {
    Regexp::new(pattern).unwrap().is_match(text)
}

#[test]
fn patterns_mean_what_they_mean_in_ruby() {
    for (pattern, text, expected) in [
        ("^b", "a\nb", true),
        ("\\Ab", "a\nb", false),
        ("a$", "a\nb", true),
        ("a\\z", "a\n", false),
        ("a\\Z", "a\n", true),
        ("a.b", "a\nb", false),
        ("\\w", "\u{e9}", false),
        ("[[:alpha:]]", "\u{e9}", true),
        ("\\h+", "beef", true),
        ("(?<x>a)\\k<x>", "aa", true),
        ("(?<!a)b", "ab", false),
        ("a++b", "aab", true),
        ("[a-c&&b-d]", "a", false),
        ("\\u{e9}", "\u{e9}", true),
        ("\\u00e9", "\u{e9}", true),
        ("^profile::.*::port$", "profile::web::port", true),
        ("^(a|b)::c", "b::c", true),
        ("a{2}", "aa", true),
    ] {
        assert_eq!(matches(pattern, text), expected, "{pattern:?} {text:?}");
    }
}

#[test]
fn options_change_the_meaning() {
    let with = |options| Regexp::with_options("a . b", options).unwrap();
    assert!(with(Options { extended: true, multiline: true, ..Options::default() }).is_match("a\nb"));
    assert!(with(Options { ignore_case: true, ..Options::default() }).is_match("A x B"));
    assert_eq!(with(Options { ignore_case: true, extended: true, multiline: true }).to_string(), "/a . b/mix");
}

#[test]
fn faults_are_told_in_the_words_of_ruby() {
    for (pattern, message) in [
        ("^k[", "premature end of char-class: /^k[/"),
        ("*a", "target of repeat operator is not specified: /*a/"),
        ("(", "end pattern with unmatched parenthesis: /(/"),
        ("a)", "unmatched close parenthesis: /a)/"),
    ] {
        assert_eq!(Regexp::new(pattern).unwrap_err().to_string(), message);
    }
}

#[test]
fn a_pathological_pattern_ends() {
    let regexp = Regexp::new("(?=a)(a*)*\\1$").unwrap();
    let text = format!("{}b", "a".repeat(60));
    assert_eq!(regexp.try_find_at(&text, 0), Err(TooExpensive));
    assert!(!regexp.is_match(&text));
    assert!(!matches("(a*)*c", &text));
}

proptest! {
    #[test]
    fn both_engines_find_the_same(pattern in "[a-c.|()*+?^$\\\\wds\\[\\]-]{0,8}", text in "[a-c \\n1_]{0,8}") {
        let Ok(onig) = oniguruma::Pattern::new(&pattern, Options::default()) else { return Ok(()) };
        if let Some(simple) = simple::translate(&pattern) {
            let found = simple.find(&text).map(|found| found.range());
            prop_assert_eq!(Ok(found), onig.find_at(&text, 0), "{}", pattern);
        }
    }

    #[test]
    fn no_pattern_panics(pattern in ".{0,20}", text in ".{0,20}") {
        if let Ok(regexp) = Regexp::new(&pattern) {
            let _ = regexp.find_at(&text, 0);
        }
    }
}
