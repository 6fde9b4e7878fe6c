//! Scalars: the rules for plain ones, and the quotes of all others.
//!
//! The rules of plain scalars: <https://yaml.org/spec/1.2.2/#733-plain-style>.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hieratic_value::{Rich, Value, text};

use crate::resolve12;
use hieratic_yaml as yaml;
use hieratic_yaml::emitter::Characters;
use hieratic_yaml::emitter::analysis::{Analysis, is_break};

/// The context of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Context {
    /// In the lines of a block.
    Block,
    /// Between brackets.
    Flow,
    /// In JSON.
    Json,
}

/// A scalar, or an empty collection. Returns `None` for other values.
pub(super) fn leaf(value: &Value, context: Context) -> Option<String> {
    Some(match value {
        Value::Undef => "null".into(),
        Value::Boolean(truth) => truth.to_string(),
        Value::Integer(number) => number.to_string(),
        Value::Float(number) => float(*number, context),
        Value::String(text) => string(text, context),
        Value::Array(items) if items.is_empty() => "[]".into(),
        Value::Hash(hash) if hash.is_empty() => "{}".into(),
        Value::Array(_) | Value::Hash(_) => return None,
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) => number.to_string(),
            Rich::Binary(bytes) => binary(bytes, context),
            _ => string(&value.to_text(), context),
        },
    })
}

/// A float that reads back the same everywhere: YAML 1.1 wants a point in it, and a sign before its exponent.
fn float(number: f64, context: Context) -> String {
    let word = match number {
        _ if number.is_finite() => return text::float(number),
        _ if number.is_nan() => ".nan",
        _ if number > 0.0 => ".inf",
        _ => "-.inf",
    };
    if context == Context::Json { double_quoted(word, context) } else { word.into() }
}

fn binary(bytes: &[u8], context: Context) -> String {
    match (STANDARD.encode(bytes), context) {
        (digits, Context::Json) => double_quoted(&digits, context),
        (digits, _) if digits.is_empty() => "!!binary ''".into(),
        (digits, _) => format!("!!binary {digits}"),
    }
}

/// A string on one line.
pub(super) fn string(text: &str, context: Context) -> String {
    if context == Context::Json {
        return double_quoted(text, context);
    }
    let analysis = Analysis::from_text(text, Characters::All);
    if !analysis.printable || analysis.multiline {
        double_quoted(text, context)
    } else if may_be_plain(text, &analysis, context) {
        text.into()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

/// Returns whether a string of printable characters reads back equal without quotes.
///
/// Other readers find indicators where libyaml finds none: `?` and `:` at the beginning, spaces beyond ASCII at both
/// ends.
fn may_be_plain(text: &str, analysis: &Analysis, context: Context) -> bool {
    let allowed = if context == Context::Flow { analysis.flow_plain } else { analysis.block_plain };
    let blank_end = text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace);
    // The value key and the merge key of YAML 1.1: https://yaml.org/type/value.html, https://yaml.org/type/merge.html.
    let is_key = matches!(text, "=" | "<<");
    let is_allowed = allowed && !text.is_empty() && !text.starts_with(['?', ':']) && !blank_end && !is_key;
    is_allowed && is_text_in_yaml_1_1(text) && resolve12::kind(text) == resolve12::ScalarKind::Text
}

/// Returns whether the readers of YAML 1.1 take a string without indicators for a string.
///
/// The parser itself decides, but only for few strings: the first byte of most excludes every other type.
fn is_text_in_yaml_1_1(text: &str) -> bool {
    let asks = match text.as_bytes() {
        [b'0'..=b'9' | b'+' | b'-' | b'.', ..] => true,
        // The longest of these words has five characters, the longest character four bytes.
        [b'~' | b'n' | b'N' | b't' | b'T' | b'y' | b'Y' | b'o' | b'O' | b'f' | b'F', ..] => text.len() <= 20,
        _ => false,
    };
    let reads_as_text =
        || yaml::parse(text.as_bytes(), &yaml::Options::new("")).is_ok_and(|value| value.as_str() == Some(text));
    !asks || !is_base_60(text) && reads_as_text()
}

/// Numbers to the base 60 have up to three parts for Ruby, any number of them for others: <https://yaml.org/type/int.html>.
fn is_base_60(text: &str) -> bool {
    text.contains(':') && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'_' | b':' | b'.'))
}

