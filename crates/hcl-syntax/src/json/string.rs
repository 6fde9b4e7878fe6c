//! Decodes JSON strings.

use std::borrow::Cow;

/// Decodes a string token.
///
/// # Errors
///
/// The number of bytes before the error.
pub(super) fn unescape(token: &[u8]) -> Result<Cow<'_, str>, usize> {
    let inner = token.get(1..).unwrap_or_default();
    if let Some(end) = memchr::memchr2(b'"', b'\\', inner)
        && end + 2 == token.len()
        && token.ends_with(b"\"")
        && let Some(Ok(text)) = inner.get(..end).map(std::str::from_utf8)
    {
        return Ok(Cow::Borrowed(text));
    }
    let mut reader = StringDecoder { token, at: 1 };
    let mut text = String::with_capacity(token.len());
    let mut plain = 1;
    loop {
        let special = reader.next()?;
        if special != b'"' && special != b'\\' {
            continue;
        }
        push_text(&mut text, token.get(plain..reader.at - 1).unwrap_or_default());
        if special == b'"' {
            break;
        }
        let character = reader.escape()?;
        text.push(character);
        plain = reader.at;
    }
    match reader.token.iter().skip(reader.at).position(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n')) {
        Some(more) => Err(reader.at + more + 1),
        None => Ok(Cow::Owned(text)),
    }
}

/// Appends text, and replaces every byte that is not UTF-8.
fn push_text(text: &mut String, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
}

struct StringDecoder<'a> {
    token: &'a [u8],
    at: usize,
}

impl StringDecoder<'_> {
    fn next(&mut self) -> Result<u8, usize> {
        let byte = self.token.get(self.at).copied().ok_or(self.token.len())?;
        self.at += 1;
        Ok(byte)
    }

    /// Decodes an escape, from after its backslash.
    fn escape(&mut self) -> Result<char, usize> {
        Ok(match self.next()? {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unicode(),
            _ => return Err(self.at),
        })
    }

    /// Decodes `\uXXXX`, or a surrogate pair of them. Half of a pair is replaced.
    fn unicode(&mut self) -> Result<char, usize> {
        let first = self.digits()?;
        if let (0xD800..0xDC00, Some(b"\\u")) = (first, self.token.get(self.at..self.at + 2)) {
            let behind_first = self.at;
            self.at += 2;
            let second = self.digits()?;
            if (0xDC00..0xE000).contains(&second) {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            self.at = behind_first;
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn digits(&mut self) -> Result<u32, usize> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = (self.next()? as char).to_digit(16).ok_or(self.at)?;
            code = code << 4 | digit;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(unescape(br#""a\n\u00e9\ud83d\ude00\ud83d\"""#).unwrap(), "a\né😀\u{FFFD}\"");
        assert_eq!(unescape(b"\"a\xff\xe2\x82\"").unwrap(), "a\u{FFFD}\u{FFFD}\u{FFFD}");
    }

    #[test]
    fn an_error_has_the_length_before_it() {
        assert_eq!(unescape(br#""a\q""#), Err(4));
        assert_eq!(unescape(br#""a\u12g""#), Err(7));
        assert_eq!(unescape(br#""abc"#), Err(4));
    }
}
