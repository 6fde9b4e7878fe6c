//! Columns in grapheme clusters, for bytes that need not be UTF-8.

use hieratic_source::graphemes;

use crate::scanner::encoded_length;

/// Replaces a byte that is not UTF-8 by a character that never joins a cluster.
const ALONE: char = '\u{1}';

/// Counts grapheme clusters. A byte that is not UTF-8 is a separate cluster.
///
/// ```
/// use hieratic_hcl_syntax::grapheme_count;
///
/// assert_eq!(grapheme_count("a\u{301}🇬🇧\r\n".as_bytes()), 3);
/// ```
pub fn grapheme_count(bytes: &[u8]) -> u32 {
    if bytes.is_ascii() {
        let pairs = memchr::memmem::find_iter(bytes, b"\r\n").count();
        return (bytes.len() - pairs) as u32;
    }
    graphemes(&readable(bytes)).count() as u32
}

/// Decodes the bytes, with replacement characters for those that are not UTF-8.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        text.extend(valid.chars().map(|letter| if letter == char::REPLACEMENT_CHARACTER { ALONE } else { letter }));
        rest = rest.get(valid.len()..).unwrap_or_default();
        let length = encoded_length(rest).unwrap_or(1).min(rest.len());
        if length > 0 {
            // The reference treats malformed sequences that resemble UTF-8 as letters.
            text.push(if length > 1 { 'x' } else { ALONE });
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grapheme_count;

    #[test]
    fn clusters_are_counted_as_the_reference_counts_them() {
        let cases: [(&[u8], u32); 11] = [
            (b"abc\r\n\n", 5),
            ("e\u{301}".as_bytes(), 1),
            ("👩‍👩‍👧".as_bytes(), 1),
            ("👩\u{200D}\u{200D}👧".as_bytes(), 1),
            ("갽\u{200D}🚝".as_bytes(), 1),
            ("a\u{200D}🚝".as_bytes(), 2),
            ("क्ष".as_bytes(), 2),
            ("\u{600}a".as_bytes(), 1),
            ("\u{FFFD}\u{301}".as_bytes(), 2),
            (b"a\xFF\xCC\x81", 3),
            (b"\xED\xA0\x80\xCC\x81", 1),
        ];
        for (text, count) in cases {
            assert_eq!(grapheme_count(text), count, "{text:?}");
        }
    }
}
