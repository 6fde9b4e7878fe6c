//! HOCON as the Ruby gem reads it: what documents say, what the errors say, where the parts stand.

use hieratic_hocon::{self as hocon, Environment, MAX_DEPTH};
use hieratic_json::{Position, Positions};
use proptest::prelude::*;

fn show(source: &str) -> String {
    let environment = [("HOME", "/root"), ("LIST.1", "b"), ("LIST.0", "a")].into_iter().collect();
    match hocon::parse_in(source.as_bytes(), &environment) {
        Ok(value) => value.inspect(),
        Err(error) => error.message().to_string(),
    }
}

#[test]
fn values() {
    for (source, value) in [
        ("", "{}"),
        ("# c\na=1 // d", "{\"a\"=>1}"),
        ("{a:1}", "{\"a\"=>1}"),
        ("a.b.c = x y  z ", "{\"a\"=>{\"b\"=>{\"c\"=>\"x y  z\"}}}"),
        ("a b {c=1}", "{\"a b\"=>{\"c\"=>1}}"),
        ("\"a.b\".c=1", "{\"a.b\"=>{\"c\"=>1}}"),
        ("1.5=x", "{\"1\"=>{\"5\"=>\"x\"}}"),
        (
            "a=1.0, b=1.50, c=1e3, d=0644, e=08, f=5., g=-.5",
            "{\"a\"=>1, \"b\"=>1.5, \"c\"=>1000, \"d\"=>420, \"e\"=>\"08\", \"f\"=>\"5.\", \"g\"=>-0.5}",
        ),
        ("a=10s, b=10 seconds, c=1.2.3", "{\"a\"=>\"10s\", \"b\"=>\"10 seconds\", \"c\"=>\"1.2.3\"}"),
        ("a=1e20", "{\"a\"=>100000000000000000000}"),
        ("a=true, b=truex, c=null, d=yes", "{\"a\"=>true, \"b\"=>\"truex\", \"c\"=>nil, \"d\"=>\"yes\"}"),
        ("a = \"\"\"tri\"ple\n x\"\"\"\"", "{\"a\"=>\"tri\\\"ple\\n x\\\"\"}"),
        ("a=\"\\u00e9\\n\"", "{\"a\"=>\"\u{e9}\\n\"}"),
        ("a=[\n1\n2,]", "{\"a\"=>[1, 2]}"),
        ("a={x:1}\na={y:2}", "{\"a\"=>{\"y\"=>2, \"x\"=>1}}"),
        ("a={x:1}\na=null\na={y:2}", "{\"a\"=>{\"y\"=>2}}"),
        ("a+=1\na+=2", "{\"a\"=>[1, 2]}"),
        ("a=[1] x", "{\"a\"=>[1]}"),
        ("a={} x", "{\"a\"=>{}}"),
        ("include \"foo\"\na=1", "{\"a\"=>1}"),
    ] {
        assert_eq!(show(source), value, "{source}");
    }
}

#[test]
fn substitutions() {
    for (source, value) in [
        ("a=${b}\nb=2", "{\"a\"=>2, \"b\"=>2}"),
        ("a=${?nope}, b=[${?nope}], c=x${?nope}y", "{\"b\"=>[], \"c\"=>\"xy\"}"),
        ("a={x:1}\na=${b}\nb={y:2}", "{\"a\"=>{\"y\"=>2, \"x\"=>1}, \"b\"=>{\"y\"=>2}}"),
        ("a={x=1}\na=${b}\na={z=1}\nb={y=2}", "{\"a\"=>{\"z\"=>1, \"y\"=>2, \"x\"=>1}, \"b\"=>{\"y\"=>2}}"),
        ("b=1\nb=${b}2\nb=${b}3", "{\"b\"=>\"123\"}"),
        ("a=[1,2]\na=${a}[3]", "{\"a\"=>[1, 2, 3]}"),
        ("bar={foo:42,baz:${bar.foo}}\nbar={foo:43}", "{\"bar\"=>{\"foo\"=>43, \"baz\"=>43}}"),
        ("x=${HOME}/bin", "{\"x\"=>\"/root/bin\"}"),
        ("x=${LIST}", "{\"x\"=>[\"a\", \"b\"]}"),
        ("x=${\"LIST.0\"}", "{\"x\"=>\"a\"}"),
        ("a.b.c=1\na.b=${a.d}\na.d={e=2}", "{\"a\"=>{\"d\"=>{\"e\"=>2}, \"b\"=>{\"e\"=>2, \"c\"=>1}}}"),
    ] {
        assert_eq!(show(source), value, "{source}");
    }
}

