//! Grapheme clusters: characters as a reader sees them.
//!
//! These are those of Unicode 15.0 (<https://www.unicode.org/reports/tr29/tr29-41.html>) as the reference reads them,
//! with two differences: the replacement character is always a cluster, and a joiner after an emoji, a flag or a
//! Hangul syllable joins the next emoji even if characters are in between. Later versions of the standard also join the
//! letters of Indic conjuncts; here they are separate.

use std::iter::Peekable;

use unicode_segmentation::UnicodeSegmentation;

/// The zero-width joiner.
const JOINER: char = '\u{200D}';

/// Returns the grapheme clusters of a string. HCL counts in them: `strlen`, `substr`, the widths of `format`, columns.
///
/// ```
/// let clusters: Vec<&str> = hieratic_source::graphemes("e\u{301}🇬🇧\r\n").collect();
/// assert_eq!(clusters, ["e\u{301}", "🇬🇧", "\r\n"]);
/// ```
pub fn graphemes(text: &str) -> impl Iterator<Item = &str> {
    Clusters { rest: text, parts: text.graphemes(true).flat_map(Conjunct).peekable() }
}

/// Clusters that a joiner makes one of several, joined.
struct Clusters<'t, I: Iterator<Item = &'t str>> {
    rest: &'t str,
    parts: Peekable<I>,
}

