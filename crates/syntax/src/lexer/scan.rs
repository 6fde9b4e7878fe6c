//! How many bytes of a kind a text begins with, found eight at a time: how long words and indentations are no processor can
//! foresee, and to be wrong at the end of each costs it more than the reading.

use super::is_word;

/// A byte in each of the eight places.
const fn each(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The highest bit of each byte.
const HIGH: u64 = each(0x80);

/// How many spaces a text begins with.
#[inline]
pub(super) fn spaces(text: &[u8]) -> usize {
    leading(text, |eight| not_zero((eight ^ each(b' ')) & !HIGH) | eight, |byte| byte == b' ')
}

/// How many letters, digits and underscores a text begins with; all in ASCII.
#[inline]
pub(super) fn word(text: &[u8]) -> usize {
    leading(
        text,
        |eight| {
            let low = eight & !HIGH;
            let letter = within(low | each(0x20), b'a', b'z');
            let digit = within(low, b'0', b'9');
            !(letter | digit | !not_zero(low ^ each(b'_'))) | eight
        },
        is_word,
    )
}

/// How many bytes of a kind a text begins with. `others` sets the highest bit of each byte of eight that is not of it.
#[inline(always)]
fn leading(text: &[u8], others: impl Fn(u64) -> u64, is_one: impl Fn(u8) -> bool) -> usize {
    let mut length = 0;
    let mut rest = text;
    while let Some((eight, behind)) = rest.split_first_chunk::<8>() {
        let others = others(u64::from_le_bytes(*eight)) & HIGH;
        if others != 0 {
            return length + others.trailing_zeros() as usize / 8;
        }
        length += 8;
        rest = behind;
    }
    length + rest.iter().position(|byte| !is_one(*byte)).unwrap_or(rest.len())
}

/// Sets the highest bit of each byte that is not zero. In none it may be set before.
#[inline(always)]
fn not_zero(bytes: u64) -> u64 {
    bytes + each(0x7f)
}

/// Sets the highest bit of each byte from one to another. In none it may be set before.
#[inline(always)]
fn within(bytes: u64, first: u8, last: u8) -> u64 {
    (bytes + each(0x80 - first)) & !(bytes + each(0x7f - last))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_byte_at_any_place_ends_what_it_should() {
        for length in 0..20 {
            for byte in 0..=255u8 {
                let mut text = vec![b'x'; length];
                text.extend([byte; 9]);
                let expected = if is_word(byte) { length + 9 } else { length };
                assert_eq!(word(&text), expected, "{length} {byte}");
                let mut text = vec![b' '; length];
                text.extend([byte; 9]);
                let expected = if byte == b' ' { length + 9 } else { length };
                assert_eq!(spaces(&text), expected, "{length} {byte}");
            }
        }
    }
}
