//! The patterns of a secret: its parts in plain form and in encodings that change every character.
//!
//! Escapes are not forms: the search [decodes](super::decoders) them in place.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::normalize;
use super::trie::Pattern;

/// The minimum length of a searched string. Shorter ones occur everywhere: redacting them would redact everything, and
/// reveal them.
pub(super) const MIN_LENGTH: usize = 4;

/// The minimum number of compared bytes. Fewer, with ignored characters between them, occur at random.
const MIN_COMPARED_BYTES: usize = 8;

/// The patterns by normalized characters, and exact ones.
#[derive(Default)]
pub(super) struct SecretVariants {
    pub(super) loose: Vec<Pattern>,
    pub(super) exact: Vec<Pattern>,
}

impl SecretVariants {
    /// Adds the forms of a secret and of its lines, if they are long enough to be searched for.
    pub(super) fn add(&mut self, text: &str) {
        let lines = text.lines().map(str::trim).filter(|line| *line != text);
        for part in std::iter::once(text).chain(lines) {
            if part.len() >= MIN_LENGTH {
                self.add_part(part);
            }
        }
        if text.trim() != text && text.trim().len() >= MIN_LENGTH {
            self.add_part(text.trim());
        }
    }

    fn add_part(&mut self, text: &str) {
        self.add_form(text);
        self.add_form(&text.chars().rev().collect::<String>());
        self.add_form(&hexadecimal(text));
        // The base 64 form within another text depends on the offset of its start.
        for before in 0..3 {
            let bytes: Vec<u8> = std::iter::repeat_n(0, before).chain(text.bytes()).collect();
            // The digits that contain no bits of the surrounding bytes.
            let (start, end) = ((before * 4).div_ceil(3), bytes.len() * 4 / 3);
            for encoded in [STANDARD_NO_PAD.encode(&bytes), URL_SAFE_NO_PAD.encode(&bytes)] {
                // The last digit is whole if nothing follows.
                for form in [encoded.get(start..end), encoded.get(start..)].into_iter().flatten() {
                    self.add_form(form);
                }
            }
        }
    }

    fn add_form(&mut self, text: &str) {
        if text.len() < MIN_LENGTH {
            return;
        }
        let loose = pattern(text, normalize::is_compared);
        if loose.bytes.len() >= MIN_COMPARED_BYTES {
            self.loose.push(loose);
        } else {
            let exact = pattern(text, |_| true);
            self.exact.push(Pattern { lead: String::new(), trail: String::new(), ..exact });
        }
    }
}

fn pattern(text: &str, counts: impl Fn(u32) -> bool) -> Pattern {
    let counted = |character: char| counts(character.into());
    let marks = |text: &str| text.chars().filter(|character| normalize::is_mark(*character)).collect();
    let from = text.find(counted).unwrap_or(text.len());
    let to = text.rfind(counted).map_or(text.len(), |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        let symbol = normalize::without_picture(character.into());
        if counts(symbol) {
            normalize::each_byte(symbol, |byte| bytes.push(byte));
        }
    }
    Pattern { bytes, lead: marks(&text[..from]), trail: marks(&text[to..]) }
}

fn hexadecimal(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}
