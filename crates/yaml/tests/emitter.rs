//! YAML as libyaml lays it out. The expectations were written by libyaml 0.2.5 through PyYAML 6, where nothing else is said.

use hieratic_testing::assert_proportional;
use hieratic_value::{Hash, Value};
use hieratic_yaml as yaml;
use hieratic_yaml::emitter::{Characters, Collection, Emitter, EndMark, Kind, Options, Scalar, Style};
use proptest::prelude::*;

use super::texts::texts;

/// A node to be written.
#[derive(Clone, Debug)]
enum Node {
    String(String, Style),
    Sequence(Vec<Node>, bool),
    Mapping(Vec<(Node, Node)>, bool),
}

impl Node {
    fn write(&self, emitter: &mut Emitter) {
        match self {
            Node::String(text, style) => {
                // Ruby merges behind a quoted `<<`, too.
                let tag = (text == "<<").then_some("!!str");
                let scalar = Scalar { tag, ..Scalar::string(text, *style) };
                emitter.scalar(&Scalar { plain_implicit: is_word(text), ..scalar });
            }
            Node::Sequence(items, flow) => {
                let is_empty = items.is_empty();
                emitter.start(&Collection { is_empty, flow: *flow, ..Collection::block(Kind::Sequence) });
                items.iter().for_each(|item| item.write(emitter));
                emitter.end();
            }
            Node::Mapping(pairs, flow) => {
                let is_empty = pairs.is_empty();
                emitter.start(&Collection { is_empty, flow: *flow, ..Collection::block(Kind::Mapping) });
                for (key, value) in pairs {
                    key.write(emitter);
                    value.write(emitter);
                }
                emitter.end();
            }
        }
    }

    fn value(&self) -> Value {
        match self {
            Node::String(text, _) => text.as_str().into(),
            Node::Sequence(items, _) => Value::from(items.iter().map(Node::value).collect::<Vec<_>>()),
            Node::Mapping(pairs, _) => {
                Value::from(pairs.iter().map(|(key, value)| (key.value(), value.value())).collect::<Hash>())
            }
        }
    }
}

/// Whether Ruby reads a plain scalar as a string for its beginning and its length.
fn is_word(text: &str) -> bool {
    text.len() > 5 && text.bytes().take(2).all(|byte| byte.is_ascii_alphabetic())
}

fn written(node: &Node, options: Options) -> String {
    let mut emitter = Emitter::new(options);
    node.write(&mut emitter);
    emitter.finish()
}

fn string(text: &str, style: Style) -> Node {
    Node::String(text.into(), style)
}

/// A mapping with one entry.
fn entry(key: Node, value: Node) -> Node {
    Node::Mapping(vec![(key, value)], false)
}

/// What is written for an entry of a mapping with a key of this content.
fn key(text: &str, options: Options) -> String {
    written(&entry(string(text, Style::Plain), string("v", Style::DoubleQuoted)), options)
}

#[test]
fn styles_are_wishes() {
    for (text, style, expected) in [
        ("abcdef", Style::Plain, "abcdef\n"),
        ("abcdef: b", Style::Plain, "'abcdef: b'\n"),
        ("abcdef\tb", Style::Plain, "\"abcdef\\tb\"\n"),
        ("abcdef\nb", Style::Plain, "'abcdef\n\n  b'\n"),
        ("", Style::Plain, "''\n"),
        ("a'b", Style::SingleQuoted, "'a''b'\n"),
        ("a\"\\b\u{1f600}", Style::DoubleQuoted, "\"a\\\"\\\\b\\U0001F600\"\n"),
        ("a\nb", Style::Literal, "|-\n  a\n  b\n"),
        (" a\nb\n", Style::Literal, "|2\n   a\n  b\n"),
        ("a\n\n", Style::Literal, "|+\n  a\n\n...\n"),
        ("a \nb", Style::Literal, "\"a \\nb\"\n"),
        ("a\nb\n c\n", Style::Folded, ">\n  a\n\n  b\n   c\n"),
    ] {
        assert_eq!(written(&string(text, style), Options::default()), expected, "{text:?}");
    }
}

