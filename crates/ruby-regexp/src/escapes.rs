//! Resolves numeric escapes, which Ruby resolves before its engine parses the pattern.
//!
//! `\x41`, `\101`, `\cA`, `\M-a` and `\u{1f600}` become their characters; everything else stays unchanged. The rules
//! are those of [Ruby's manual](https://docs.ruby-lang.org/en/3.1/Regexp.html). Cases that are not in the manual
//! (numbers too large, truncated escapes, bytes that are not characters) follow Ruby 3.1 for patterns in UTF-8.

/// Replaces numeric escapes by their characters. The error is in Ruby's words.
pub(crate) fn resolve(pattern: &str) -> Result<String, &'static str> {
    let mut out = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let escaped = rest[1..].chars().next().ok_or("too short escape sequence")?;
        rest = match escaped {
            'u' => unicode(&rest[2..], &mut out)?,
            '0' | 'x' | 'c' | 'C' | 'M' => character(rest, &mut out)?,
            // A number up to 127 may be a back reference, which only the engine can decide.
            '1'..='7' if octal(&rest[1..]).0 > 0o177 => character(rest, &mut out)?,
            _ => {
                let (escape, after) = rest.split_at(1 + escaped.len_utf8());
                out.push_str(escape);
                after
            }
        };
    }
    out.push_str(rest);
    Ok(out)
}

/// Parses the rest of `\u`: four digits, or numbers in braces. Returns the input after it.
fn unicode<'p>(rest: &'p str, out: &mut String) -> Result<&'p str, &'static str> {
    if rest.is_empty() {
        return Err("too short escape sequence");
    }
    let Some(list) = rest.strip_prefix('{') else {
        let digits = rest.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
        push(hexadecimal(digits.ok_or("invalid Unicode escape")?), out)?;
        return Ok(&rest[4..]);
    };
    let mut list = list.trim_start_matches(is_space);
    let mut empty = true;
    loop {
        let length = list.bytes().take_while(u8::is_ascii_hexdigit).count();
        match length {
            0 => break,
            1..=6 => push(hexadecimal(&list[..length]), out)?,
            _ => return Err("invalid Unicode range"),
        }
        empty = false;
        list = list[length..].trim_start_matches(is_space);
    }
    list.strip_prefix('}').filter(|_| !empty).ok_or("invalid Unicode list")
}

/// Whitespace as in C.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

fn push(code: u32, out: &mut String) -> Result<(), &'static str> {
    let c = char::from_u32(code).ok_or("invalid Unicode range")?;
    if c.is_ascii() {
        push_ascii(code, out);
    } else {
        out.push(c);
    }
    Ok(())
}

/// An ASCII character must not be taken for syntax.
fn push_ascii(code: u32, out: &mut String) {
    out.push_str(&format!("\\x{code:02X}"));
}

/// One character, whose bytes may be escaped one by one. Returns what follows it.
fn character<'p>(mut rest: &'p str, out: &mut String) -> Result<&'p str, &'static str> {
    let mut bytes = Vec::with_capacity(4);
    loop {
        let (byte, after) = escaped_byte(rest)?;
        bytes.push(byte);
        rest = after;
        match std::str::from_utf8(&bytes) {
            Ok(text) if byte.is_ascii() => {
                text.bytes().for_each(|byte| push_ascii(byte.into(), out));
                return Ok(rest);
            }
            Ok(text) => {
                out.push_str(text);
                return Ok(rest);
            }
            // The start of a character: the next escape continues it.
            Err(error) if error.error_len().is_none() => {}
            Err(_) => return Err("invalid multibyte escape"),
        }
    }
}

