//! Differences of strings are those that `similar` finds.

use hieratic_report::LineDiff;
use proptest::prelude::*;
use similar::TextDiff;

fn unified(base: &str, head: &str) -> String {
    TextDiff::from_lines(base, head).unified_diff().header("a", "b").to_string()
}

/// Short lines of few letters, so that many are equal, with every kind of end.
fn text() -> impl Strategy<Value = String> {
    proptest::collection::vec("[ab ]{0,2}(\n|\n|\n|\r\n|\r|)", 0..150).prop_map(|lines| lines.concat())
}

proptest! {
    #[test]
    fn differences_are_those_of_similar(base in text(), head in text()) {
        prop_assert_eq!(LineDiff::new(&base, &head).unified("a", "b"), unified(&base, &head));
    }

    #[test]
    fn an_edit_of_a_long_text_is_that_of_similar(base in text(), at in 0..100usize, line in "[ab]{0,2}\n") {
        let mut head: Vec<&str> = base.split_inclusive('\n').collect();
        head.insert(at.min(head.len()), &line);
        let head = head.concat();
        prop_assert_eq!(LineDiff::new(&base, &head).unified("a", "b"), unified(&base, &head));
    }
}

#[test]
fn kept_lines_are_paired() {
    let diff = LineDiff::new("a\nb\nc\n", "b\nx\nc\n");
    assert_eq!(diff.unchanged_lines().collect::<Vec<_>>(), [(1, 0), (2, 2)]);
    assert!(LineDiff::new("a\n", "a\n").unified("a", "b").is_empty());
}
