//! What holds for every text.

use hieratic_diagnostics::{Severity, Source};
use hieratic_puppet_syntax::{Options, Parsed, parse, pn};
use proptest::prelude::*;

/// Pieces of which a text may be made, so that chance finds more than the first error.
const PIECES: [&str; 66] = [
    " ",
    "\n",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "=>",
    "+>",
    "=",
    "+=",
    "->",
    "<~",
    "|",
    "<|",
    "|>",
    "<<|",
    "|>>",
    "?",
    "*",
    "-",
    "!",
    "/",
    "%",
    "==",
    "=~",
    "<<",
    "@",
    "@@",
    ".",
    "'a'",
    "\"b\"",
    "\"${",
    "\"",
    "'",
    "$x",
    "$",
    "foo",
    "Foo",
    "::a",
    "1",
    "0x1f",
    "1.5",
    "if",
    "else",
    "case",
    "class",
    "define",
    "function",
    "node",
    "type",
    "inherits",
    "default",
    "undef",
    "true",
    "in",
    "and",
    "@(E)\na\nE\n",
    "@(\"E\"/L)\n$x\n| E\n",
    "#c\n",
    "/r/",
    "é",
];

fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec((prop::sample::select(&PIECES[..]), any::<bool>()), 0..30);
    let joined = pieces.prop_map(|pieces| {
        pieces.into_iter().map(|(piece, blank)| format!("{piece}{}", if blank { " " } else { "" })).collect()
    });
    prop_oneof![joined, any::<String>()]
}

fn read(text: &str, epp: bool) -> (Source, Parsed) {
    let source = Source::new("f", text);
    let parsed = parse(&source, &Options { epp, tasks: epp });
    (source, parsed)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

    #[test]
    fn a_text_is_a_program_or_has_an_error(text in text(), epp: bool) {
        let (_, parsed) = read(&text, epp);
        let failed = parsed.problems.iter().any(|problem| problem.severity == Severity::Error);
        prop_assert_eq!(parsed.program.is_some(), !failed);
    }

    #[test]
    fn a_problem_is_in_the_text(text in text(), epp: bool) {
        let (source, parsed) = read(&text, epp);
        for problem in &parsed.problems {
            prop_assert!(problem.span.first() <= text.len(), "{:?}", problem);
            prop_assert!(problem.span.start <= problem.span.end, "{:?}", problem);
            let (line, _) = problem.position(&source);
            prop_assert!(line <= source.line_count());
        }
    }

    #[test]
    fn no_problem_is_reported_twice(text in text()) {
        let (_, parsed) = read(&text, false);
        let errors: Vec<_> = parsed.problems.iter().filter(|problem| problem.severity == Severity::Error).collect();
        for (index, error) in errors.iter().enumerate() {
            prop_assert!(!errors[..index].contains(error), "{:?}", error);
        }
    }

    /// White space and comments after a program do not change its tree.
    #[test]
    fn white_space_and_comments_at_the_end_do_not_matter(text in text()) {
        let (_, before) = read(&text, false);
        if let Some(before) = before.program {
            // After `default`, a slash divides only if no further one follows: otherwise it begins a regular expression.
            let end = if text.contains('/') { "\n# comment\n \n" } else { "\n# comment\n /* and\n another */ \n" };
            let (_, after) = read(&format!("{text}{end}"), false);
            prop_assert_eq!(Some(pn::dump(&before)), after.program.as_ref().map(pn::dump));
        }
    }

    /// Whatever is an expression is the same one in parentheses.
    #[test]
    fn parentheses_do_not_change_their_expression(text in text()) {
        let (_, inner) = read(&format!("[{text}\n]"), false);
        let (_, outer) = read(&format!("[({text}\n)]"), false);
        if let (Some(inner), Some(outer)) = (inner.program, outer.program) {
            let (inner, outer) = (pn::dump(&inner), pn::dump(&outer));
            let wrapped = format!("(array (paren {}", inner.strip_prefix("(array ").unwrap_or(&inner));
            prop_assert_eq!(outer, wrapped.strip_suffix(')').map(|text| format!("{text}))")).unwrap_or(wrapped));
        }
    }

    /// A text in single quotes is that text.
    #[test]
    fn a_quoted_text_is_read_back(text in "[^']([^']|\n)*") {
        let quoted = format!("'{}'", text.replace('\\', "\\\\"));
        let (_, parsed) = read(&quoted, false);
        let program = parsed.program.unwrap();
        let hieratic_puppet_syntax::ast::Node::Literal(value) = &program.body.node else { panic!("{program:?}") };
        prop_assert_eq!(value.as_str(), Some(&text[..]));
    }

    /// An integer is read back in all three bases.
    #[test]
    fn an_integer_is_read_back(number in 0i64..) {
        for (text, base) in [(format!("{number}"), 10), (format!("0{number:o}"), 8), (format!("0x{number:x}"), 16)] {
            let (_, parsed) = read(&text, false);
            let program = parsed.program.unwrap();
            let hieratic_puppet_syntax::ast::Node::Integer { value, radix } = program.body.node else { panic!("{program:?}") };
            prop_assert_eq!(value, number);
            prop_assert!(radix == base || number == 0);
        }
    }
}
