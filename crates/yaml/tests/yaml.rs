//! YAML documents as Ruby reads them: what they say, what the errors say, where the parts stand.

use hieratic_json::{Error, Position, Positions};
use hieratic_value::Value;
use hieratic_yaml::{self as yaml, MAX_DEPTH, Options};
use proptest::prelude::*;

fn read(source: &[u8]) -> Result<Value, Error> {
    yaml::parse(source, &Options::new("f.yaml"))
}

fn show(source: impl AsRef<[u8]>) -> String {
    match read(source.as_ref()) {
        Ok(value) => value.inspect(),
        Err(error) => error.message().to_string(),
    }
}

#[test]
fn values() {
    for (source, value) in [
        ("", "nil"),
        ("# only\n", "nil"),
        ("---\n", "nil"),
        ("a\n...\nb: [", "\"a\""),
        ("- y\n- n\n- on\n- OFF\n- True", "[\"y\", \"n\", true, false, true]"),
        ("{a: 1, b: 2, a: 3}", "{\"a\"=>3, \"b\"=>2}"),
        ("? [a, b]\n: c", "{[\"a\", \"b\"]=>\"c\"}"),
        ("~: 1\n1.0: 2\n.nan: 3", "{nil=>1, 1.0=>2, NaN=>3}"),
        (":a: :b", "{:a=>:b}"),
        ("- ':a'", "[\":a\"]"),
        ("%YAML 1.2\n---\na", "\"a\""),
        ("%TAG ! tag:x,2000:\n---\n!a b", "\"b\""),
        ("! '12'", "12"),
        ("!!str 12", "\"12\""),
        ("!!float 1e3", "1000.0"),
        ("a: !include foo.yaml", "{\"a\"=>\"foo.yaml\"}"),
        ("- !foo \"yes\\n\"", "[true]"),
        ("!!omap [a: 1, b: 2]", "{\"a\"=>1, \"b\"=>2}"),
        ("!!omap [[a, b, c]]", "{\"a\"=>\"c\"}"),
        ("!str {str: foo, a: 1}", "\"foo\""),
        ("!ruby/hash-with-ivars {elements: {a: 1}, ivars: {'@x': 1}}", "{\"a\"=>1}"),
        ("--- |\n a\n  b\n", "\"a\\n b\\n\""),
        ("--- >\n a\n b\n\n c\n", "\"a b\\nc\\n\""),
        ("a: b\r\nc: d\r\n", "{\"a\"=>\"b\", \"c\"=>\"d\"}"),
        // The mark is part of the text here: the second key is less indented, and so in another document.
        ("\u{feff}a: 1\nb: 2", "{\"a\"=>1}"),
    ] {
        assert_eq!(show(source), value, "{source}");
    }
}

#[test]
fn merge_keys() {
    for (source, value) in [
        ("b: 9\n<<: {b: 1}", "{\"b\"=>1}"),
        ("<<: {b: 1}\nb: 9", "{\"b\"=>9}"),
        ("<<: [{a: 1, b: 1}, {a: 2, c: 3}]", "{\"a\"=>1, \"c\"=>3, \"b\"=>1}"),
        ("'<<': {a: 1}", "{\"a\"=>1}"),
        ("!!str <<: {a: 1}", "{\"<<\"=>{\"a\"=>1}}"),
        ("<<: 3", "{\"<<\"=>3}"),
        ("<<: [1]", "{\"<<\"=>[1]}"),
        ("<<: []", "{}"),
        ("a: &m [{x: 1}]\nb: {<<: *m}", "{\"a\"=>[{\"x\"=>1}], \"b\"=>{\"<<\"=>[{\"x\"=>1}]}}"),
        ("&a {a: 1, <<: *a}", "{\"a\"=>1}"),
        ("&x {a: 1, c: {<<: *x}}", "{\"a\"=>1, \"c\"=>{\"a\"=>1}}"),
    ] {
        assert_eq!(show(source), value, "{source}");
    }
}

#[test]
fn aliases_share_their_nodes() {
    let value = read(b"a: &x [1, 2]\nb: *x\n").ok();
    let hash = value.as_ref().and_then(Value::as_hash);
    let pointer = |key| hash.and_then(|hash| hash.get(key)).and_then(Value::as_array).map(<[Value]>::as_ptr);
    assert!(pointer("a").is_some());
    assert_eq!(pointer("a"), pointer("b"));
    assert_eq!(show("[&a 1, &a 2, *a]"), "[1, 2, 2]");
    assert_eq!(show("&a [&a 1, *a]"), "[1, 1]");
}

