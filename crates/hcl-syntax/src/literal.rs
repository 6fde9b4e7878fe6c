//! Decodes literal tokens.

use std::borrow::Cow;

use hieratic_hcl_types::quoted as quote;

use crate::Span;
use crate::scanner::encoded_length;

/// Returns the literal with its escapes resolved, and the errors in them with spans relative to the start of the token.
///
/// Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#template-expressions>
pub(crate) fn unescape(bytes: &[u8], quoted: bool) -> (Cow<'_, str>, Vec<(Span, Cow<'static, str>)>) {
    let escapes = quoted && memchr::memchr(b'\\', bytes).is_some();
    // An escaped sequence begins a token, except in a rest that could not be tokenized, which begins with a single
    // carriage return.
    if !escapes && !matches!(bytes, [b'$' | b'%', _, b'{', ..] | [b'\r', ..]) {
        return (String::from_utf8_lossy(bytes), Vec::new());
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut faults = Vec::new();
    let mut at = 0;
    for piece in pieces(bytes, quoted) {
        let span = Span { start: at, end: at + piece.len() as u32 };
        at = span.end;
        match piece {
            [b'$', b'$', b'{'] | [b'%', b'%', b'{'] => text.extend(&piece[1..]),
            [b'\\', rest @ ..] if quoted => match escape(rest) {
                Ok(Some(character)) => text.extend(character.encode_utf8(&mut [0; 4]).as_bytes()),
                Ok(None) => {
                    let selector = String::from_utf8_lossy(rest);
                    let detail = format!("The symbol {} is not a valid escape sequence selector.", quote(&selector));
                    faults.push((span, detail.into()));
                    text.extend(rest);
                }
                Err(detail) => {
                    faults.push((span, detail));
                    text.extend(piece);
                }
            },
            plain => text.extend(plain),
        }
    }
    let text = String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    (Cow::Owned(text), faults)
}

/// Returns the character for an escape, given the bytes after the backslash; `None` if it is not an escape.
fn escape(selector: &[u8]) -> Result<Option<char>, Cow<'static, str>> {
    Ok(Some(match selector {
        [] => return Err("Backslash must be followed by an escape sequence selector character.".into()),
        [b'n', ..] => '\n',
        [b'r', ..] => '\r',
        [b't', ..] => '\t',
        [b'"', ..] => '"',
        [b'\\', ..] => '\\',
        [b'u', digits @ ..] if digits.len() != 4 => {
            return Err("The \\u escape sequence must be followed by four hexadecimal digits.".into());
        }
        [b'U', digits @ ..] if digits.len() != 8 => {
            return Err("The \\U escape sequence must be followed by eight hexadecimal digits.".into());
        }
        [b'u' | b'U', digits @ ..] => {
            let code =
                digits.iter().fold(0, |code, digit| code << 4 | (*digit as char).to_digit(16).unwrap_or_default());
            char::from_u32(code).ok_or_else(|| format!("Cannot encode character U+{code:04x} in UTF-8."))?
        }
        _ => return Ok(None),
    }))
}

/// Splits a literal into escapes, line ends, and the runs between them.
pub(crate) fn pieces(bytes: &[u8], quoted: bool) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let plain = rest.iter().position(|byte| is_special(*byte, quoted)).unwrap_or(rest.len());
        let length = if plain > 0 { plain } else { special_length(rest) };
        let (piece, after) = rest.split_at(length);
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn is_special(byte: u8, quoted: bool) -> bool {
    matches!(byte, b'$' | b'%' | b'\r' | b'\n') || quoted && byte == b'\\'
}

/// The length of an escape or line end.
fn special_length(bytes: &[u8]) -> usize {
    let digits = |most| bytes.iter().skip(2).take(most).take_while(|byte| byte.is_ascii_hexdigit()).count();
    match bytes {
        [] => 0,
        [b'\r', b'\n', ..] => 2,
        [b'\\', b'u', ..] => 2 + digits(4),
        [b'\\', b'U', ..] => 2 + digits(8),
        [b'\\', rest @ ..] => 1 + encoded_length(rest).unwrap_or(0),
        [b'$', b'$', b'{', ..] | [b'%', b'%', b'{', ..] => 3,
        [b'$', b'$', ..] | [b'%', b'%', ..] => 2,
        _ => 1,
    }
}
