//! The possible readings of a position in a string: its character, and the characters that languages and formats encode
//! there.
//!
//! An escape is decoded at every position where it may begin, and the result is decoded again: `\u0026amp;quot;` is a
//! quotation mark, escaped for markup twice and for JSON once. No order of encodings is assumed, and the actual
//! character is always one of the readings, so that a false escape cannot conceal it.

use super::entities;

/// A character, or [`RAW`] plus a byte that does not belong to a character.
pub(super) type Symbol = u32;

/// The offset of bytes that do not belong to a character: the first number after all characters.
pub(super) const RAW: Symbol = 0x11_0000;

/// A symbol, and where it ends.
pub(super) type Reading = (Symbol, usize);

/// The maximum number of nested encodings.
const MOST_LAYERS: usize = 8;

/// The character that really is at a place before the end.
pub(super) fn plain(text: &[u8], at: usize) -> Reading {
    let first = text[at];
    let length = match first {
        0..=0x7f => return (first.into(), at + 1),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return (RAW + Symbol::from(first), at + 1),
    };
    match text.get(at..at + length).and_then(|bytes| std::str::from_utf8(bytes).ok()) {
        Some(character) => (character.chars().next().map_or(0, Symbol::from), at + length),
        None => (RAW + Symbol::from(first), at + 1),
    }
}

/// Calls back with all readings at a position, beginning with the actual character.
///
/// `exact` also decodes quotation marks that are doubled or escaped.
pub(super) fn each(text: &[u8], at: usize, exact: bool, mut found: impl FnMut(Reading)) {
    let mut reading = plain(text, at);
    found(reading);
    if exact {
        quoted(text, reading, &mut found);
    }
    for _ in 0..MOST_LAYERS {
        match escaped(text, reading, exact) {
            Some(next) => reading = next,
            None => return,
        }
        found(reading);
    }
}

/// The reading at a place in which most is decoded.
pub(super) fn deepest(text: &[u8], at: usize) -> Reading {
    let mut last = plain(text, at);
    each(text, at, false, |reading| last = reading);
    last
}

/// Decodes an escape that begins with this character.
fn escaped(text: &[u8], (symbol, end): Reading, exact: bool) -> Option<Reading> {
    match u8::try_from(symbol).ok()? {
        b'\\' => backslash(text, end, exact),
        b'%' => percent(text, end),
        b'&' => entities::entity(text, end),
        b'`' => control(*text.get(end)?).map(|symbol| (symbol, end + 1)),
        _ => None,
    }
}

/// Marks of quotation within themselves: doubled, escaped by PowerShell's and batch files' own marks, and by shells'
/// `'\''`; and the space of forms.
fn quoted(text: &[u8], (symbol, end): Reading, found: &mut impl FnMut(Reading)) {
    let Ok(mark) = u8::try_from(symbol) else { return };
    let after = text.get(end).copied();
    match mark {
        b'\'' | b'"' => {
            let other = if mark == b'"' { "'\"'" } else { "\"'\"" };
            for within in ["\\'", "\\\\'", other] {
                let whole = [within.as_bytes(), &[mark]].concat();
                if text[end..].starts_with(&whole) {
                    found((if within == other { mark.into() } else { Symbol::from(b'\'') }, end + whole.len()));
                }
            }
        }
        b'`' | b'^' => {
            if let Some(next) = after.filter(|next| next.is_ascii_punctuation() || *next == b' ') {
                found((next.into(), end + 1));
            }
        }
        b'+' => found((b' '.into(), end)),
        // `\_` is a kind of space in YAML, and an underscore elsewhere.
        b'\\' if after == Some(b'_') => found((b'_'.into(), end + 1)),
        _ => {}
    }
    if after == Some(mark) && matches!(mark, b'\'' | b'"' | b'$' | b'%') {
        found((mark.into(), end + 1));
    }
}

/// Returns the control character or kind of space of a letter after a backslash, in any language.
fn control(letter: u8) -> Option<Symbol> {
    Some(match letter {
        b'0' => 0,
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'e' | b'E' => 0x1b,
        b's' => 0x20,
        b'N' => 0x85,
        b'_' => 0xa0,
        b'L' => 0x2028,
        b'P' => 0x2029,
        _ => return None,
    })
}

fn backslash(text: &[u8], at: usize, exact: bool) -> Option<Reading> {
    let letter = *text.get(at)?;
    let after = at + 1;
    let number = match letter {
        b'x' => match braced(text, after) {
            Some(reading) => return Some(reading),
            None => hexadecimal(text, after, 2),
        },
        b'u' => match braced(text, after) {
            Some(reading) => return Some(reading),
            None => return Some(joined(text, hexadecimal(text, after, 4)?)),
        },
        b'U' => return hexadecimal(text, after, 8).filter(|(symbol, _)| *symbol < RAW),
        b'0'..=b'7' => octal(text, at),
        _ => None,
    };
    match number {
        Some(reading) if reading.0 < 0x100 => Some(byte(text, reading)),
        _ => match control(letter) {
            Some(symbol) => Some((symbol, after)),
            None if exact && (letter.is_ascii_punctuation() || letter == b' ') => Some((letter.into(), after)),
            None => None,
        },
    }
}

fn percent(text: &[u8], at: usize) -> Option<Reading> {
    match text.get(at)? {
        b'u' => Some(joined(text, hexadecimal(text, at + 1, 4)?)),
        _ => Some(byte(text, hexadecimal(text, at, 2)?)),
    }
}

fn braced(text: &[u8], at: usize) -> Option<Reading> {
    if text.get(at) != Some(&b'{') {
        return None;
    }
    let digits = text[at + 1..].iter().take(8).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let (symbol, end) = hexadecimal(text, at + 1, digits)?;
    (digits > 0 && symbol < RAW && text.get(end) == Some(&b'}')).then_some((symbol, end + 1))
}