#[test]
fn messages() {
    for (source, message) in [
        (&b"a: [1"[..], "(f.yaml): did not find expected ',' or ']' while parsing a flow sequence at line 1 column 4"),
        (b"a: b: c", "(f.yaml): mapping values are not allowed in this context at line 1 column 5"),
        (b"a: 1\n]", "(f.yaml): did not find expected key while parsing a block mapping at line 1 column 1"),
        (
            b"a:\n\tb: 1",
            "(f.yaml): found character that cannot start any token while scanning for the next token at line 2 column 1",
        ),
        (b"\"\\q\"", "(f.yaml): found unknown escape character while parsing a quoted scalar at line 1 column 1"),
        (
            b"\"\\xg\"",
            "(f.yaml): did not find expected hexdecimal number while parsing a quoted scalar at line 1 column 1",
        ),
        (b"%YAML 2.0\n---\na", "(f.yaml): found incompatible YAML document at line 1 column 1"),
        (b"a: \x01", "(f.yaml): control characters are not allowed at line 1 column 1"),
        (b"a\0", "(f.yaml): control characters are not allowed at line 1 column 1"),
        (b"\xff\xfea\0", "(f.yaml): invalid leading UTF-8 octet at line 1 column 1"),
        (b"a: \xe9", "(f.yaml): incomplete UTF-8 octet sequence at line 1 column 1"),
        (b"a: \xe9b\n", "(f.yaml): invalid trailing UTF-8 octet at line 1 column 1"),
        (b"a: *x", "Unknown alias: x"),
        (b"2024-02-30", "(f.yaml): Tried to load unspecified class: Date"),
        (b"2024-02-29 10:00:00", "(f.yaml): Tried to load unspecified class: Time"),
        (b"!!set {a, b}", "(f.yaml): Tried to load unspecified class: Psych::Set"),
        (b"!!omap {a: 1}", "(f.yaml): Tried to load unspecified class: Psych::Omap"),
        (b"!ruby/exception {a: *x}", "Unknown alias: x"),
        (b"!ruby/exception {a: 1}", "(f.yaml): Tried to load unspecified class: Exception"),
        (b"!!float '\xc3\xa9'", "invalid value for Float(): \"\\xC3\\xA9\""),
        (b"!str {a: 1}", "can't modify frozen NilClass: nil"),
        (b"!str {<<: 1}", "`@<<' is not allowed as an instance variable name"),
        // Syntax comes first, wherever it is wrong.
        (
            b"- 2024-02-29\n- 'a",
            "(f.yaml): found unexpected end of stream while scanning a quoted scalar at line 2 column 3",
        ),
    ] {
        assert_eq!(show(source), message, "{source:?}");
    }
}

#[test]
fn errors_have_a_place_and_a_help() {
    let error = read(b"a: 1\nb: 2024-02-29\n").unwrap_err();
    assert_eq!(error.position(), Some(Position { line: 2, column: 4 }));
    assert_eq!(error.hint(), Some("quote the date: data files cannot contain dates"));

    // The text is decoded bit by bit, so an early fault comes before a late byte that is no text.
    let late = [&b"a: 1\n  b: 2\n"[..], &[b'#'; 40_000], b"\xff"].concat();
    let error = read(&late).unwrap_err();
    assert_eq!(error.position(), Some(Position { line: 2, column: 4 }), "{error}");

    let error = read(b"a: @x").unwrap_err();
    assert_eq!(error.hint(), Some("quote strings that start with @ or `"));

    let error = read("é: 1\nb: \u{1}".as_bytes()).unwrap_err();
    assert_eq!(error.position(), Some(Position { line: 2, column: 4 }));
}

#[test]
fn symbols_may_be_refused() {
    let options = Options { symbols: false, regexps: false, file: "f.yaml" };
    let error = yaml::parse(b"a: :b", &options).unwrap_err();
    assert_eq!(error.message(), "(f.yaml): Tried to load unspecified class: Symbol");
}

fn at(positions: Option<(Position, &Positions)>) -> Option<[u32; 4]> {
    positions.map(|(key, value)| [key.line, key.column, value.at().line, value.at().column])
}

#[test]
fn positions_point_to_values() {
    let source = "base: &b\n  x: 1\n  y: [2, 3]\nmore:\n  <<: *b\n  x: é\n  é: z\nagain: *b\nbase: 5\n";
    let document = yaml::parse_with_positions(source.as_bytes(), &Options::new("f.yaml")).unwrap();
    let root = &document.positions;
    assert_eq!(root.at(), Position { line: 1, column: 1 });
    assert_eq!(root.len(), 3);
    // The last of equal keys counts.
    assert_eq!(at(root.entry(0)), Some([9, 1, 9, 7]));
    let (_, more) = root.entry(1).unwrap();
    assert_eq!(at(more.entry(0)), Some([6, 3, 6, 6]));
    // Merged in: where it really stands.
    assert_eq!(at(more.entry(1)), Some([3, 3, 3, 6]));
    assert_eq!(at(more.entry(2)), Some([7, 3, 7, 6]));
    let (_, again) = root.entry(2).unwrap();
    assert_eq!(again.at(), Position { line: 1, column: 7 });
    let (_, y) = again.entry(1).unwrap();
    assert_eq!(y.element(1).map(Positions::at), Some(Position { line: 3, column: 10 }));
}