#[test]
fn messages() {
    for (source, message) in [
        ("[1]", "String: 1:  has type LIST rather than object at file root"),
        ("a=${nope}", "String: 1: Could not resolve substitution to a value: ${nope}"),
        ("a=[${nope}]", "unexpected exception"),
        (
            "a=${b}\nb=${a}",
            "String: 2: Could not resolve substitution to a value: ${a} was part of a cycle of substitutions \
             involving ${b}, ${a}, ${b}",
        ),
        (
            "a=\n}",
            "String: 2: Expecting a value but got wrong token: '}' (if you intended '}' to be part of a key or string \
             value, try enclosing the key or value in double quotes",
        ),
        (
            "a=\"abc",
            "String: 1: Expecting a value but got wrong token: '-1' (End of input but string quote was still open) \
             (if you intended '-1' (End of input but string quote was still open) to be part of a key or string value, \
             try enclosing the key or value in double quotes",
        ),
        ("b \"x.y\".c", "String: 1: Key 'b \"x.y\".c' may not be followed by token: end of file"),
        (
            "a..b=1",
            "path has a leading, trailing, or two adjacent period '.' (use quoted \"\" empty string if you want an empty element)",
        ),
        ("a=${}", "String: 1: Expecting a field name or path here, but got nothing"),
        (
            "a=1\na+=2",
            "String: 1: Cannot concatenate object or list with a non-object-or-list, ConfigInt(1) and \
             SimpleConfigList([2]) are not compatible",
        ),
        (
            "a=1 ${HOME} [1]",
            "merge of String,env var HOME: Cannot concatenate object or list with a non-object-or-list, \
             Quoted(\"1 /root\") and SimpleConfigList([1]) are not compatible",
        ),
        (
            "a=[1,,2]",
            "String: 1: List should have had new element after a comma, instead had token: ',' (if you want the comma \
             or ',' to be part of a string value, then double-quote it)",
        ),
        ("include=1", "String: 1: include keyword is not followed by a quoted string, but by: '='"),
        ("a=\"\\q\"", "undefined method `line_number' for \"q\":String"),
        ("a=1e400", "Infinity"),
        (
            "a.b=${c}\na.b.d=1\nc={e=2}",
            "need to Config#resolve() before using this object, see the API docs for Config#resolve()",
        ),
    ] {
        assert_eq!(show(source), message, "{source}");
    }
}

#[test]
fn positions_point_to_values() {
    let source = "a.b = 1\nc = {\n  d = ${a}\n}\nc.e = [é, 2]\n";
    let document = hocon::parse_with_positions(source.as_bytes(), &Environment::empty()).unwrap();
    assert_eq!(document.value.inspect(), "{\"a\"=>{\"b\"=>1}, \"c\"=>{\"e\"=>[\"\u{e9}\", 2], \"d\"=>{\"b\"=>1}}}");
    let place = |line, column| Position { line, column };
    let root = &document.positions;
    let (key, a) = root.entry(0).unwrap();
    assert_eq!((key, a.entry(0).map(|(_, b)| b.at())), (place(1, 1), Some(place(1, 7))));
    let (_, c) = root.entry(1).unwrap();
    let (key, e) = c.entry(0).unwrap();
    assert_eq!((key, e.element(1).map(Positions::at)), (place(5, 1), Some(place(5, 11))));
    // A substitution stands for what stands elsewhere.
    let (key, d) = c.entry(1).unwrap();
    assert_eq!((key, d.entry(0).map(|(_, b)| b.at())), (place(3, 3), Some(place(1, 7))));
}

