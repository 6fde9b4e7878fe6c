#![no_main]
//! A configuration file, an expression and a reference in HCL: each is read, what is wrong with it can be said with its place,
//! and the spans of the tree lie in the text and in each other.

use hieratic_hcl_syntax::{Problems, Source, Span, parse_config, parse_expression, parse_traversal_abs};

// Shared with the tests of the crate; each target needs a part of it.
#[allow(dead_code)]
#[path = "../../crates/hcl-syntax/tests/reading/nesting.rs"]
mod nesting;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let length = text.len() as u32;
    let all = Span { start: 0, end: length };
    let source = || Source::new("main.hcl", text);
    let parsed = parse_config(source());
    look(&parsed.problems, length);
    nesting::Check { length, complete: parsed.problems.is_empty() }.body(&parsed.tree, all);
    let parsed = parse_expression(source());
    look(&parsed.problems, length);
    nesting::Check { length, complete: parsed.problems.is_empty() }.expression(&parsed.tree, all);
    look(&parse_traversal_abs(source()).problems, length);
});

fn look(problems: &Problems, length: u32) {
    // Every message walks its line; a thousand of them say enough.
    for diagnostic in problems.iter().take(1000) {
        for range in diagnostic.subject.iter().chain(&diagnostic.context) {
            assert!(range.span.start <= range.span.end && range.span.end <= length, "{diagnostic}");
            assert!(range.start().line <= range.end().line);
        }
    }
}
