//! Quotes strings, and decodes string literals.

use std::fmt::Write;

use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// Returns the `repr` of a string.
///
/// ```
/// assert_eq!(hieratic_python_values::quoted("a\u{ad}\n"), r"'a\xad\n'");
/// ```
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    quote(&mut out, text);
    out
}

/// Writes the `repr` of a string: in single quotes, unless it contains single quotes and no double ones.
pub fn quote(out: &mut String, text: &str) {
    let quote = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    out.push(quote);
    for letter in text.chars() {
        match letter {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if letter == quote => {
                out.push('\\');
                out.push(letter);
            }
            _ if is_printable(letter) => out.push(letter),
            // Writing to a string does not fail.
            _ => drop(match u32::from(letter) {
                code @ 0..=0xff => write!(out, "\\x{code:02x}"),
                code @ 0..=0xffff => write!(out, "\\u{code:04x}"),
                code => write!(out, "\\U{code:08x}"),
            }),
        }
    }
    out.push(quote);
}

/// Writes bytes as `repr` does.
pub fn quote_bytes(out: &mut String, bytes: &[u8]) {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    out.push('b');
    out.push(quote);
    for byte in bytes {
        match byte {
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            0x20..=0x7e => {
                let letter = char::from(*byte);
                if letter == quote {
                    out.push('\\');
                }
                out.push(letter);
            }
            _ => drop(write!(out, "\\x{byte:02x}")),
        }
    }
    out.push(quote);
}

/// Python's `str.isprintable` for one character.
pub fn is_printable(letter: char) -> bool {
    letter == ' '
        || !matches!(
            get_general_category(letter),
            Category::Control
                | Category::Format
                | Category::Surrogate
                | Category::PrivateUse
                | Category::Unassigned
                | Category::LineSeparator
                | Category::ParagraphSeparator
                | Category::SpaceSeparator
        )
}

/// Decodes the escapes of a string literal:
/// <https://docs.python.org/3/reference/lexical_analysis.html#escape-sequences>. Unknown escapes are copied.
///
/// # Errors
///
/// An escape is invalid. The message is Python's.
pub fn decode(text: &str) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        let Some(escape) = letters.next() else {
            return Err("\\ at end of string".into());
        };
        let character = match escape {
            '\n' => continue,
            '\\' | '\'' | '"' => escape,
            'a' => '\u{7}',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\u{b}',
            '0'..='7' => {
                let mut code = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(8)) else { break };
                    code = code * 8 + digit;
                    letters.next();
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            'x' | 'u' | 'U' => {
                let mut code = hexadecimal(&mut letters, escape)?;
                // A surrogate pair, as in JSON for characters outside the basic plane.
                let rest: String = letters.clone().take(2).collect();
                if (0xd800..0xdc00).contains(&code) && rest == "\\u" {
                    letters.nth(1);
                    let low = hexadecimal(&mut letters, 'u')?;
                    code = 0x10000 + ((code - 0xd800) << 10) + low.wrapping_sub(0xdc00) % 0x400;
                }
                let Some(letter) = char::from_u32(code) else {
                    return Err(format!("illegal Unicode character \\{escape}{code:x}"));
                };
                letter
            }
            'N' => return Err("named characters (\\N{...}) are not supported: write \\u and the number".into()),
            other => {
                out.push('\\');
                other
            }
        };
        out.push(character);
    }
    Ok(out)
}

/// Parses the digits of an escape.
fn hexadecimal(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, escape: char) -> Result<u32, String> {
    let length = match escape {
        'x' => 2,
        'u' => 4,
        _ => 8,
    };
    let mut code = 0;
    for _ in 0..length {
        let Some(digit) = letters.peek().and_then(|letter| letter.to_digit(16)) else {
            return Err(format!("truncated \\{escape} escape: {length} hexadecimal digits have to follow"));
        };
        code = (code << 4) | digit;
        letters.next();
    }
    Ok(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn quoting_round_trips(text in ".*") {
            let quoted = quoted(&text);
            let inner = quoted.get(1..quoted.len() - 1).unwrap_or("");
            prop_assert_eq!(decode(inner), Ok(text));
        }
    }
}
