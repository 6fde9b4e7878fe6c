//! Values as Ruby prints them: `to_s` and `inspect`; articles in messages.
//!
//! The references use these strings in interpolations, explanations and messages, so they must be exactly equal (Ruby
//! 3.1 to 3.3; the hash syntax of Ruby 3.4 is not used).

use std::fmt::Write;

use unicode_general_category::{GeneralCategory as Category, get_general_category};

use crate::{Rich, Value};

/// The redaction mark of Puppet: it replaces the content of a Sensitive value.
pub const REDACTED: &str = "Sensitive [value redacted]";

/// Returns the article of a noun: `an` before a vowel (a quote in front is ignored), otherwise `a`.
pub fn article(text: &str) -> &'static str {
    let mut letters = text.chars();
    let first = letters.next().and_then(|c| if matches!(c, '"' | '\'') { letters.next() } else { Some(c) });
    match first.map(|c| c.to_ascii_lowercase()) {
        Some('a' | 'e' | 'i' | 'o' | 'u' | 'y') => "an",
        _ => "a",
    }
}

/// Returns the string with its first letter in upper case.
pub fn capitalized(text: String) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters.as_str().chars()).collect(),
        None => text,
    }
}

impl Value {
    /// Returns Ruby's `to_s`, the string that an interpolation inserts.
    pub fn to_text(&self) -> String {
        match self {
            Value::Undef => String::new(),
            Value::String(text) => text.to_string(),
            Value::Rich(rich) => match &**rich {
                Rich::Symbol(name) => name.to_string(),
                Rich::Default => "default".into(),
                Rich::Binary(bytes) => String::from_utf8_lossy(bytes).into_owned(),
                Rich::Sensitive(_) => REDACTED.into(),
                Rich::BigInteger(_) => self.inspect(),
                Rich::Extended(value) => value.to_text(),
            },
            _ => self.inspect(),
        }
    }

    /// Returns Ruby's `inspect`: strings are quoted, hashes are written with `=>`.
    pub fn inspect(&self) -> String {
        let mut out = String::new();
        inspect_on(&mut out, self);
        out
    }
}

fn inspect_on(out: &mut String, value: &Value) {
    match value {
        Value::Undef => out.push_str("nil"),
        Value::Boolean(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Integer(i) => {
            // Writing to a string cannot fail.
            let _ = write!(out, "{i}");
        }
        Value::Float(f) => out.push_str(&float(*f)),
        Value::String(text) => inspect_string(out, text),
        Value::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                inspect_on(out, element);
            }
            out.push(']');
        }
        Value::Hash(hash) => {
            out.push('{');
            for (index, (key, value)) in hash.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                inspect_on(out, key);
                out.push_str("=>");
                inspect_on(out, value);
            }
            out.push('}');
        }
        Value::Rich(rich) => match &**rich {
            Rich::Default => out.push_str(":default"),
            Rich::Sensitive(_) => {
                let _ = write!(out, "#<{REDACTED}>");
            }
            Rich::Symbol(name) => inspect_symbol(out, name),
            Rich::BigInteger(number) => {
                let _ = write!(out, "{number}");
            }
            Rich::Binary(bytes) => inspect_bytes(out, bytes),
            Rich::Extended(value) => out.push_str(&value.inspect()),
        },
    }
}

/// Formats a float in Ruby's notation, with the fewest digits that parse to the same float.
///
/// ```
/// use hieratic_value::text::float;
/// assert_eq!(float(1000.0), "1000.0");
/// assert_eq!(float(1e16), "1.0e+16");
/// assert_eq!(float(0.00001), "1.0e-05");
/// ```
pub fn float(number: f64) -> String {
    if number.is_nan() {
        return "NaN".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "Infinity" } else { "-Infinity" }.into();
    }
    if number == 0.0 {
        return if number.is_sign_negative() { "-0.0" } else { "0.0" }.into();
    }
    let mut buffer = ryu::Buffer::new();
    let shortest = buffer.format_finite(number.abs());
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((shortest, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    // All digits without the point, and the position of the point from the first digit that is not zero.
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let point = whole.len() as i32 - leading as i32 + exponent.parse::<i32>().unwrap_or(0);
    let digits = all.trim_matches('0');
    let sign = if number < 0.0 { "-" } else { "" };
    let count = digits.len() as i32;
    if (-3..=15).contains(&point) || (1..count).contains(&point) {
        let text = if point <= 0 {
            format!("0.{}{digits}", "0".repeat(-point as usize))
        } else if point >= count {
            format!("{digits}{}.0", "0".repeat((point - count) as usize))
        } else {
            format!("{}.{}", &digits[..point as usize], &digits[point as usize..])
        };
        return format!("{sign}{text}");
    }
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    let exponent = point - 1;
    let exponent_sign = if exponent < 0 { '-' } else { '+' };
    format!("{sign}{first}.{rest}e{exponent_sign}{:02}", exponent.abs())
}

/// Appends a string in double quotes, with Ruby's escapes.
pub fn inspect_string(out: &mut String, text: &str) {
    out.push('"');
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{b}' => out.push_str("\\v"),
            '\u{8}' => out.push_str("\\b"),
            '\u{7}' => out.push_str("\\a"),
            '\u{1b}' => out.push_str("\\e"),
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => out.push_str("\\#"),
            c if printable(c) => out.push(c),
            c if (c as u32) < 0x10000 => {
                let _ = write!(out, "\\u{:04X}", c as u32);
            }
            c => {
                let _ = write!(out, "\\u{{{:X}}}", c as u32);
            }
        }
    }
    out.push('"');
}

