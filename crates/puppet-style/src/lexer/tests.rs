use hieratic_budget::{Budget, Limits};

use super::tokenize;
use crate::kind::Kind;

fn kinds(source: &str) -> Vec<(Kind, String)> {
    let budget = Budget::new(Limits::default());
    let tokens = tokenize(source, &budget).unwrap();
    tokens.into_iter().map(|token| (token.kind, token.value.into_owned())).collect()
}

fn of(kind: Kind, value: &str) -> (Kind, String) {
    (kind, value.to_owned())
}

#[test]
fn interpolations_are_tokens() {
    assert_eq!(
        kinds("\"a ${b['c']} $d-e\""),
        [
            of(Kind::DqPre, "a "),
            of(Kind::Variable, "b"),
            of(Kind::Lbrack, "["),
            of(Kind::Sstring, "c"),
            of(Kind::Rbrack, "]"),
            of(Kind::DqMid, " "),
            of(Kind::UnencVariable, "d-e"),
            of(Kind::DqPost, ""),
        ]
    );
}

#[test]
fn a_heredoc_begins_on_the_next_line() {
    assert_eq!(
        kinds("$a = @(\"END\")\n  b ${c}\n  | END\n"),
        [
            of(Kind::Variable, "a"),
            of(Kind::Whitespace, " "),
            of(Kind::Equals, "="),
            of(Kind::Whitespace, " "),
            of(Kind::HeredocOpen, "\"END\""),
            of(Kind::Newline, "\n"),
            of(Kind::HeredocPre, "  b "),
            of(Kind::Variable, "c"),
            of(Kind::HeredocPost, "\n  "),
            of(Kind::Newline, "\n"),
        ]
    );
}

#[test]
fn numbers_end_where_words_do() {
    let number = |source: &str| kinds(source).remove(0);
    assert_eq!(number("0x1f "), of(Kind::Number, "0x1f"));
    assert_eq!(number("0x1g"), of(Kind::Name, "0x1g"));
    assert_eq!(number("1.5e-3,"), of(Kind::Number, "1.5e-3"));
    assert_eq!(number("1.5a"), of(Kind::Number, "1"));
    assert_eq!(number("2a::b("), of(Kind::FunctionName, "2a::b"));
}
