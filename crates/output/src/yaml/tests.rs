//! Output of Ruby 3.1 with Psych 4.0.3 and libyaml 0.2.5. No expectation was written by hand.

use std::rc::Rc;

use hieratic_value::{Hash, Rich, Value};
use proptest::prelude::*;

use crate::tree::testing::Node;
use crate::{Error, yaml};

fn text(value: Value) -> String {
    yaml(&value).unwrap_or_else(|error| error.to_string())
}

fn hash<const N: usize>(pairs: [(Value, Value); N]) -> Value {
    Value::from(pairs.into_iter().collect::<Hash>())
}

#[test]
fn strings() {
    for (string, expected) in [
        ("", "--- ''\n"),
        ("a", "--- a\n"),
        ("y", "--- \"y\"\n"),
        ("n", "--- \"n\"\n"),
        ("Y", "--- Y\n"),
        ("yes", "--- 'yes'\n"),
        ("No", "--- 'No'\n"),
        ("oN", "--- 'oN'\n"),
        ("off", "--- 'off'\n"),
        ("TRUE", "--- 'TRUE'\n"),
        ("nULL", "--- 'nULL'\n"),
        ("~", "--- \"~\"\n"),
        ("null\n", "--- 'null\n\n  '\n"),
        ("y\n", "--- 'y\n\n  '\n"),
        ("no\n", "--- 'no\n\n  '\n"),
        ("12\n", "--- '12\n\n  '\n"),
        (" ", "--- \" \"\n"),
        ("a ", "--- 'a '\n"),
        ("  a", "--- \"  a\"\n"),
        ("a\n", "--- 'a\n\n  '\n"),
        ("a\n\n", "--- \"a\\n\\n\"\n"),
        ("a\n\n\n", "--- |+\n  a\n\n\n...\n"),
        ("a\nb", "--- |-\n  a\n  b\n"),
        ("a\nb\n", "--- |\n  a\n  b\n"),
        ("a\nb\n\n", "--- |+\n  a\n  b\n\n...\n"),
        (" a\nb", "--- |2-\n   a\n  b\n"),
        ("\na\nb", "--- |2-\n\n  a\n  b\n"),
        ("\n", "--- \"\\n\"\n"),
        ("a\n b", "--- |-\n  a\n   b\n"),
        ("a \nb", "--- \"a \\nb\"\n"),
        ("a\n\tb", "--- \"a\\n\\tb\"\n"),
        ("\ta", "--- \"\\ta\"\n"),
        ("a\tb", "--- \"a\\tb\"\n"),
        ("a\rb", "--- \"a\\rb\"\n"),
        ("a\r\nb", "--- \"a\\r\\nb\"\n"),
        ("a: b", "--- 'a: b'\n"),
        ("a:b", "--- a:b\n"),
        (":a", "--- \":a\"\n"),
        ("a:", "--- 'a:'\n"),
        ("- a", "--- \"- a\"\n"),
        ("-a", "--- \"-a\"\n"),
        ("-", "--- \"-\"\n"),
        ("--- a", "--- \"--- a\"\n"),
        ("---", "--- \"---\"\n"),
        ("... x", "--- \"... x\"\n"),
        ("? a", "--- \"? a\"\n"),
        ("?a", "--- \"?a\"\n"),
        ("a #b", "--- 'a #b'\n"),
        ("a#b", "--- a#b\n"),
        ("#a", "--- \"#a\"\n"),
        ("!a", "--- \"!a\"\n"),
        ("&a", "--- \"&a\"\n"),
        ("*a", "--- \"*a\"\n"),
        ("%a", "--- \"%a\"\n"),
        ("@a", "--- \"@a\"\n"),
        ("`a`", "--- \"`a`\"\n"),
        ("|", "--- \"|\"\n"),
        ("> a", "--- \"> a\"\n"),
        ("[a]", "--- \"[a]\"\n"),
        ("{a", "--- \"{a\"\n"),
        ("a, b", "--- a, b\n"),
        ("'a'", "--- \"'a'\"\n"),
        ("\"a\"", "--- '\"a\"'\n"),
        ("a'b", "--- a'b\n"),
        ("a\"b", "--- a\"b\n"),
        ("a'b: c", "--- 'a''b: c'\n"),
        ("a\\b", "--- a\\b\n"),
        ("\"a\": \\", "--- '\"a\": \\'\n"),
        ("-\"", "--- -\"\n"),
        (":\"a", "--- ':\"a'\n"),
        ("=", "--- \"=\"\n"),
        ("<<", "--- !!str '<<'\n"),
        ("<", "--- \"<\"\n"),
        ("a=", "--- a=\n"),
        ("1", "--- '1'\n"),
        ("-1", "--- \"-1\"\n"),
        ("+1", "--- \"+1\"\n"),
        ("1.5", "--- '1.5'\n"),
        ("1.", "--- '1.'\n"),
        ("1e3", "--- 1e3\n"),
        ("1.0e+3", "--- '1.0e+3'\n"),
        ("0x1F", "--- '0x1F'\n"),
        ("0b11", "--- '0b11'\n"),
        ("0o17", "--- 0o17\n"),
        ("017", "--- '017'\n"),
        ("089", "--- '089'\n"),
        ("0_", "--- '0_'\n"),
        ("1_000", "--- '1_000'\n"),
        ("1,000", "--- '1,000'\n"),
        ("1__0", "--- 1__0\n"),
        ("12:30", "--- '12:30'\n"),
        ("1:60", "--- 1:60\n"),
        ("1:2:3.5", "--- '1:2:3.5'\n"),
        (".inf", "--- \".inf\"\n"),
        ("2001-01-01", "--- '2001-01-01'\n"),
        ("2001-02-30", "--- 2001-02-30\n"),
        ("1582-10-10", "--- 1582-10-10\n"),
        ("1500-02-29", "--- '1500-02-29'\n"),
        ("2001-01-01 10:00:00", "--- '2001-01-01 10:00:00'\n"),
        ("2001-01-01T10:00:00Z", "--- '2001-01-01T10:00:00Z'\n"),
        ("2001-13-01 10:00:00", "--- 2001-13-01 10:00:00\n"),
        ("2001-01-01 24:00:00", "--- '2001-01-01 24:00:00'\n"),
        ("2001-01-01 24:00:01", "--- 2001-01-01 24:00:01\n"),
        ("2001-01-01 10:00:00 -23:59", "--- '2001-01-01 10:00:00 -23:59'\n"),
        ("2001-01-01 10:00:00 -24:00", "--- 2001-01-01 10:00:00 -24:00\n"),
        ("é", "--- é\n"),
        ("é ", "--- 'é '\n"),
        ("日本語: x", "--- '日本語: x'\n"),
        ("a\u{a0}b", "--- a\u{a0}b\n"),
        ("\u{a0}", "--- \"\u{a0}\"\n"),
        ("a\u{85}b", "--- \"a\\Nb\"\n"),
        ("a\u{2028}b", "--- 'a\u{2028}  b'\n"),
        ("\u{feff}a", "--- \"\\uFEFFa\"\n"),
        ("a\u{feff}", "--- \"a\\uFEFF\"\n"),
        ("\u{200b}", "--- \"\u{200b}\"\n"),
        ("\u{1f600}", "--- \"\\U0001F600\"\n"),
        ("x\u{1f600}", "--- \"x\\U0001F600\"\n"),
        ("\u{0}", "--- \"\\0\"\n"),
        ("a\u{1}\u{1b}", "--- \"a\\x01\\e\"\n"),
        ("\u{7f}", "--- \"\\x7F\"\n"),
        ("\u{24b6}", "--- \u{24b6}\n"),
        ("\u{b2}", "--- \"\u{b2}\"\n"),
        ("\u{663}", "--- \u{663}\n"),
        ("o\u{fb00}", "--- 'o\u{fb00}'\n"),
        ("ye\u{17f}", "--- 'ye\u{17f}'\n"),
        (
            "lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet",
            "--- lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\n  lorem ipsum dolor sit amet\n",
        ),
        (
            ": lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet",
            "--- \": lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit\n  amet lorem ipsum dolor sit amet\"\n",
        ),
        (
            "\u{1f600} lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet",
            "--- \"\\U0001F600 lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum\n  dolor sit amet lorem ipsum dolor sit amet\"\n",
        ),
        (
            "lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet  x: lorem ipsum dolor sit amet ",
            "--- 'lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\n  lorem ipsum dolor sit amet  x: lorem ipsum dolor sit amet '\n",
        ),
        (
            "lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\nlorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet",
            "--- |-\n  lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\n  lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\n",
        ),
        (
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx y y y",
            "--- xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n  y y y\n",
        ),
        (
            "\u{1f600}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx  y z",
            "--- \"\\U0001F600xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n  \\ y z\"\n",
        ),
        (
            "ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé b c",
            "--- ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\n  b c\n",
        ),
    ] {
        assert_eq!(text(Value::from(string)), expected, "{string:?}");
    }
}

