//! Strings of JSON.

use std::borrow::Cow;

/// A string that the gem refuses: what its message shows begins at this offset.
pub(super) struct Incomplete(pub usize);

/// The end of the string that begins at `start`, past its closing quote. Returns `None` for an unterminated string.
pub(super) fn end(source: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match source.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                at += 1;
                match source.get(at)? {
                    0..=0x1f => return None,
                    b'u' => {
                        if !source.get(at + 1..at + 5)?.iter().all(u8::is_ascii_hexdigit) {
                            return None;
                        }
                        at += 5;
                    }
                    _ => at += 1,
                }
            }
            0..=0x1f => return None,
            _ => at += 1,
        }
    }
}

/// The unescaped bytes of a string. `start` and `end` are the offsets of its content.
pub(super) fn unescape(source: &[u8], start: usize, end: usize) -> Result<Cow<'_, [u8]>, Incomplete> {
    let text = &source[start..end];
    if !text.contains(&b'\\') {
        return Ok(Cow::Borrowed(text));
    }
    let mut bytes = Vec::with_capacity(text.len());
    // From where text has not been copied yet.
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        if text[at] != b'\\' {
            at += 1;
            continue;
        }
        bytes.extend_from_slice(&text[from..at]);
        at += 1;
        match text.get(at) {
            Some(b'u') => {
                let first = hex(text, at + 1);
                let mut code = first;
                at += 5;
                if first & 0xfc00 == 0xd800 {
                    if at + 6 > text.len() {
                        return Err(Incomplete(start + from));
                    }
                    if text[at..].starts_with(b"\\u") {
                        // The gem does not check whether the second one is a low surrogate.
                        let second = hex(text, at + 2);
                        code = 0x10000 + ((first & 0x3ff) << 10) + (second & 0x3ff);
                        at += 6;
                    } else {
                        // The gem puts a question mark, and loses the byte that follows.
                        code = u32::from(b'?');
                        at += 1;
                    }
                }
                push(&mut bytes, code);
                from = at;
            }
            Some(&byte) => {
                let unescaped = match byte {
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'b' => 8,
                    b'f' => 12,
                    b'"' | b'\\' => byte,
                    // Any other character is literal. It is copied with the ones that follow.
                    _ => {
                        from = at;
                        // It is not a backslash, so it may be skipped.
                        at += 1;
                        continue;
                    }
                };
                bytes.push(unescaped);
                at += 1;
                from = at;
            }
            None => {}
        }
    }
    bytes.extend_from_slice(text.get(from..).unwrap_or_default());
    Ok(Cow::Owned(bytes))
}

/// Four hexadecimal digits, which [`end`] has seen.
fn hex(text: &[u8], at: usize) -> u32 {
    let digits = text.get(at..at + 4).unwrap_or_default();
    digits.iter().fold(0, |number, &digit| number << 4 | char::from(digit).to_digit(16).unwrap_or(0))
}

/// A code point as UTF-8, surrogates too: Ruby writes them as it writes any other.
fn push(bytes: &mut Vec<u8>, code: u32) {
    match char::from_u32(code) {
        Some(c) => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        None => bytes.extend([0xe0 | (code >> 12) as u8, 0x80 | (code >> 6 & 0x3f) as u8, 0x80 | (code & 0x3f) as u8]),
    }
}
