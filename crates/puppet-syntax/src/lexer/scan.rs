//! Fast scans for the length of a run of equal bytes.

use super::is_word;

/// Returns the number of leading spaces.
pub(super) fn spaces(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte != b' ').unwrap_or(text.len())
}

/// Returns the number of leading ASCII letters, digits and underscores.
pub(super) fn word(text: &[u8]) -> usize {
    text.iter().position(|byte| !is_word(*byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_byte_at_any_place_ends_the_right_token() {
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