#[test]
fn keys() {
    for (key, expected) in [
        ("", "---\n'':\n  k: ''\n"),
        ("y", "---\n\"y\":\n  k: \"y\"\n"),
        ("a: b", "---\n'a: b':\n  k: 'a: b'\n"),
        ("a\nb", "---\n? |-\n  a\n  b\n: k: |-\n    a\n    b\n"),
        ("a\n", "---\n? 'a\n\n  '\n: k: 'a\n\n    '\n"),
        ("<<", "---\n!!str '<<':\n  k: !!str '<<'\n"),
        (
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "---\nxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx:\n  k: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        ),
        (
            "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "---\n? xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n: k: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        ),
        (
            "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
            "---\néééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé:\n  k: éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\n",
        ),
        (
            "ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé",
            "---\n? ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\n: k: ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé\n",
        ),
        ("\u{1f600}", "---\n\"\\U0001F600\":\n  k: \"\\U0001F600\"\n"),
        (
            "lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet",
            "---\nlorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet:\n  k: lorem ipsum dolor sit amet lorem ipsum dolor sit amet lorem ipsum dolor sit amet\n    lorem ipsum dolor sit amet\n",
        ),
        ("0x1F", "---\n'0x1F':\n  k: '0x1F'\n"),
    ] {
        let value = hash([(key.into(), hash([("k".into(), key.into())]))]);
        assert_eq!(text(value), expected, "{key:?}");
    }
}

#[test]
fn strings_on_which_ruby_fails() {
    for (string, error) in [
        ("0b_", Error::NoInteger("0b")),
        ("0x_,", Error::NoInteger("0x")),
        ("2001-01-01\t10:00:00", Error::NoTime("match")),
        ("2001-01-01\t10:00:00 Z", Error::NoTime("[]")),
    ] {
        assert_eq!(yaml(&Value::from(string)), Err(error));
    }
    assert_eq!(text(Value::from("0b_")), "invalid value for Integer(): \"0b\"");
    assert_eq!(text(Value::from("2001-01-01\t10:00:00")), "undefined method `match' for nil:NilClass");
}

#[test]
fn scalars() {
    for (value, expected) in [
        (Value::Undef, "---\n"),
        (true.into(), "--- true\n"),
        ((-5).into(), "--- -5\n"),
        (Rich::BigInteger(1_180_591_620_717_411_303_424_u128.into()).into(), "--- 1180591620717411303424\n"),
        (1e20.into(), "--- 1.0e+20\n"),
        (f64::NAN.into(), "--- .nan\n"),
        (f64::NEG_INFINITY.into(), "--- -.inf\n"),
        (Rich::Default.into(), "--- :default\n"),
        (Rich::Symbol("a b".into()).into(), "--- :a b\n"),
        (Rich::Symbol("a: b".into()).into(), "--- ! ':a: b'\n"),
        (Rich::Symbol("".into()).into(), "--- !ruby/symbol\n"),
        (Rich::Binary(b"\xff\x00".to_vec()).into(), "--- !binary |-\n  /wA=\n"),
        (Rich::Binary(b"no".to_vec()).into(), "--- 'no'\n"),
        (Value::sensitive("s3".into()), "--- !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive\nvalue: s3\n"),
    ] {
        assert_eq!(text(value), expected);
    }
}

#[test]
fn collections() {
    let list = Value::from(vec![1.into(), Value::from(vec![2.into(), Value::from(vec![])]), Value::Undef]);
    assert_eq!(text(list.clone()), "---\n- 1\n- - 2\n  - []\n-\n");
    let nested = hash([("a".into(), list), ("b".into(), hash([])), ("c".into(), hash([("d".into(), Value::Undef)]))]);
    assert_eq!(text(nested.clone()), "---\na:\n- 1\n- - 2\n  - []\n-\nb: {}\nc:\n  d:\n");
    assert_eq!(text(Value::from(vec![nested])), "---\n- a:\n  - 1\n  - - 2\n    - []\n  -\n  b: {}\n  c:\n    d:\n");
    assert_eq!(text(Value::from(vec!["a\n\n\n".into(), "b".into()])), "---\n- |+\n  a\n\n\n- b\n...\n");
}

#[test]
fn keys_that_are_not_strings() {
    let secret = || Value::sensitive(1.into());
    let value = hash([
        (Value::Undef, 1.into()),
        (Value::from(vec![1.into()]), 2.into()),
        (Rich::Symbol("s".into()).into(), 3.into()),
        (true.into(), Value::from(vec![4.into()])),
        (secret(), Value::from(vec![secret()])),
        (hash([]), hash([(2.5.into(), Value::from(vec![]))])),
    ]);
    assert_eq!(
        text(value),
        "---\n! '': 1\n? - 1\n: 2\n:s: 3\ntrue:\n- 4\n? !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive\n  value: 1\n: - !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive\n    value: 1\n{}:\n  2.5: []\n"
    );
}

#[test]
fn shared_values_are_aliases() {
    let leaf = |text| Node::Leaf(text);
    let list = Node::Array(Rc::new(vec![leaf("x")]));
    let empty = Node::Array(Rc::new(vec![]));
    let map = Node::Hash(Rc::new(vec![(leaf("l"), list.clone()), (empty.clone(), leaf("e"))]));
    let secret = Node::Sensitive(Rc::new(map.clone()));
    let all = vec![secret.clone(), map, list.clone(), secret, empty.clone(), list, leaf("x")];
    // The alias that comes first has the first number.
    assert_eq!(
        yaml(Node::Array(Rc::new(all))).expect("no error"),
        "---\n- &3 !ruby/object:Puppet::Pops::Types::PSensitiveType::Sensitive\n  value: &1\n    l: &2\n    - x\n    &4 []: e\n- *1\n- *2\n- *3\n- *4\n- *2\n- x\n"
    );
    let pair = vec![(empty.clone(), empty.clone()), (leaf("k"), empty)];
    assert_eq!(yaml(Node::Hash(Rc::new(pair))).expect("no error"), "---\n&1 []: *1\nk: *1\n");
}

#[test]
fn nesting_needs_no_stack() {
    let deep = (0..3_000).fold(Value::Undef, |inner, _| Value::from(vec![inner]));
    assert_eq!(yaml(&deep).expect("no error").matches('-').count(), 3_003);
}

/// Pieces that YAML could take for something else.
fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just(" "),
        Just("\n"),
        Just("\t"),
        Just("\r"),
        Just(":"),
        Just("#"),
        Just("-"),
        Just("'"),
        Just("\""),
        Just("\\"),
        Just("\u{85}"),
        Just("\u{2028}"),
        Just("\u{feff}"),
        Just("\0"),
        Just("😀"),
        Just("é"),
        Just("word"),
        Just("lorem ipsum "),
        Just("{"),
        Just("]"),
        Just("?"),
        Just("&"),
        Just("%"),
        Just("..."),
        Just("---"),
        Just("1"),
        Just("null"),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_string_has_a_document_that_ends_with_a_line(string in prop_oneof![nasty(), any::<String>()]) {
        let written = text(Value::from(string.clone()));
        prop_assert!(written.starts_with("---"));
        let ends = ['\n', '\u{85}', '\u{2028}', '\u{2029}'];
        prop_assert!(written.ends_with(ends));
        // A line of the text never looks like one of YAML's own.
        let body = written.strip_suffix("...\n").unwrap_or(&written);
        prop_assert!(!body[3..].contains("\n---") && !body.contains("\n..."), "{}", written);
    }
}
