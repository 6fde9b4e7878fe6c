//! Replays what `hclfmt` makes of texts.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use hieratic_hcl_syntax::{Source, format, parse_config};
use serde_json::Value;

fn cases() -> Vec<Value> {
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../../conformance/hcl/recorded/format.jsonl");
    // Whoever records many cases replays them without keeping them.
    let path = std::env::var("HIERATIC_FORMAT_CASES").unwrap_or_else(|_| recorded.to_owned());
    std::fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn texts_are_laid_out_as_recorded() {
    let cases = cases();
    let mut wrong = Vec::new();
    for case in &cases {
        let ours = format(case["text"].as_str().unwrap().as_bytes());
        let theirs = case["formatted"].as_str().unwrap();
        if ours != theirs.as_bytes() {
            wrong.push(format!(
                "{}\n{:?}\n ours   {:?}\n theirs {theirs:?}",
                case["id"],
                case["text"],
                String::from_utf8_lossy(&ours)
            ));
        }
    }
    let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {} differ:\n{shown}", wrong.len(), cases.len());
    assert!(cases.len() > 500);
}

/// What is HCL stays as it is once it is laid out, and has the same parts.
#[test]
fn a_layout_is_kept() {
    for case in cases() {
        let text = case["text"].as_str().unwrap();
        let parsed = parse_config(Source::new("a", text));
        if parsed.problems.has_errors() {
            continue;
        }
        let once = format(text.as_bytes());
        let again = parse_config(Source::new("a", once.clone()));
        assert!(!again.problems.has_errors(), "{}", case["id"]);
        assert_eq!(again.tree.attributes().len(), parsed.tree.attributes().len(), "{}", case["id"]);
        assert_eq!(again.tree.blocks.len(), parsed.tree.blocks.len(), "{}", case["id"]);
    }
}
