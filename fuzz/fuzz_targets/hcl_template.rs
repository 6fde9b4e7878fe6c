#![no_main]
//! A template of HCL, alone, between quotes and in heredocs: it is read, and without errors its spans lie in each other. A text
//! without signs and escapes is itself.

use hieratic_hcl_syntax::{Expression, Source, Span, parse_expression, parse_template};

// Shared with the tests of the crate; each target needs a part of it.
#[allow(dead_code)]
#[path = "../../crates/hcl-syntax/tests/reading/nesting.rs"]
mod nesting;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let parsed = parse_template(Source::new("main.hcl", text));
    check(&parsed.tree, text.len(), parsed.problems.is_empty());
    let _ = parsed.problems.to_string();
    if !text.contains(['$', '%', '\r', '\u{feff}']) {
        let Expression::Template(template) = &parsed.tree else { panic!("a template is read") };
        let read = template.string_literal().and_then(|literal| literal.value.as_str());
        assert_eq!(read, hieratic_hcl_types::Value::string(text).as_str());
    }
    for quoted in [
        format!("\"{text}\""),
        format!("<<EOT\n{text}\nEOT\n"),
        format!("<<-EOT\n  {text}\n    {text}\n  EOT\n"),
        format!("\"${{\"{text}\"}}%{{ if {text} ~}} {text} %{{~ endif }}\""),
    ] {
        let parsed = parse_expression(Source::new("main.hcl", &*quoted));
        check(&parsed.tree, quoted.len(), parsed.problems.is_empty());
        let _ = parsed.problems.to_string();
    }
});

fn check(tree: &Expression, length: usize, complete: bool) {
    let length = length as u32;
    nesting::Check { length, complete }.expression(tree, Span { start: 0, end: length });
}