#[test]
fn long_lines_are_folded_at_single_spaces() {
    let options = Options { width: 10, ..Options::default() };
    for (style, expected) in [
        (Style::Plain, "abcdef ghijk\n  lm  no\n"),
        (Style::SingleQuoted, "'abcdef ghijk\n  lm  no'\n"),
        (Style::DoubleQuoted, "\"abcdef ghijk\n  lm  no\"\n"),
        (Style::Folded, ">-\n  abcdef ghijk\n  lm  no\n"),
        (Style::Literal, "|-\n  abcdef ghijk lm  no\n"),
    ] {
        assert_eq!(written(&string("abcdef ghijk lm  no", style), options), expected);
    }
    assert_eq!(written(&string("abcdefghijkl  m", Style::DoubleQuoted), options), "\"abcdefghijkl\n  \\ m\"\n");
    let items = Node::Sequence(vec![string("abcdef", Style::Plain); 3], true);
    assert_eq!(written(&items, options), "[abcdef, abcdef,\n  abcdef]\n");
}

#[test]
fn collections_are_indented() {
    let list = || Node::Sequence(vec![string("abcdef", Style::Plain)], false);
    let nested = entry(string("kkkkkk", Style::Plain), Node::Sequence(vec![list(), entry(list(), list())], false));
    let narrow = "kkkkkk:\n- - abcdef\n- ? - abcdef\n  : - abcdef\n";
    assert_eq!(written(&nested, Options::default()), narrow);
    let wide = "kkkkkk:\n-   - abcdef\n-   ?   - abcdef\n    :   - abcdef\n";
    assert_eq!(written(&nested, Options { indent: 4, ..Options::default() }), wide);
    // A string that begins left of where its lines are indented is folded, too.
    let lists = (0..4).fold(string("abcdef b", Style::Plain), |node, _| Node::Sequence(vec![node], false));
    let folded = format!("{}- abcdef\n{}b\n", "-        ".repeat(3), " ".repeat(36));
    assert_eq!(written(&lists, Options { indent: 9, width: 19, ..Options::default() }), folded);
    // A number that is no indentation means two columns.
    assert_eq!(written(&nested, Options { indent: 12, ..Options::default() }), narrow);
    let empty = entry(Node::Mapping(Vec::new(), false), Node::Sequence(Vec::new(), false));
    assert_eq!(written(&empty, Options::default()), "{}: []\n");
    let flow = Node::Mapping(vec![(list(), nested)], true);
    assert_eq!(written(&flow, Options::default()), "{? [abcdef] : {kkkkkk: [[abcdef], {? [abcdef] : [abcdef]}]}}\n");
}

#[test]
fn simple_keys_have_a_limit() {
    for (text, is_simple) in [
        ("k".repeat(127), true),
        ("k".repeat(128), true),
        ("k".repeat(129), false),
        ("k\u{e9}".repeat(60), false),
        ("abcdef\rb".into(), false),
        ("abcdef\nb".into(), false),
    ] {
        assert_eq!(!key(&text, Options::default()).starts_with("? "), is_simple, "{text:?}");
    }
}

#[test]
fn aliases_as_keys_are_separated_from_the_colon() {
    let mut emitter = Emitter::new(Options::default());
    emitter.start(&Collection::block(Kind::Sequence));
    emitter.start(&Collection { anchor: Some("x"), tag: Some("!a"), ..Collection::empty(Kind::Sequence) });
    emitter.end();
    emitter.start(&Collection::block(Kind::Mapping));
    emitter.alias("x");
    emitter.alias("x");
    emitter.end();
    emitter.end();
    assert_eq!(emitter.finish(), "- &x !a []\n- *x : *x\n");
}

#[test]
fn documents_have_marks() {
    let marked = Options { explicit_start: true, explicit_end: true, ..Options::default() };
    assert_eq!(written(&string("abcdef", Style::Plain), marked), "--- abcdef\n...\n");
    let list = Node::Sequence(vec![string("a\n\n", Style::Literal)], false);
    assert_eq!(written(&list, marked), "---\n- |+\n  a\n\n...\n");
    assert_eq!(written(&list, Options::default()), "- |+\n  a\n\n...\n");
    // As the port to Go does.
    let go = Options { end_mark: EndMark::PlainRoot, ..Options::default() };
    assert_eq!(written(&list, go), "- |+\n  a\n\n");
    assert_eq!(written(&string("abcdef", Style::Plain), go), "abcdef\n...\n");
    assert_eq!(written(&string("abcdef", Style::SingleQuoted), go), "'abcdef'\n");
}