/// Returns whether Ruby prints the character unescaped.
fn printable(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_control();
    }
    // The next-line character, alone among the control characters.
    if c == '\u{85}' {
        return true;
    }
    match get_general_category(c) {
        Category::Control
        | Category::Surrogate
        | Category::Unassigned
        | Category::LineSeparator
        | Category::ParagraphSeparator => false,
        Category::SpaceSeparator => true,
        _ => true,
    }
}

fn inspect_symbol(out: &mut String, name: &str) {
    let mut characters = name.trim_end_matches(['?', '!', '=']).chars();
    const OPERATORS: [&str; 27] = [
        "<<", ">>", "+", "-", "*", "/", "%", "**", "==", "===", "=~", "!=", "!~", "!", "<", "<=", ">", ">=", "<=>",
        "[]", "[]=", "&", "|", "^", "~", "+@", "-@",
    ];
    let word = characters.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && characters.all(|c| c == '_' || c.is_alphanumeric());
    let plain = word || OPERATORS.contains(&name);
    out.push(':');
    if plain {
        out.push_str(name);
    } else {
        inspect_string(out, name);
    }
}

fn inspect_bytes(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for &byte in bytes {
        match byte {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x20..=0x7e => out.push(byte as char),
            _ => {
                let _ = write!(out, "\\x{byte:02X}");
            }
        }
    }
    out.push('"');
}

/// Pads a string with spaces on the left to at least `width` characters. (The standard library pads to at most 65,535.)
pub fn padded_before(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    std::iter::repeat_n(' ', missing).chain(text.chars()).collect()
}

/// Pads a string with spaces on the right to at least `width` characters.
pub fn padded_behind(mut text: String, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;
    use proptest::prelude::*;

    #[test]
    fn floats_are_written_as_ruby_writes_them() {
        for (number, text) in [
            (1.5, "1.5"),
            (0.1, "0.1"),
            (100.0, "100.0"),
            (1e14, "100000000000000.0"),
            (1e15, "1.0e+15"),
            (1e16, "1.0e+16"),
            (123456789.125, "123456789.125"),
            (0.0001, "0.0001"),
            (0.00001, "1.0e-05"),
            (1.25e-7, "1.25e-07"),
            (-2.5e300, "-2.5e+300"),
            (-0.0, "-0.0"),
            (-1991546743794976.2, "-1991546743794976.2"),
            (f64::INFINITY, "Infinity"),
        ] {
            assert_eq!(float(number), text);
        }
    }

    #[test]
    fn strings_are_escaped_as_ruby_escapes_them() {
        for (text, inspected) in [
            ("a\"b\\", r#""a\"b\\""#),
            ("\n\t\u{1b}\u{0}", r#""\n\t\e\u0000""#),
            ("#{x} #y", r##""\#{x} #y""##),
            ("caf\u{e9} \u{200b}", "\"caf\u{e9} \u{200b}\""),
        ] {
            assert_eq!(Value::from(text).inspect(), inspected);
        }
    }

    #[test]
    fn containers_and_secrets() {
        let hash: Hash = [(Value::from("a"), Value::from(vec![Value::Undef, Value::from(1.0)]))].into_iter().collect();
        assert_eq!(Value::from(hash).to_text(), r#"{"a"=>[nil, 1.0]}"#);
        assert_eq!(Value::sensitive(Value::from("x")).to_text(), REDACTED);
        assert_eq!(Value::sensitive(Value::from("x")).inspect(), "#<Sensitive [value redacted]>");
        assert_eq!(Value::Undef.to_text(), "");
    }

    proptest! {
        #[test]
        fn a_float_reads_back_the_same(number in proptest::num::f64::NORMAL) {
            prop_assert_eq!(float(number).parse::<f64>().ok(), Some(number));
        }
    }
}