/// One byte, written as an escape, and what follows it.
fn escaped_byte(text: &str) -> Result<(u8, &str), &'static str> {
    let mut rest = text.strip_prefix('\\').ok_or("too short escaped multibyte character")?;
    let (mut control, mut meta) = (false, false);
    let code = loop {
        let mut characters = rest.chars();
        let c = characters.next().ok_or("too short escape sequence")?;
        let after = characters.as_str();
        rest = match c {
            '0'..='7' => {
                let (code, after) = octal(rest);
                rest = after;
                break code;
            }
            'x' => {
                let length = after.bytes().take(2).take_while(u8::is_ascii_hexdigit).count();
                if length == 0 {
                    return Err("invalid hex escape");
                }
                rest = &after[length..];
                break hexadecimal(&after[..length]);
            }
            'M' if meta => return Err("duplicate meta escape"),
            'M' => {
                meta = true;
                after.strip_prefix('-').ok_or("too short meta escape")?
            }
            'c' | 'C' => {
                let after = if c == 'c' { Some(after) } else { after.strip_prefix('-') };
                let after = after.ok_or("too short control escape")?;
                if control {
                    return Err("duplicate control escape");
                }
                control = true;
                after
            }
            _ => {
                rest = after;
                break u32::from(match c {
                    '\\' => b'\\',
                    'n' => b'\n',
                    't' => b'\t',
                    'r' => b'\r',
                    'f' => 0x0c,
                    'v' => 0x0b,
                    'a' => 0x07,
                    'e' => 0x1b,
                    _ => return Err("unexpected escape sequence"),
                });
            }
        };
        // The base of a control or meta key: another escape, or a plain character.
        if let Some(escape) = rest.strip_prefix('\\') {
            rest = escape;
            continue;
        }
        let escaped = rest.chars().next().filter(char::is_ascii);
        let short = if c == 'M' { "too short meta escape" } else { "too short control escape" };
        let escaped = escaped.ok_or(short)?;
        rest = &rest[1..];
        break u32::from(escaped);
    };
    let byte = u8::try_from(code).map_err(|_| "invalid escape code")?;
    let byte = if control { byte & 0x1f } else { byte };
    Ok((if meta { byte | 0x80 } else { byte }, rest))
}

/// Up to three octal digits, and what follows them.
fn octal(text: &str) -> (u32, &str) {
    let length = text.bytes().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
    (text[..length].bytes().fold(0, |code, digit| code * 8 + u32::from(digit - b'0')), &text[length..])
}

/// The number that hexadecimal digits stand for; there are eight at most, and none is anything else.
fn hexadecimal(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::resolve;

    #[test]
    fn characters_come_in_place_of_their_numbers() {
        for (pattern, resolved) in [
            ("a\\u{e9 41}b", "aé\\x41b"),
            ("\\u00e9\\u{ 1f600\t}", "é😀"),
            ("\\xC3\\xA9\\x5b\\0\\012", "é\\x5B\\x00\\x0A"),
            ("\\303\\251\\1\\177", "é\\1\\177"),
            ("\\cA\\C-a\\c?\\c\\n", "\\x01\\x01\\x1F\\x0A"),
            ("\\M-C\\M-)", "é"),
            ("\\\\u\\é\\/\\q\\8", "\\\\u\\é\\/\\q\\8"),
        ] {
            assert_eq!(resolve(pattern).as_deref(), Ok(resolved), "{pattern}");
        }
    }

    #[test]
    fn errors_have_the_messages_of_ruby() {
        for (pattern, message) in [
            ("a\\", "too short escape sequence"),
            ("\\u", "too short escape sequence"),
            ("\\u12", "invalid Unicode escape"),
            ("\\u{}", "invalid Unicode list"),
            ("\\u{41", "invalid Unicode list"),
            ("\\u{d800}", "invalid Unicode range"),
            ("\\u{0000041}", "invalid Unicode range"),
            ("\\xg", "invalid hex escape"),
            ("\\xc3", "too short escaped multibyte character"),
            ("\\xff", "invalid multibyte escape"),
            ("\\xc3\\x41", "invalid multibyte escape"),
            ("\\400", "invalid escape code"),
            ("\\c", "too short control escape"),
            ("\\C-é", "too short control escape"),
            ("\\M", "too short meta escape"),
            ("\\c\\ca", "duplicate control escape"),
            ("\\M-\\M-a", "duplicate meta escape"),
            ("\\c\\q", "unexpected escape sequence"),
        ] {
            assert_eq!(resolve(pattern), Err(message), "{pattern}");
        }
    }
}
