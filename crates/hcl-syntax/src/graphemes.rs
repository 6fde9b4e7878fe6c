//! Grapheme clusters as the reference counts them.
//!
//! These are those of Unicode 15.0 (<https://www.unicode.org/reports/tr29/tr29-41.html>) but for two things: the replacement
//! character stands alone, and a joiner behind an emoji joins the next one whatever is between. Later versions of the
//! standard also join the letters of Indic conjuncts; here they are taken apart again.

use unicode_segmentation::UnicodeSegmentation;

use crate::scanner::encoded_length;

/// A character that nothing joins, for bytes that are none.
const ALONE: char = '\u{1}';
/// The zero-width joiner.
const JOINER: char = '\u{200D}';

/// The number of clusters. A byte that is no UTF-8 is a cluster of its own.
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
    let text = readable(bytes);
    let mut count = 0;
    let mut joining = false;
    for cluster in text.graphemes(true) {
        let pictures = cluster.chars().find(|letter| !is_prepended(*letter)).is_some_and(is_pictograph);
        if !(joining && cluster.chars().next().is_some_and(is_pictograph)) {
            count += 1 + conjunct_letters(cluster);
        }
        joining = pictures && cluster.ends_with(JOINER);
    }
    count
}

/// The text with stand-ins for what is not UTF-8.
fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let valid = rest.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        text.extend(valid.chars().map(|letter| if letter == char::REPLACEMENT_CHARACTER { ALONE } else { letter }));
        rest = rest.get(valid.len()..).unwrap_or_default();
        let length = encoded_length(rest).unwrap_or(1).min(rest.len());
        if length > 0 {
            // What only looks like UTF-8 is a letter to the reference.
            text.push(if length > 1 { 'x' } else { ALONE });
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    text
}

/// How many letters of a cluster begin one of their own by the older rules.
fn conjunct_letters(cluster: &str) -> u32 {
    let letters = cluster.chars().skip(1).zip(cluster.chars());
    letters.filter(|(letter, before)| is_conjunct_letter(*letter) && !is_prepended(*before)).count() as u32
}

/// Whether a letter is of one of the scripts whose conjuncts are joined, and no sign.
fn is_conjunct_letter(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1A20}'..='\u{1AAF}'
        | '\u{1B00}'..='\u{1BBF}' | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}' | '\u{10A00}'..='\u{10A3F}'
        | '\u{11000}'..='\u{11FFF}')
        && letter.is_alphabetic()
        && !are_joined(['a', letter])
}

/// Whether a letter is a picture: two of them are joined by a joiner.
fn is_pictograph(letter: char) -> bool {
    letter as u32 > 0xA0 && are_joined(['👩', JOINER, letter]) && !are_joined(['a', letter])
}

/// Whether a letter joins the one behind it.
pub(crate) fn is_prepended(letter: char) -> bool {
    !letter.is_ascii() && are_joined([letter, 'a'])
}

fn are_joined<const N: usize>(letters: [char; N]) -> bool {
    letters.iter().collect::<String>().graphemes(true).count() == 1
}

#[cfg(test)]
mod tests {
    use super::grapheme_count;

    #[test]
    fn clusters_are_counted_as_the_reference_counts_them() {
        let cases: [(&[u8], u32); 9] = [
            (b"abc\r\n\n", 5),
            ("e\u{301}".as_bytes(), 1),
            ("👩‍👩‍👧".as_bytes(), 1),
            ("👩\u{200D}\u{200D}👧".as_bytes(), 1),
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
