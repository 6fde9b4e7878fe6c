//! Grapheme clusters: what a reader takes for one character.
//!
//! The reference keeps to Unicode 15.0. Later versions of the standard join the letters of Indic conjuncts
//! (<https://www.unicode.org/reports/tr29/#GB9c>); these are taken apart again. What stands for a character that could not
//! be read joins nothing.

use unicode_segmentation::UnicodeSegmentation;

/// The grapheme clusters of a text, by which the language counts: `strlen`, `substr`, widths of `format`.
///
/// ```
/// let clusters: Vec<&str> = hieratic_cty::graphemes("e\u{301}🇬🇧\r\n").collect();
/// assert_eq!(clusters, ["e\u{301}", "🇬🇧", "\r\n"]);
/// ```
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    text.graphemes(true).flat_map(Conjunct)
}

/// A cluster by the later rules, given out in those of the older ones.
struct Conjunct<'t>(&'t str);

impl<'t> Iterator for Conjunct<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let Conjunct(cluster) = *self;
        let mut letters = cluster.char_indices();
        let mut before = letters.next()?.1;
        if !cluster.is_ascii() {
            for (at, letter) in letters {
                let replaced = [before, letter].contains(&char::REPLACEMENT_CHARACTER);
                if replaced || (is_indic_consonant(letter) && !is_prepended(before)) {
                    let (first, rest) = cluster.split_at(at);
                    self.0 = rest;
                    return Some(first);
                }
                before = letter;
            }
        }
        self.0 = "";
        Some(cluster)
    }
}

/// Whether a letter is a consonant of one of the scripts whose conjuncts are joined: of these, all but signs.
fn is_indic_consonant(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1A20}'..='\u{1AAF}'
        | '\u{1B00}'..='\u{1BBF}' | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}' | '\u{10A00}'..='\u{10A3F}'
        | '\u{11000}'..='\u{11FFF}')
        && letter.is_alphabetic()
        && !joins(['a', letter])
}

/// Whether a letter joins the one behind it.
fn is_prepended(letter: char) -> bool {
    !letter.is_ascii() && joins([letter, 'a'])
}

fn joins(pair: [char; 2]) -> bool {
    pair.iter().collect::<String>().graphemes(true).count() == 1
}