fn hexadecimal(text: &[u8], at: usize, digits: usize) -> Option<Reading> {
    let digits_there = text.get(at..at + digits)?;
    let symbol =
        digits_there.iter().try_fold(0, |number: u32, digit| Some((number << 4) | char::from(*digit).to_digit(16)?))?;
    Some((symbol, at + digits))
}

fn octal(text: &[u8], at: usize) -> Option<Reading> {
    let digits = text.get(at..at + 3)?;
    let symbol = digits.iter().try_fold(0, |number: u32, digit| Some(number * 8 + char::from(*digit).to_digit(8)?))?;
    Some((symbol, at + 3))
}

/// Joins a high surrogate with the low surrogate that follows it, if there is one.
fn joined(text: &[u8], (symbol, end): Reading) -> Reading {
    if !(0xd800..0xdc00).contains(&symbol) {
        return (symbol, end);
    }
    let mut at = end;
    // The backslash of the second half may be escaped itself.
    while text.get(at) == Some(&b'\\') && at < end + MOST_LAYERS {
        at += 1;
    }
    let second = match (at > end, text.get(at)) {
        (true, Some(b'u')) => hexadecimal(text, at + 1, 4),
        _ => text.get(end..end + 2).filter(|sign| *sign == b"%u").and_then(|_| hexadecimal(text, end + 2, 4)),
    };
    match second {
        Some((low, end)) if (0xdc00..0xe000).contains(&low) => {
            (0x1_0000 + ((symbol - 0xd800) << 10) + (low - 0xdc00), end)
        }
        _ => (symbol, end),
    }
}

/// Returns the character that a byte begins if its other bytes are escaped as well; otherwise the character with the
/// byte's number.
fn byte(text: &[u8], (first, end): Reading) -> Reading {
    let length = match first {
        0..=0x7f => return (first, end),
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => return (first, end),
    };
    let mut bytes = [0; 4];
    bytes[0] = u8::try_from(first).unwrap_or(0);
    let mut at = end;
    for byte in bytes.iter_mut().take(length).skip(1) {
        let Some((next, after)) = continuation(text, at) else { return (first, end) };
        (*byte, at) = (next, after);
    }
    match std::str::from_utf8(&bytes[..length]).ok().and_then(|text| text.chars().next()) {
        Some(character) => (character.into(), at),
        None => (first, end),
    }
}

/// An escaped byte within a character.
fn continuation(text: &[u8], at: usize) -> Option<(u8, usize)> {
    let mut reading = (*text.get(at)?).into();
    let mut end = at + 1;
    for _ in 0..MOST_LAYERS {
        let next = match u8::try_from(reading).ok()? {
            b'%' => hexadecimal(text, end, 2)?,
            b'\\' => match text.get(end)? {
                b'\\' => (b'\\'.into(), end + 1),
                b'x' => hexadecimal(text, end + 1, 2)?,
                _ => octal(text, end)?,
            },
            b'&' => entities::entity(text, end)?,
            _ => return None,
        };
        if (0x80..0xc0).contains(&next.0) {
            return Some((u8::try_from(next.0).ok()?, next.1));
        }
        (reading, end) = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Symbol> {
        let mut all = Vec::new();
        each(text.as_bytes(), 0, true, |(symbol, end)| {
            if end == text.len() {
                all.push(symbol);
            }
        });
        all
    }

    #[test]
    fn every_language_s_escapes_are_read() {
        for (text, character) in [
            ("\\u0041", 'A'),
            ("\\u00E9", 'é'),
            ("\\u{41}", 'A'),
            ("\\x41", 'A'),
            ("\\x{1f600}", '😀'),
            ("\\101", 'A'),
            ("\\U0001F600", '😀'),
            ("\\ud83d\\ude00", '😀'),
            ("\\\\ud83d\\\\ude00", '😀'),
            ("%41", 'A'),
            ("%2541", 'A'),
            ("%25252541", 'A'),
            ("%C3%a9", 'é'),
            ("%25C3%25A9", 'é'),
            ("\\xc3\\xa9", 'é'),
            ("\\303\\251", 'é'),
            ("%u00e9", 'é'),
            ("&amp;", '&'),
            ("&amp;amp;lt;", '<'),
            ("\\u0026lt;", '<'),
            ("%26%2360%3B", '<'),
            ("&#60;", '<'),
            ("&#x3C;", '<'),
            ("&eacute;", 'é'),
            ("\\n", '\n'),
            ("\\_", '\u{a0}'),
            ("\\P", '\u{2029}'),
            ("%5Cu0041", 'A'),
            ("`n", '\n'),
            ("`$", '$'),
            ("^&", '&'),
            ("''", '\''),
            ("'\\''", '\''),
            ("'\"'\"'", '\''),
            ("%%", '%'),
            ("\\/", '/'),
            ("+", ' '),
        ] {
            // Some have their backslashes read one by one.
            let text = if text.starts_with("\\\\") { &text[1..] } else { text };
            assert!(read(text).contains(&character.into()), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn other_characters_after_a_backslash_are_literal() {
        for text in ["\\u00", "%4", "&nope;", "&#;", "&#x110000;", "\\U00110000", "%zz", "\\x4"] {
            let mut count = 0;
            each(text.as_bytes(), 0, false, |_| count += 1);
            assert_eq!(count, 1, "{text}");
        }
        assert_eq!(plain(b"\xff", 0), (RAW + 0xff, 1));
        assert_eq!(plain("é".as_bytes(), 0), ('é'.into(), 2));
    }
}
