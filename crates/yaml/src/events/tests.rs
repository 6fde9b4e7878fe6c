//! The events of simple sources, compared with those of libyaml.

use proptest::prelude::*;

use super::*;

/// All events, or as many as there are before an error.
fn describe_events(mut events: Events<'_>) -> Vec<String> {
    let mut all = Vec::new();
    loop {
        let Ok(Event { at, extent, kind }) = events.next() else {
            all.push("error".into());
            return all;
        };
        let kind = match kind {
            Kind::StreamEnd => {
                all.push(format!("{at:?} {extent:?} end"));
                return all;
            }
            Kind::DocumentStart => "document".into(),
            Kind::DocumentEnd => "end of document".into(),
            Kind::Alias(name) => format!("alias {name}"),
            Kind::Scalar(Scalar { text, quoted, plain, block, marks }) => {
                format!("scalar {text:?} {quoted} {plain} {block} {:?} {:?}", marks.anchor, marks.tag)
            }
            Kind::SequenceStart(marks) => format!("sequence {} {:?} {:?}", marks.flow, marks.anchor, marks.tag),
            Kind::SequenceEnd => "end of sequence".into(),
            Kind::MappingStart(marks) => format!("mapping {} {:?} {:?}", marks.flow, marks.anchor, marks.tag),
            Kind::MappingEnd => "end of mapping".into(),
            Kind::Other => "other".into(),
        };
        all.push(format!("{at:?} {extent:?} {kind}"));
    }
}

/// Returns whether a source is simple. If it is, its events are compared with those of libyaml.
fn is_simple(text: &str) -> bool {
    let events = Events::new(text.as_bytes());
    let is_simple = matches!(events.reader, EventSource::Simple(..));
    if is_simple {
        assert_eq!(describe_events(events), describe_events(Events::of_library(text.as_bytes())), "{text}");
    }
    is_simple
}

#[test]
fn common_documents_are_simple() {
    assert!(is_simple(SAMPLE));
    for text in [
        "a: 1",
        "---\na: 1\nb: 'x y'\n\"c d\": \"e\" # comment\n",
        "a:\n  b: c\n  d:\n    - e\n    - f: g\n      h: i\n    -\n  j:\nk: l\n",
        "a:\n- b\n- c: d\n  e:\n  - f\n- - g\n  - h\ni: []\nj: {}\nk: [a, 'b c', \"d\", 10.0.0.0/8, Foo::Bar]\n",
        "# comment\n\n:backends:\n  - yaml\n  # more\nprofile::a::b: https://example.com/#x\n  # end\n",
        "- a\n- b\n",
        "- key: a: b\n",
    ] {
        assert!(is_simple(text) != text.contains("a: b\n"), "{text}");
    }
}

/// Pieces that lines are made of, simple ones and others.
const PIECES: &[&str] = &[
    "a",
    "bc",
    "d::e",
    "'f'",
    "\"g\"",
    ":",
    ": ",
    "- ",
    "-",
    " ",
    "  ",
    "\n",
    "\n  ",
    "\n    ",
    "\n- ",
    "# h",
    " # i",
    "[",
    "]",
    ", ",
    ",",
    "{}",
    "[]",
    "[a, b]",
    "&x ",
    "*x",
    "!y ",
    "|",
    ">",
    "---",
    "...",
    "? ",
    "<<: ",
    "\u{e9}",
    "1",
    "~",
    "'",
    "\"",
    "\\",
    "%",
    "@",
    "\t",
    "''",
    "\n\n",
    ": \n",
    ":\n",
    ":\n- ",
    ":\n  ",
    ": x\n",
    ": 'y'\n",
    "a: b\n",
    "\r\n",
    "=",
    "{a: b}",
    "\u{2028}",
    "\u{feff}",
    "x: [",
    "#",
    ": &x",
    ": *x",
    ": |",
    ": |-\n",
    "{c: [d, e], 'f': {}}",
    "{",
    "}",
    "[a, ",
    "b: |\n  x\n\n   y\n",
    "\\n",
    "\\\"",
    "\\/",
    "<<: *x\n",
    "&y",
    "- &x\n",
    ": &x\n",
    "it''s",
    "word word",
    "   ",
    "\n      ",
    "::",
    "*",
    "&",
    "{a: b, }",
    "|+\n",
    "|2\n",
    "a: |\n",
];

/// A source with every simple construct.
const SAMPLE: &str = "---\n# comment\na::b: 1\nc:\n  d: 'it''s' # why\n  e:\n    - f\n    - g: h\n      i:\n        j: \"k\\n\"\n    -\n    - - l\n      - m\n\
                      n:\n- o\n- p: q\n  r: [s, 't', {u: v}]\n- &w x y\nz: &list\n  - one\n  - two\nagain: *list\ntext: |\n  line\n\n    more\n  \nlong:\n  \
                      words that go on\n  and on\n\nempty:\nother: {}\nlast: words\n  behind\n";

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn simple_texts_have_the_events_of_libyaml(pieces in prop::collection::vec(prop::sample::select(PIECES), 1..24)) {
        is_simple(&pieces.concat());
    }

    #[test]
    fn lines_have_the_events_of_libyaml(
        lines in prop::collection::vec((0usize..5, prop::sample::select(PIECES), prop::sample::select(PIECES), prop::sample::select(PIECES)), 1..10)
    ) {
        let text: String = lines.iter().map(|(indent, a, b, c)| format!("{}{a}{b}{c}\n", " ".repeat(*indent))).collect();
        is_simple(&text);
    }

    #[test]
    fn changed_texts_have_the_events_of_libyaml(
        changes in prop::collection::vec((0..SAMPLE.len(), 0usize..4, prop::sample::select(PIECES)), 1..5)
    ) {
        let mut text = SAMPLE.to_owned();
        for (at, length, piece) in changes {
            let at = at.min(text.len());
            let end = (at + length).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                text.replace_range(at..end, piece);
            }
        }
        is_simple(&text);
    }
}
