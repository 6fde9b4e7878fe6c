//! JSON as Ruby reads it: `JSON.parse` of the gem json 2.6.1, which is what `Puppet::Util::Json.load` calls.
//!
//! The grammar is that of <https://www.rfc-editor.org/rfc/rfc8259>, with the gem's liberties: comments `/* */` and
//! `//`, any character after a backslash, unpaired surrogates. `NaN` and `Infinity` are errors.
//!
//! ```
//! use hieratic_json as json;
//!
//! assert_eq!(json::parse(br#"{"a": [1, 2e3] /* two */}"#)?.inspect(), r#"{"a"=>[1, 2000.0]}"#);
//! assert_eq!(json::parse(b"[1,]").unwrap_err().message(), "451: unexpected token at ']'");
//! # Ok::<(), hieratic_json::Error>(())
//! ```
//!
//! YAML and HOCON contain JSON, and their readers depend on this crate. It therefore also contains the parts that they
//! share: the [`Positions`] of a [`Document`], the [`Error`] of a source that cannot be parsed, and
//! [`number`](mod@number)s in strings.

mod error;
pub mod number;
mod position;
pub mod position_sink;
mod reader;
mod string;
pub mod write;

use hieratic_value::Value;

use position_sink::{AllPositions, NoPositions};

pub use error::Error;
pub use hieratic_source::Position;
pub use position::{OtherFile, Positions};

/// A value and the positions of its parts in the source.
#[derive(Clone, Debug)]
pub struct Document {
    /// The value.
    pub value: Value,
    /// The positions: a tree parallel to the value.
    pub positions: Positions,
}

/// The maximum nesting depth of arrays and objects, which equals the gem's.
pub const MAX_DEPTH: usize = 100;

/// Parses JSON.
///
/// Strings that are not UTF-8, or that contain an unpaired surrogate, become
/// [`Rich::Binary`](hieratic_value::Rich::Binary): Ruby keeps such bytes as they are.
pub fn parse(source: &[u8]) -> Result<Value, Error> {
    reader::read::<NoPositions>(source).map(|(value, ())| value)
}

/// Parses JSON, and returns the position of each part.
pub fn parse_with_positions(source: &[u8]) -> Result<Document, Error> {
    reader::read::<AllPositions>(source).map(|(value, positions)| Document { value, positions })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(source: &str) -> String {
        match parse(source.as_bytes()) {
            Ok(value) => value.inspect(),
            Err(error) => error.message().to_string(),
        }
    }

    #[test]
    fn values_match_ruby() {
        for (source, value) in [
            ("1E+5", "100000.0"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1.0E400", "Infinity"),
            ("123456789012345678901234567890", "123456789012345678901234567890"),
            ("//\n1", "1"),
            ("{/**/\"a\"/**/:/**/1/**/,/**/\"b\":2}", "{\"a\"=>1, \"b\"=>2}"),
            ("{\"a\":1,\"b\":0,\"a\":2}", "{\"a\"=>2, \"b\"=>0}"),
            ("\"\\x\\/\"", "\"x/\""),
            ("[\"\\ud834\\udd1e\"]", "[\"\u{1d11e}\"]"),
            ("[\"\\ud834abcdefg\"]", "[\"?bcdefg\"]"),
            ("[\"\\udc00\"]", "[\"\\xED\\xB0\\x80\"]"),
        ] {
            assert_eq!(show(source), value, "{source}");
        }
    }

    #[test]
    fn messages_are_those_of_the_gem() {
        for (source, message) in [
            ("", "859: unexpected token at ''"),
            ("[1,2", "451: unexpected token at ''"),
            ("[1,x]", "451: unexpected token at 'x]'"),
            ("{\"a\":1,}", "859: unexpected token at '{\"a\":1,}'"),
            ("[{\"a\":{\"b\":x}}]", "451: unexpected token at '{\"a\":{\"b\":x}}]'"),
            ("{\"a\":NaN}", "225: unexpected token at 'NaN}'"),
            ("{\"a\":Infinity}", "232: unexpected token at ':Infinity}'"),
            ("Infinity", "232: unexpected token at ''"),
            ("[-Infinity]", "249: unexpected token at '-Infinity]'"),
            ("[01]", "451: unexpected token at '01]'"),
            ("2.5.5", "859: unexpected token at '.5.5'"),
            ("1 // c", "859: unexpected token at ''"),
            ("[1,\0]", "451: unexpected token at ''"),
            ("[\"a\nb\"]", "451: unexpected token at '\"a\nb\"]'"),
            ("[\"a\\nb\\ud800\"]", "521: incomplete surrogate pair at 'b\\ud800\"]'"),
        ] {
            assert_eq!(show(source), message, "{source}");
        }
        assert_eq!(show(&"[".repeat(100_000)), "nesting of 101 is too deep");
        assert_eq!(show(&format!("{}{}", "[".repeat(100), "]".repeat(100))).len(), 200);
    }

    #[test]
    fn reasons_describe_the_error() {
        for (source, reason, hint) in [
            ("", "The file is empty", "write {} for no keys"),
            ("[1,2", "The file ends too early", "unexpected end: close brackets, quotes and comments"),
            ("{\"a\": 1,}", "Unexpected '}'", "remove the comma after the last element"),
            ("{\"a\" 1}", "Unexpected '1'", "write a comma between elements, and a colon after a key"),
            (
                "{\"a\": tru}",
                "Unexpected 'tru'",
                "write strings in double quotes; the only words are true, false and null",
            ),
            ("{a: 1}", "Unexpected 'a'", "write keys in double quotes"),
            ("{'a': 1}", "Unexpected single quote", "use double quotes"),
            ("{\"a\": 01}", "A number is not valid", "write the number without leading zeros, or as a string"),
            (
                "{\"a\": \"x\ny\"}",
                "A string is not valid",
                "close it on its line; write a line break as \\n, a tab as \\t and a backslash as \\\\",
            ),
            (
                "{\"a\": NaN}",
                "NaN and Infinity are not valid JSON",
                "JSON does not have this number; write null or a string",
            ),
        ] {
            let error = parse(source.as_bytes()).err();
            let message = error.as_ref().map(|error| (error.reason(), error.hint()));
            assert_eq!(message, Some((reason, Some(hint))), "{source}");
        }
    }

    #[test]
    fn errors_know_where_they_are() -> Result<(), Error> {
        let error = parse(b"{\n  \"a\": [1,\n  2 3]}").err();
        assert_eq!(error.and_then(|error| error.position()).map(|at| (at.line, at.column)), Some((3, 5)));
        let error = parse(b"{\n  \"a\": 1,\n}").err();
        assert_eq!(error.as_ref().and_then(|error| error.position()).map(|at| (at.line, at.column)), Some((3, 1)));
        assert!(error.is_some_and(|error| error.hint().is_some()));

        let document = parse_with_positions(b"{\n  \"a\": [1,\n  2], \"a\": 3}")?;
        assert_eq!(document.positions.len(), 1);
        let entry = document.positions.entry(0).map(|(key, value)| (key.line, key.column, value.at().column));
        assert_eq!(entry, Some((3, 7, 12)));
        Ok(())
    }
}