#[test]
fn errors_know_where_they_are() {
    let error = hocon::parse(b"a = {\n  b = x:y\n}").unwrap_err();
    assert_eq!(error.position(), Some(Position { line: 2, column: 8 }));
    assert_eq!(error.hint(), Some("quote the string with double quotes"));
    let error = hocon::parse(b"a = \xff").unwrap_err();
    assert_eq!(
        (error.message(), error.position()),
        ("invalid byte sequence in UTF-8", Some(Position { line: 1, column: 5 }))
    );
}

#[test]
fn hostile_documents_end_in_errors() {
    let too_deep = "nested deeper than 200 levels, or substitutions deeper than 400";
    for open in ["a{", "[{a=", "a=${", "[", "{a="] {
        assert_eq!(show(&open.repeat(100_000)), too_deep, "{open}");
    }
    // The root is a level too.
    let fits = format!("{}b=${{b}}2{}\nb=1", "a{".repeat(MAX_DEPTH - 1), "}".repeat(MAX_DEPTH - 1));
    assert!(show(&fits).starts_with("{\"a\"=>{"), "{}", show(&fits));
    assert_eq!(show(&format!("{}b=1", "a.".repeat(100_000))), too_deep);
    assert_eq!(show(&format!("a=${{{}b}}", "a.".repeat(100_000))), too_deep);

    let chain: String = (0..1000).map(|i| format!("a{i}=${{a{}}}\n", i + 1)).collect();
    assert_eq!(show(&chain), too_deep);
    let short: String = (0..300).map(|i| format!("a{i}=${{a{}}}\n", i + 1)).collect();
    assert!(show(&format!("{short}a300=1")).starts_with("{\"a0\"=>1,"));

    let text: String = (0..60).map(|i| format!("a{i}=${{a{}}}${{a{}}}\n", i + 1, i + 1)).collect();
    assert!(show(&format!("{text}a60=xxxxxxxxxx")).starts_with("the substitutions expand to too m"));
    let own = format!("a=xxxxxxxxxx\n{}", "a=${a}${a}${a}${a}${a}${a}${a}${a}\n".repeat(20));
    assert!(show(&own).starts_with("the substitutions expand to too m"), "{}", show(&own));
    assert_eq!(show(&"a+=1\n".repeat(1000)), "the substitutions expand to too many values");
    assert_eq!(show(&format!("a={}", "9".repeat(100_001))), "an integer has more than 100000 digits");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(source in ".{0,60}") {
        let _ = hocon::parse_in(source.as_bytes(), &Environment::empty());
    }

    #[test]
    fn pieces_are_read_or_refused(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "a", "b", ".", "=", ":", "{", "}", "[", "]", ",", "\n", " ", "${a}", "${?b}", "${a.b}", "+=", "1", "x", "\"q\"",
            "\"\"\"", "#", "//", "include ", "\\", "$",
        ]),
        0..30,
    )) {
        let source = pieces.concat();
        let environment = Environment::empty();
        let plain = hocon::parse_in(source.as_bytes(), &environment);
        let document = hocon::parse_with_positions(source.as_bytes(), &environment);
        prop_assert_eq!(plain, document.map(|document| document.value));
    }

    #[test]
    fn text_in_quotes_is_itself(text in "[ !#-\\[\\]-~\u{a1}-\u{d7ff}]{0,40}") {
        let value = hocon::parse_in(format!("a=\"{text}\"").as_bytes(), &Environment::empty());
        let read = value.ok().and_then(|value| value.as_hash()?.get("a")?.as_str().map(str::to_string));
        prop_assert_eq!(read, Some(text));
    }
}