#[test]
fn hostile_documents_end_in_errors() {
    let deep = "[".repeat(MAX_DEPTH + 1);
    assert_eq!(show(&deep), "(f.yaml): nested deeper than 1000 levels");
    let fits = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
    assert!(read(fits.as_bytes()).is_ok());
    let block = (0..2000).map(|level| format!("{}a:\n", " ".repeat(level))).collect::<String>();
    assert_eq!(show(&block), "(f.yaml): nested deeper than 1000 levels");

    // Each list stands for the one before it ten times.
    let mut bomb = String::from("a0: &a0 [x]\n");
    for level in 1..50 {
        let before = format!("*a{} ,", level - 1).repeat(10);
        bomb.push_str(&format!("a{level}: &a{level} [{before}]\n"));
    }
    assert_eq!(show(&bomb), "(f.yaml): the aliases expand to more than 2000000 values");

    // Aliases nest deeper than the text does.
    let mut ladder = String::from("a0: &a0 [x]\n");
    for level in 1..1200 {
        ladder.push_str(&format!("a{level}: &a{level} [*a{}]\n", level - 1));
    }
    assert_eq!(show(&ladder), "(f.yaml): nested deeper than 1000 levels");

    assert_eq!(show("&a [*a]"), "(f.yaml): the alias *a is inside of the value that it refers to");
    assert_eq!(show("9".repeat(100_001)), "(f.yaml): an integer has more than 100000 digits");
    let directives = (0..2000).map(|i| format!("%TAG !a{i}! x\n")).collect::<String>();
    assert_eq!(show(&directives), "(f.yaml): more than 1000 %TAG directives");
    assert_eq!(
        show(format!("\u{feff}\r{}", directives.replace('\n', "\r"))),
        "(f.yaml): more than 1000 %TAG directives"
    );
}

/// Whether a tree of positions has the shape of the value.
fn parallel(value: &Value, positions: &Positions) -> bool {
    match value {
        Value::Array(elements) => {
            positions.len() == elements.len()
                && elements
                    .iter()
                    .enumerate()
                    .all(|(index, element)| positions.element(index).is_some_and(|at| parallel(element, at)))
        }
        Value::Hash(hash) => {
            positions.len() == hash.len()
                && hash
                    .iter()
                    .enumerate()
                    .all(|(index, (_, value))| positions.entry(index).is_some_and(|(_, at)| parallel(value, at)))
        }
        _ => positions.is_empty(),
    }
}

/// Pieces that YAML is made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        ": ",
        "- ",
        "\n",
        "  ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "&x ",
        "*x ",
        "!!str ",
        "!foo ",
        "<<",
        "'",
        "\"",
        "|\n",
        "1",
        ":c",
        "0x1f",
        "1:30",
        "? ",
        "---\n",
        "#",
        "\t",
        "é",
        "!!omap ",
        "~",
        "!ruby/object ",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(source in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&source);
    }

    #[test]
    fn positions_do_not_change_values_and_are_parallel(source in pieces()) {
        let options = Options::new("f.yaml");
        let plain = yaml::parse(source.as_bytes(), &options);
        match yaml::parse_with_positions(source.as_bytes(), &options) {
            Ok(document) => {
                prop_assert!(parallel(&document.value, &document.positions));
                prop_assert_eq!(plain, Ok(document.value));
            }
            Err(error) => prop_assert_eq!(plain, Err(error)),
        }
    }

    #[test]
    fn text_in_single_quotes_is_itself(text in "[ -~\u{a1}-\u{d7ff}]{0,40}") {
        let source = format!("'{}'", text.replace('\'', "''"));
        // Two of these characters break lines in YAML 1.1.
        prop_assume!(!text.contains(['\u{2028}', '\u{2029}', '\u{feff}']));
        prop_assert_eq!(read(source.as_bytes()), Ok(Value::from(text)));
    }

    #[test]
    fn integers_are_read_back(number in any::<i64>()) {
        prop_assert_eq!(read(number.to_string().as_bytes()), Ok(Value::from(number)));
    }

    #[test]
    fn floats_are_read_back(number in prop::num::f64::NORMAL) {
        let text = hieratic_value::text::float(number);
        prop_assert_eq!(read(text.as_bytes()), Ok(Value::from(number)));
    }
}
