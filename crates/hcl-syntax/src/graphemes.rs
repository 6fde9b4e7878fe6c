//! Grapheme clusters, as Unicode 15.0 has them, which the reference keeps to.
//!
//! Later versions of the standard join the letters of Indic conjuncts; these are taken apart again
//! (<https://www.unicode.org/reports/tr29/#GB9c>).

use unicode_segmentation::UnicodeSegmentation;

/// The number of clusters. A byte that is no UTF-8 is a character of its own.
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
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
    }
    text.graphemes(true).map(|cluster| 1 + conjunct_letters(cluster)).sum()
}

/// How many letters of a cluster begin one of their own by the older rules.
fn conjunct_letters(cluster: &str) -> u32 {
    if cluster.is_ascii() {
        return 0;
    }
    let mut letters = cluster.chars();
    let mut before = letters.next();
    let mut count = 0;
    for letter in letters {
        if is_indic_consonant(letter) && !before.is_some_and(is_prepended) {
            count += 1;
        }
        before = Some(letter);
    }
    count
}

/// Whether a letter is a consonant of one of the scripts whose conjuncts are joined: of these, all but signs.
fn is_indic_consonant(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1A20}'..='\u{1AAF}'
        | '\u{1B00}'..='\u{1BBF}' | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}' | '\u{10A00}'..='\u{10A3F}'
        | '\u{11000}'..='\u{11FFF}')
        && letter.is_alphabetic()
        && !joins(letter)
}

/// Whether a letter joins the one before it.
fn joins(letter: char) -> bool {
    let mut pair = String::from("a");
    pair.push(letter);
    pair.graphemes(true).count() == 1
}

/// Whether a letter joins the one behind it.
pub(crate) fn is_prepended(letter: char) -> bool {
    let mut pair = String::from(letter);
    pair.push('a');
    !letter.is_ascii() && pair.graphemes(true).count() == 1
}
