//! Laws that hold for any text.

use hieratic_budget::{Budget, Limits};
use hieratic_hcl1::{Dialect, format, parse};
use proptest::prelude::*;

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b c",
        "\"d\"",
        " = ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "\n",
        "1",
        "1.5",
        "true",
        "# e\n",
        "/* f */",
        "<<E\ng\nE\n",
        "\"${h}\"",
        "\r\n",
        "é",
        "\\",
        "\"",
        ".",
        "-",
        "{\"a\":",
        ":",
        "null",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn errors_have_a_place_in_the_text(text in pieces()) {
        for dialect in [Dialect::Nomad, Dialect::Vault] {
            if let Err(error) = parse(text.as_bytes(), dialect, &Budget::default()) {
                prop_assert!(error.span.first() <= text.len() && error.span.behind() <= text.len() + 1, "{error}: {:?}", error.span);
                prop_assert!(error.place.line >= 1 && !error.message.is_empty());
            }
        }
    }

    #[test]
    fn a_layout_is_read_again(text in pieces()) {
        let budget = Budget::default();
        if let Ok(file) = parse(text.as_bytes(), Dialect::Nomad, &budget)
            && !file.is_json
        {
            let formatted = format(&file, &budget).unwrap();
            let again = parse(formatted.as_bytes(), Dialect::Nomad, &budget);
            // A comment between a key and its value moves before the key; elsewhere nothing is lost.
            prop_assert!(again.is_ok() || text.contains('#') || text.contains("/*"), "{formatted}");
        }
    }

    #[test]
    fn a_byte_that_is_no_character_is_refused(text in pieces(), at in 0..200_usize) {
        let mut bytes = text.into_bytes();
        bytes.insert(at.min(bytes.len()), 0xff);
        // Behind the end of an object, JSON may be anything.
        if !bytes.trim_ascii_start().starts_with(b"{") {
            prop_assert!(parse(&bytes, Dialect::Nomad, &Budget::default()).is_err());
        }
    }
}

#[test]
fn nesting_and_work_are_bounded() {
    let deep = format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000));
    let error = parse(deep.as_bytes(), Dialect::Nomad, &Budget::default()).unwrap_err();
    assert_eq!(error.message, "nested deeper than 1000 levels");
    let budget = Budget::new(Limits { steps: 10, ..Limits::default() });
    let error = parse("a = 1\n".repeat(10).as_bytes(), Dialect::Nomad, &budget).unwrap_err();
    assert!(error.exhausted.is_some(), "{error}");
}

#[test]
fn spans_are_those_of_the_file() {
    let text = "a = 1\r\nb = 2\r\nc = <<E\r\nx\r\nE\r\n";
    let file = parse(text.as_bytes(), Dialect::Nomad, &Budget::default()).unwrap();
    let keys: Vec<&str> = file.items.iter().map(|item| &text[file.span(&item.keys[0]).range()]).collect();
    assert_eq!(keys, ["a", "b", "c"]);
}

#[test]
fn deep_objects_are_laid_out_in_linear_time() {
    let mut text = String::new();
    for depth in 0..300 {
        text.push_str(&format!("k{depth} {{\nx = 1\n"));
    }
    text.push_str(&"}\n".repeat(300));
    let budget = Budget::default();
    let file = parse(text.as_bytes(), Dialect::Nomad, &budget).unwrap();
    assert!(format(&file, &budget).unwrap().len() > text.len());
}
