#![no_main]
//! HCL's JSON syntax: it is read, and what is read is read in an array too. The templates in its strings are read from where
//! they stand.

use hieratic_hcl_syntax::json::{self, Node};
use hieratic_hcl_syntax::{Source, Span, parse_template};

// Shared with the tests of the crate; each target needs a part of it.
#[allow(dead_code)]
#[path = "../../crates/hcl-syntax/tests/reading/nesting.rs"]
mod nesting;

libfuzzer_sys::fuzz_target!(|text: &[u8]| {
    let length = text.len() as u32;
    let parsed = json::parse_expression(Source::new("main.json", text));
    let complete = parsed.problems.is_empty();
    nesting::Check { length, complete }.json(&parsed.tree, Span { start: 0, end: length });
    let _ = parsed.problems.to_string();
    let _ = json::parse(Source::new("main.json", text)).problems.to_string();
    let wrapped = [b"[", text, b"]"].concat();
    let array = json::parse_expression(Source::new("main.json", wrapped));
    if complete && array.problems.is_empty() {
        assert!(matches!(array.tree, Node::Array(array) if array.items.len() == 1), "more is read than there is");
    }
    templates(&parsed.tree, &parsed.source);
});

fn templates(node: &Node, source: &Source) {
    match node {
        Node::Object(object) => object.properties.iter().for_each(|property| templates(&property.value, source)),
        Node::Array(array) => array.items.iter().for_each(|item| templates(item, source)),
        Node::String { value, span } => {
            let template = parse_template(json::template_source(source, value, *span));
            assert_eq!(template.source.first_byte(), span.start + 1);
            let _ = template.problems.to_string();
        }
        _ => {}
    }
}
