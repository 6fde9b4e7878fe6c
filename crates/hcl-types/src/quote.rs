//! Quoted strings for messages, and literals of HCL.

use std::fmt::Write;

/// Quotes a string, and escapes unprintable characters like Go's `%q`.
///
/// ```
/// assert_eq!(hieratic_hcl_types::quoted("a\t\"b\""), r#""a\t\"b\"""#);
/// ```
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{b}' => out.push_str("\\v"),
            ' ' => out.push(' '),
            // Writing to a string cannot fail.
            letter if (letter as u32) < 0x20 || letter == '\u{7f}' => drop(write!(out, "\\x{:02x}", letter as u32)),
            letter if is_printable(letter) => out.push(letter),
            letter if (letter as u32) < 0x1_0000 => drop(write!(out, "\\u{:04x}", letter as u32)),
            letter => drop(write!(out, "\\U{:08x}", letter as u32)),
        }
    }
    out.push('"');
    out
}

/// Writes a string as a literal of HCL. Its template sequences are escaped, so that the literal evaluates to the
/// string.
///
/// ```
/// assert_eq!(hieratic_hcl_types::hcl_literal("${a}\n"), r#""$${a}\n""#);
/// ```
pub fn hcl_literal(text: &str) -> String {
    hcl_template(&text.replace("${", "$${").replace("%{", "%%{"))
}

/// Writes a template of HCL in quotes. Its sequences are not escaped.
///
/// ```
/// assert_eq!(hieratic_hcl_types::hcl_template("${a}\n"), r#""${a}\n""#);
/// ```
pub fn hcl_template(template: &str) -> String {
    let mut out = String::with_capacity(template.len() + 2);
    out.push('"');
    for letter in template.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a string cannot fail.
            letter if letter.is_control() => drop(write!(out, "\\u{:04x}", u32::from(letter))),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Rust escapes characters that are not printable or that would combine with a quote; combining characters are
/// printable to Go.
fn is_printable(letter: char) -> bool {
    unicode_normalization::char::is_combining_mark(letter) || !letter.escape_debug().to_string().starts_with("\\u")
}
