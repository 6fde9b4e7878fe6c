//! Every output format.

use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span, render};
use proptest::prelude::*;

fn diagnostic() -> Diagnostic {
    let source = Source::new("data/common.yaml", "a: 1\nport: {80\u{1b}[31m}\nb: 2\n");
    let start = source.offset(2, 7);
    Diagnostic::new(Severity::Error, "data-syntax", "did not find expected ','")
        .label(source, Span { start, end: start + 3 }, "here")
        .note("flow mappings need commas")
        .help("close the brace")
}

#[test]
fn for_people() {
    let style = render::Style { verbatim: true, ..render::Style::default() };
    insta::assert_snapshot!(render::human(&diagnostic(), &style), @r"
    Error: did not find expected ','
     --> data/common.yaml:2:7
      |
    2 | port: {80␛[31m} 
      |       ^^^ here
    note: flow mappings need commas
    help: close the brace
    ");
    insta::assert_snapshot!(render::human(&diagnostic(), &render::Style::default()).lines().next().unwrap(), @"error[data-syntax]: did not find expected ','");
    let elsewhere = Diagnostic::new(Severity::Warning, "w", "x").location("f.yaml", Some(3), None);
    insta::assert_snapshot!(render::human(&elsewhere, &style), @r"
    Warning: x
     --> f.yaml:3
    ");
}

#[test]
fn as_json() {
    insta::assert_snapshot!(render::json(&diagnostic()), @r#"{"severity":"error","code":"data-syntax","message":"did not find expected ','","labels":[{"file":"data/common.yaml","line":2,"column":7,"end_line":2,"end_column":10,"text":"here","primary":true}],"notes":["flow mappings need commas"],"help":["close the brace"]}"#);
}

#[test]
fn as_sarif() {
    let codes = [Code::new("data-syntax", "Data that cannot be read", "The file is no YAML.")];
    insta::assert_snapshot!(render::sarif(&[diagnostic()], &codes, "0.1.0"), @r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":{"driver":{"name":"hieratic","version":"0.1.0","rules":[{"id":"data-syntax","shortDescription":{"text":"Data that cannot be read"},"fullDescription":{"text":"The file is no YAML."}}]}},"columnKind":"unicodeCodePoints","results":[{"ruleId":"data-syntax","ruleIndex":0,"level":"error","message":{"text":"did not find expected ','\nflow mappings need commas\nclose the brace"},"locations":[{"physicalLocation":{"artifactLocation":{"uri":"data/common.yaml"},"region":{"startLine":2,"startColumn":7,"endLine":2,"endColumn":10}}}]}]}]}"#);
}

proptest! {
    #[test]
    fn no_span_and_no_text_panics(text in "\\PC{0,30}|[\\x00-\\x1fa\u{e9}\n]{0,30}", start in 0usize..40, end in 0usize..40, color: bool) {
        let diagnostic = Diagnostic::new(Severity::Error, "c", text.as_str())
            .label(Source::new("f", text.as_str()), Span { start, end }, text.as_str());
        let shown = render::human(&diagnostic, &render::Style { color, ..render::Style::default() });
        prop_assert!(color || !shown.contains('\u{1b}'), "control characters are shown");
        prop_assert!(!render::json(&diagnostic).contains('\n'));
    }
}
