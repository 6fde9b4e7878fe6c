//! String literals of the Puppet language.
//!
//! See [strings](https://www.puppet.com/docs/puppet/8/lang_data_string.html).

use std::fmt::{self, Write};

/// Quotes a string as a literal: in single quotes, or in double quotes if it contains control characters.
///
/// ```
/// use hieratic_puppet_types::quote;
/// assert_eq!(quote("it's"), r"'it\'s'");
/// assert_eq!(quote("a\tb"), r#""a\tb""#);
/// ```
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // Writing to a string cannot fail.
    let _ = quote_on(&mut out, text);
    out
}

/// Writes a string as [`quote`] does.
pub(crate) fn quote_on<W: Write>(out: &mut W, text: &str) -> fmt::Result {
    if text.bytes().any(|byte| byte < 0x20) {
        return out.write_str(&double_quote(text));
    }
    out.write_char('\'')?;
    // A backslash is deferred until the next character shows whether it would begin an escape.
    let mut is_escaped = false;
    for c in text.chars() {
        if is_escaped {
            out.write_char('\\')?;
            out.write_char(c)?;
            is_escaped = false;
        } else {
            match c {
                '\'' => out.write_str("\\'")?,
                '\\' => is_escaped = true,
                c => out.write_char(c)?,
            }
        }
    }
    out.write_str(if is_escaped { "\\'" } else { "'" })
}

/// Quotes a string in double quotes.
pub(crate) fn double_quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '"' => out.push_str("\\\""),
            '$' => out.push_str("\\$"),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{{{:X}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_and_quotes() {
        for (text, quoted) in [
            ("a", "'a'"),
            (r"a\b", r"'a\b'"),
            (r"a\'b", r"'a\'b'"),
            (r"a\\b", r"'a\\b'"),
            (r"a\", r"'a\'"),
            ("a\n$b\"\u{1}", r#""a\n\$b\"\u{1}""#),
            ("é", "'é'"),
        ] {
            assert_eq!(quote(text), quoted);
        }
    }
}