#[test]
fn characters_are_escaped() {
    let text = "caf\u{e9} \u{1f600}";
    for (characters, expected) in [
        (Characters::Ascii, "\"caf\\xE9 \\U0001F600\"\n"),
        (Characters::BasicPlane, "\"caf\u{e9} \\U0001F600\"\n"),
        (Characters::All, "caf\u{e9} \u{1f600}\n"),
    ] {
        assert_eq!(written(&string(text, Style::Plain), Options { characters, ..Options::default() }), expected);
    }
    let marked = string("\u{feff}a b", Style::DoubleQuoted);
    assert_eq!(written(&marked, Options::default()), "\"\\uFEFFa b\"\n");
    // As the port to Go does.
    let go = Options { mark_escapes_all: true, ..Options::default() };
    assert_eq!(written(&marked, go), "\"\\uFEFF\\x61\\x20\\x62\"\n");
}

#[test]
fn work_is_linear() {
    for unit in ["ab  c'\"", " ", "\n", "a ", "a\n", "\u{e9} \u{2028}"] {
        for style in [Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded] {
            assert_proportional("writing a string", 1 << 16, |size| {
                written(&Node::Sequence(vec![string(&unit.repeat(size), style)], false), Options::default());
            });
        }
    }
    assert_proportional("writing entries", 1 << 14, |size| {
        let pairs = (0..size).map(|number| (string(&format!("k{number}"), Style::Plain), string("v", Style::Plain)));
        written(&Node::Mapping(pairs.collect(), false), Options::default());
    });
}

fn scalar_styles() -> impl Strategy<Value = Style> {
    prop::sample::select(vec![Style::Plain, Style::SingleQuoted, Style::DoubleQuoted, Style::Literal, Style::Folded])
}

fn has_indented_line(text: &str) -> bool {
    text.split(['\n', '\u{2028}', '\u{2029}']).any(|line| line.starts_with(' '))
}

fn scalars() -> impl Strategy<Value = Node> {
    let words = prop::collection::vec(texts(), 0..20).prop_map(|words| words.join(" "));
    let texts = prop_oneof![3 => texts(), 1 => words];
    (texts, scalar_styles()).prop_map(|(text, style)| match style {
        // libyaml folds lines that begin with a space, too, and these are not unfolded when they are read.
        Style::Folded if has_indented_line(&text) => Node::String(text, Style::Literal),
        _ => Node::String(text, style),
    })
}

fn nodes() -> impl Strategy<Value = Node> {
    scalars().prop_recursive(4, 24, 4, |inner| {
        // Keys that are equal would be one when they are read.
        let keys = prop::collection::vec((prop_oneof![4 => scalars(), 1 => inner.clone()], inner.clone()), 0..4)
            .prop_filter("different keys", |pairs| {
                pairs.iter().map(|(key, _)| (key.value(), Value::Undef)).collect::<Hash>().len() == pairs.len()
            });
        prop_oneof![
            (prop::collection::vec(inner, 0..4), any::<bool>()).prop_map(|(items, flow)| Node::Sequence(items, flow)),
            (keys, any::<bool>()).prop_map(|(pairs, flow)| Node::Mapping(pairs, flow)),
        ]
    })
}

fn options() -> impl Strategy<Value = Options> {
    let characters = prop::sample::select(vec![Characters::Ascii, Characters::BasicPlane, Characters::All]);
    let end_mark = prop::sample::select(vec![EndMark::KeptLines, EndMark::PlainRoot]);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (0usize..12, 0usize..100, characters, end_mark, flags).prop_map(
        |(indent, width, characters, end_mark, (explicit_start, explicit_end, mark_escapes_all))| Options {
            indent,
            width,
            characters,
            explicit_start,
            explicit_end,
            end_mark,
            mark_escapes_all,
            canonical: false,
        },
    )
}

proptest! {
    #[test]
    fn written_values_read_back_equal(node in nodes(), options in options()) {
        let text = written(&node, options);
        let read = yaml::parse(text.as_bytes(), &yaml::Options::new("f"));
        let read = read.map_err(|error| TestCaseError::fail(format!("{error:?}\n{text}")))?;
        prop_assert_eq!(read, node.value(), "{}", text);
    }
}
