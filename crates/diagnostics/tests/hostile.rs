//! Whatever a message and its sources hold, it is written, and nothing in it drives the terminal.

use hieratic_diagnostics::render::{self, Style, Tool};
use hieratic_diagnostics::{Code, Diagnostic, Severity, Source, Span};
use hieratic_testing::assert_proportional;
use proptest::prelude::*;

/// Texts with all that is awkward: ends of lines, tabs, escapes, wide and combining characters.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,30}",
        "[\\x00-\\x1fa\u{e9}\u{9b}\n\r\t\u{301}\u{4e00}\u{202e}\u{1f469}\u{200d}]{0,40}",
        "(a{0,5}\n){0,8}"
    ]
}

fn offset() -> impl Strategy<Value = usize> {
    prop_oneof![0usize..60, Just(usize::MAX), any::<usize>()]
}

fn span() -> impl Strategy<Value = Span> {
    (offset(), offset()).prop_map(|(start, end)| Span::new(start, end))
}

prop_compose! {
    fn diagnostic()(
        texts in [text(), text(), text()],
        labels in prop::collection::vec((0usize..3, span(), text(), any::<bool>()), 0..5),
        place in prop::option::of((text(), any::<Option<u32>>(), any::<Option<u32>>())),
        (note, help) in (prop::option::of(text()), prop::option::of(text())),
    ) -> Diagnostic {
        let sources = texts.each_ref().map(|text| Source::new(text.as_str(), text.as_str()));
        let mut diagnostic = Diagnostic::new(Severity::Warning, Code::new("any", "A title"), texts[0].as_str());
        for (source, span, text, related) in labels {
            let source = sources[source].clone();
            diagnostic = if related { diagnostic.related(source, span, text) } else { diagnostic.label(source, span, text) };
        }
        if let Some((file, line, column)) = place {
            diagnostic = diagnostic.location(file, line, column);
        }
        diagnostic.notes.extend(note);
        diagnostic.help.extend(help);
        diagnostic
    }
}

fn is_safe(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{2028}'..='\u{202e}'))
}

proptest! {
    #[test]
    fn everything_is_written_and_nothing_escapes(
        diagnostic in diagnostic(),
        width in prop::option::of(0usize..200),
        wraps: bool,
        verbatim: bool,
    ) {
        let shown = render::human(&diagnostic, &Style { color: false, width, wraps, verbatim });
        prop_assert!(is_safe(&shown), "{shown:?}");
        prop_assert!(shown.ends_with('\n'));
        let colored = render::human(&diagnostic, &Style { color: true, width, wraps, verbatim });
        prop_assert!(is_safe(&without_colors(&colored)), "{colored:?}");

        let json = render::json(&diagnostic);
        prop_assert!(is_safe(&json) && !json.contains('\n'));
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(read["message"].as_str(), Some(diagnostic.message.as_str()));
        prop_assert_eq!(read["labels"].as_array().map(Vec::len), Some(diagnostic.labels.len() + diagnostic.locations.len()));

        let sarif = render::sarif(&[diagnostic.clone(), diagnostic], &[], &Tool { name: "t", version: "1" });
        prop_assert!(is_safe(&sarif) && !sarif.contains('\n'));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&sarif).is_ok());
    }

    #[test]
    fn lines_of_any_length_are_shown(length in 0usize..9000, start in 0usize..9000, end in 0usize..9000, wide: bool) {
        let source = Source::new("f", if wide { "é\u{1b}" } else { "a\t" }.repeat(length));
        let diagnostic = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x").label(source, Span::new(start, end), "y");
        let shown = render::human(&diagnostic, &Style::default());
        prop_assert!(shown.contains('^') && shown.len() < 10_000, "{shown}");
    }
}

/// The text without the sequences that only change colours (`ESC [ digits ; ... m`).
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut out = parts.next().unwrap_or("").to_string();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        out.push_str(rest.strip_prefix('m').unwrap_or("\u{1b}"));
    }
    out
}

#[test]
fn an_hour_is_not_spent_on_a_large_source() {
    assert_proportional("labels of a large source", 2_000_000, |lines| {
        let source = Source::new("f", "key: value\n".repeat(lines));
        let mut diagnostic = Diagnostic::new(Severity::Error, Code::new("e", "A title"), "x");
        for at in 0..lines / 10_000 {
            diagnostic = diagnostic.label(source.clone(), Span::new(at * 100_000, usize::MAX), "");
        }
        assert!(render::human(&diagnostic, &Style::default()).len() < 100_000);
    });
}
