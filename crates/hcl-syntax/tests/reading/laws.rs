//! Laws that hold for any text.

use hieratic_hcl_syntax::{Problems, Source, Span, json, parse_config, parse_expression, parse_template};
use proptest::prelude::*;

use crate::nesting::Check;

/// Pieces of which texts are made that are often almost right.
const PIECES: &[&str] = &[
    "a",
    "b_c",
    "é",
    "for ",
    "in ",
    "if ",
    "x = ",
    " = ",
    "=",
    "{",
    "}",
    "{\n",
    "}\n",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "${",
    "%{",
    "%{ if x }",
    "%{ else }",
    "%{ endif }",
    "%{ for a in b }",
    "%{ endfor }",
    "~}",
    "<<EOT\n",
    "<<-EOT\n",
    "EOT\n",
    "\n",
    "\r\n",
    " ",
    ",",
    ".",
    "*",
    "[*]",
    ".*",
    "?",
    ":",
    "::",
    "...",
    "=>",
    "+",
    "-",
    "!",
    "==",
    "&&",
    "1",
    "2.5",
    "1e3",
    "true",
    "null",
    "\\n",
    "\\u00e9",
    "$${",
    "#",
    "// c\n",
    "/* c */",
    ";",
    "'",
    "e\u{301}",
    "\t",
    "\"k\": ",
    "\"v\"",
];

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        proptest::collection::vec(proptest::sample::select(PIECES), 0..30).prop_map(|pieces| pieces.concat()),
        any::<String>(),
    ]
}

/// Places lie in the source and can be counted, and what is said can be written.
fn sound(problems: &Problems, source: &Source) {
    for problem in problems {
        assert!(!problem.to_string().is_empty());
        for range in problem.subject.iter().chain(&problem.context) {
            let (start, end) = (range.start(), range.end());
            assert!(start.line >= 1 && start.column >= 1 && end.column >= 1);
            // A fault in a string of JSON may be that it ends.
            assert!(range.span.start <= source.bytes().len() as u32, "{problem}");
        }
    }
}

fn check_all(text: &[u8]) {
    let length = text.len() as u32;
    let all = Span { start: 0, end: length };
    let source = || Source::new("a", text);
    let parsed = parse_config(source());
    sound(&parsed.problems, &parsed.source);
    Check { length, complete: parsed.problems.is_empty() }.body(&parsed.tree, all);
    for parsed in [parse_expression(source()), parse_template(source())] {
        sound(&parsed.problems, &parsed.source);
        Check { length, complete: parsed.problems.is_empty() }.expression(&parsed.tree, all);
    }
    let parsed = json::parse_expression(source());
    sound(&parsed.problems, &parsed.source);
    Check { length, complete: parsed.problems.is_empty() }.json(&parsed.tree, all);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_string_parses_with_nested_spans(text in texts()) {
        check_all(text.as_bytes());
    }

    #[test]
    fn any_bytes_parse(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        check_all(&bytes);
    }

    /// A template without sequences is its text; a byte-order mark is no part of it.
    #[test]
    fn plain_templates_are_their_text(text in "[^$%\r\u{0}-\u{1f}\u{feff}]{0,40}") {
        let parsed = parse_template(Source::new("a", text.clone()));
        let hieratic_hcl_syntax::Expression::Template(template) = parsed.tree else { panic!("a template is read") };
        let literal = template.string_literal().unwrap();
        let value = hieratic_hcl_types::Value::string(text);
        prop_assert_eq!(literal.value.as_str(), value.as_str());
    }

    /// Places are those that counting from the start gives, and grow with the offset.
    #[test]
    fn positions_grow_with_offsets(text in texts()) {
        let parsed = parse_config(Source::new("a", text.clone()));
        let mut last = (1, 1);
        for offset in (0..=text.len()).filter(|offset| text.is_char_boundary(*offset)) {
            let offset = offset as u32;
            let position = parsed.source.position(offset);
            prop_assert!((position.line, position.column) >= last, "{:?} after {:?}", position, last);
            last = (position.line, position.column);
        }
    }
}
