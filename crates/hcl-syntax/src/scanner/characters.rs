//! The length of characters, and the characters of names.

use super::identifier_table::{CONTINUE, START};

/// Returns the length of a character by its bit pattern. As in the reference, sequences that resemble UTF-8 count even
/// if the standard forbids them. `None` if the bytes have no such pattern.
pub(crate) fn encoded_length(bytes: &[u8]) -> Option<usize> {
    let length = match *bytes.first()? {
        0x00..=0x7F => return Some(1),
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return None,
    };
    let rest = bytes.get(1..length)?;
    rest.iter().all(|byte| (0x80..0xC0).contains(byte)).then_some(length)
}

/// The ASCII bytes that can continue a name.
static IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        let character = byte as u8;
        table[byte] = character.is_ascii_alphanumeric() || character == b'_' || character == b'-';
        byte += 1;
    }
    table
};

/// The length in bytes of the name at the start; 0 if the bytes do not begin with a name.
pub(crate) fn identifier_length(bytes: &[u8]) -> usize {
    let mut length = match bytes.first() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => 1,
        Some(0x80..) => match character(bytes) {
            Some((character, length)) if is_in(&START, character) => length,
            _ => return 0,
        },
        _ => return 0,
    };
    loop {
        while bytes.get(length).is_some_and(|byte| IN_NAME[*byte as usize]) {
            length += 1;
        }
        match bytes.get(length) {
            Some(0x80..) => match character(&bytes[length..]) {
                Some((character, more)) if is_in(&START, character) || is_in(&CONTINUE, character) => length += more,
                _ => return length,
            },
            _ => return length,
        }
    }
}

fn character(bytes: &[u8]) -> Option<(char, usize)> {
    let length = encoded_length(bytes)?;
    let character = std::str::from_utf8(bytes.get(..length)?).ok()?.chars().next()?;
    Some((character, length))
}

fn is_in(ranges: &[(u32, u32)], character: char) -> bool {
    let code = character as u32;
    let at = ranges.partition_point(|(_, last)| *last < code);
    ranges.get(at).is_some_and(|(first, _)| *first <= code)
}