/// Returns whether a character may be in a scalar unescaped. Line breaks, including those of YAML 1.1, tabs and all
/// that is not a character for YAML must be escaped.
pub(super) fn is_plain_character(c: char) -> bool {
    Characters::All.contain(c) && !is_break(c)
}

/// A string in double quotes: <https://yaml.org/spec/1.2.2/#57-escaped-characters>. Of the short escapes only those of
/// JSON are used, and nothing is folded, unlike in the output of the [emitter](hieratic_yaml::emitter).
pub(super) fn double_quoted(text: &str, context: Context) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_plain_character(c) => out.push(c),
            // Writing to a string cannot fail.
            c if context != Context::Json && c <= '\u{ff}' => drop(write!(out, "\\x{:02X}", u32::from(c))),
            // All that must be escaped has four digits.
            c => drop(write!(out, "\\u{:04X}", u32::from(c))),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_quoted_only_if_necessary() {
        for plain in [
            "a",
            "a b",
            "a:b",
            "a#b",
            "http://example.com/#x",
            "10.0.0.1",
            "1.2.3",
            "-x",
            "--foo",
            "it's",
            "a\"b",
            "caf\u{e9}",
            "\u{1f600}",
            "x=y",
            "nope",
            "yesterday",
            "a?b",
            "a, b",
            "/a/b",
            "$x",
            "(a)",
            "08:00 am",
            "v1",
            "a-",
            "none",
        ] {
            assert_eq!(string(plain, Context::Block), plain);
        }
        for quoted in [
            "",
            " a",
            "a ",
            "a: b",
            "a:",
            "a #b",
            "#a",
            "- a",
            "-",
            "---",
            "--- a",
            "...",
            "? a",
            ":a",
            "[a",
            "{{ x }}",
            "*a",
            "&a",
            "!a",
            "|",
            ">",
            "'a",
            "\"a",
            "%a",
            "@a",
            "`a",
            "=",
            "<<",
            "yes",
            "No",
            "null",
            "~",
            "TRUE",
            "1",
            "1.5",
            "0x1F",
            "010",
            "08",
            "1_000",
            "1,000",
            "1e3",
            ".5",
            ".inf",
            "1:30",
            "1:30:20:10",
            "2024-01-01",
            "2024-13-01",
            "2024-1-1 10:00:00",
            "0o17",
            "0b1",
            "+1",
            "-1",
            "0x_",
            "._",
        ] {
            let text = quoted.replace('\'', "''");
            assert_eq!(string(quoted, Context::Block), format!("'{text}'"));
        }
        for (text, escaped) in
            [("a\tb", r#""a\tb""#), ("a\nb", r#""a\nb""#), ("\0\u{85}\u{2028}", r#""\x00\x85\u2028""#)]
        {
            assert_eq!(string(text, Context::Block), escaped);
        }
    }

    #[test]
    fn brackets_forbid_more() {
        for text in ["a, b", "a]", "a:b", "{a"] {
            assert_eq!(string(text, Context::Flow), format!("'{text}'"));
        }
        assert_eq!(string("a b", Context::Flow), "a b");
    }

    #[test]
    fn json_is_quoted_always() {
        assert_eq!(string("a", Context::Json), "\"a\"");
        assert_eq!(string("\u{7f}\u{1}\u{2028}/", Context::Json), "\"\\u007F\\u0001\\u2028/\"");
        assert_eq!(leaf(&Value::Float(f64::INFINITY), Context::Json).as_deref(), Some("\".inf\""));
    }

    #[test]
    fn numbers_and_bytes() {
        for (value, text) in [
            (Value::from(1e16), "1.0e+16"),
            (Value::from(-0.0), "-0.0"),
            (Value::Float(f64::NAN), ".nan"),
            (Value::Float(f64::NEG_INFINITY), "-.inf"),
            (Rich::Binary(b"hello".to_vec()).into(), "!!binary aGVsbG8="),
            (Rich::Binary(Vec::new()).into(), "!!binary ''"),
            (
                Rich::BigInteger(hieratic_value::BigInt::from(u128::MAX)).into(),
                "340282366920938463463374607431768211455",
            ),
        ] {
            assert_eq!(leaf(&value, Context::Block).as_deref(), Some(text));
        }
    }
}