impl<'t, I: Iterator<Item = &'t str>> Iterator for Clusters<'t, I> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let first = self.parts.next()?;
        let mut length = first.len();
        let takes = || first.chars().find(|letter| !is_prepended(*letter)).is_some_and(takes_pictographs);
        if first.ends_with(JOINER) && takes() {
            let mut last = first;
            while last.ends_with(JOINER) {
                let joined = self.parts.next_if(|next| next.chars().next().is_some_and(is_pictograph));
                let Some(next) = joined else { break };
                length += next.len();
                last = next;
            }
        }
        // The parts are those of the text, in order.
        let (cluster, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(cluster)
    }
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
                let is_replaced = [before, letter].contains(&char::REPLACEMENT_CHARACTER);
                if is_replaced || (is_conjunct_letter(letter) && !is_prepended(before)) {
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

/// Returns whether a letter, not a sign, is in one of the scripts whose conjuncts are joined.
fn is_conjunct_letter(letter: char) -> bool {
    matches!(letter, '\u{900}'..='\u{DFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{1A20}'..='\u{1AAF}'
        | '\u{1B00}'..='\u{1BBF}' | '\u{A980}'..='\u{A9DF}' | '\u{AA60}'..='\u{AA7F}' | '\u{10A00}'..='\u{10A3F}'
        | '\u{11000}'..='\u{11FFF}')
        && letter.is_alphabetic()
        && !are_joined(['a', letter])
}

/// Returns whether a cluster that begins with the letter continues with a pictograph after a joiner.
fn takes_pictographs(letter: char) -> bool {
    matches!(letter, '\u{1100}'..='\u{11FF}' | '\u{A960}'..='\u{A97C}' | '\u{AC00}'..='\u{D7A3}' | '\u{D7B0}'..='\u{D7FB}'
        | '\u{1F1E6}'..='\u{1F1FF}')
        || is_pictograph(letter)
}

/// Returns whether a letter is a pictograph: a joiner joins two of them.
fn is_pictograph(letter: char) -> bool {
    let code = letter as u32;
    let at = PICTOGRAPHS.partition_point(|(_, last)| *last < code);
    PICTOGRAPHS.get(at).is_some_and(|(first, _)| *first <= code)
}

/// `Extended_Pictographic` of Unicode 15, as ranges (<https://www.unicode.org/Public/15.0.0/ucd/emoji/emoji-data.txt>).
#[rustfmt::skip]
static PICTOGRAPHS: [(u32, u32); 78] = [
    (0xA9, 0xA9), (0xAE, 0xAE), (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139),
    (0x2194, 0x2199), (0x21A9, 0x21AA), (0x231A, 0x231B), (0x2328, 0x2328), (0x2388, 0x2388), (0x23CF, 0x23CF),
    (0x23E9, 0x23F3), (0x23F8, 0x23FA), (0x24C2, 0x24C2), (0x25AA, 0x25AB), (0x25B6, 0x25B6), (0x25C0, 0x25C0),
    (0x25FB, 0x25FE), (0x2600, 0x2605), (0x2607, 0x2612), (0x2614, 0x2685), (0x2690, 0x2705), (0x2708, 0x2712),
    (0x2714, 0x2714), (0x2716, 0x2716), (0x271D, 0x271D), (0x2721, 0x2721), (0x2728, 0x2728), (0x2733, 0x2734),
    (0x2744, 0x2744), (0x2747, 0x2747), (0x274C, 0x274C), (0x274E, 0x274E), (0x2753, 0x2755), (0x2757, 0x2757),
    (0x2763, 0x2767), (0x2795, 0x2797), (0x27A1, 0x27A1), (0x27B0, 0x27B0), (0x27BF, 0x27BF), (0x2934, 0x2935),
    (0x2B05, 0x2B07), (0x2B1B, 0x2B1C), (0x2B50, 0x2B50), (0x2B55, 0x2B55), (0x3030, 0x3030), (0x303D, 0x303D),
    (0x3297, 0x3297), (0x3299, 0x3299), (0x1F000, 0x1F0FF), (0x1F10D, 0x1F10F), (0x1F12F, 0x1F12F),
    (0x1F16C, 0x1F171), (0x1F17E, 0x1F17F), (0x1F18E, 0x1F18E), (0x1F191, 0x1F19A), (0x1F1AD, 0x1F1E5),
    (0x1F201, 0x1F20F), (0x1F21A, 0x1F21A), (0x1F22F, 0x1F22F), (0x1F232, 0x1F23A), (0x1F23C, 0x1F23F),
    (0x1F249, 0x1F3FA), (0x1F400, 0x1F53D), (0x1F546, 0x1F64F), (0x1F680, 0x1F6FF), (0x1F774, 0x1F77F),
    (0x1F7D5, 0x1F7FF), (0x1F80C, 0x1F80F), (0x1F848, 0x1F84F), (0x1F85A, 0x1F85F), (0x1F888, 0x1F88F),
    (0x1F8AE, 0x1F8FF), (0x1F90C, 0x1F93A), (0x1F93C, 0x1F945), (0x1F947, 0x1FAFF), (0x1FC00, 0x1FFFD),
];

/// Returns whether a character joins the next one: `Prepend` of Unicode 15
/// (<https://www.unicode.org/Public/15.0.0/ucd/auxiliary/GraphemeBreakProperty.txt>).
pub fn is_prepended(letter: char) -> bool {
    matches!(letter, '\u{600}'..='\u{605}' | '\u{6DD}' | '\u{70F}' | '\u{890}' | '\u{891}' | '\u{8E2}' | '\u{D4E}'
        | '\u{110BD}' | '\u{110CD}' | '\u{111C2}' | '\u{111C3}' | '\u{1193F}' | '\u{11941}' | '\u{11A3A}'
        | '\u{11A84}'..='\u{11A89}' | '\u{11D46}' | '\u{11F02}')
}

fn are_joined<const N: usize>(letters: [char; N]) -> bool {
    letters.iter().collect::<String>().graphemes(true).count() == 1
}

#[cfg(test)]
mod tests {
    use super::graphemes;

    #[test]
    fn clusters_are_those_of_the_reference() {
        for (text, clusters) in [
            ("e\u{301}", vec!["e\u{301}"]),
            ("👩‍👩‍👧!", vec!["👩‍👩‍👧", "!"]),
            ("👩\u{200D}\u{200D}👧", vec!["👩\u{200D}\u{200D}👧"]),
            ("a\u{200D}👩", vec!["a\u{200D}", "👩"]),
            ("갽\u{200D}🚝", vec!["갽\u{200D}🚝"]),
            ("क्ष", vec!["क्", "ष"]),
            ("\u{600}a", vec!["\u{600}a"]),
            ("\u{FFFD}\u{301}", vec!["\u{FFFD}", "\u{301}"]),
            ("", vec![]),
        ] {
            assert_eq!(graphemes(text).collect::<Vec<_>>(), clusters, "{text:?}");
        }
    }
}
