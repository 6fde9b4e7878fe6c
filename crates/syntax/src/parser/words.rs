//! [`Words`]: a small interner for the words of a source text. A word is only shared with recent ones.

use hieratic_value::Str;

/// The number of cached words: a power of two.
const REMEMBERED: usize = 64;

/// The maximum length of a cached word in bytes. Longer ones are rarely repeated.
const LONGEST: usize = 32;

/// The words that came last. Most names and many strings of a manifest come several times; to share one costs less than
/// to make another.
pub(super) struct Words {
    /// Each word has one place, which it may lose to another.
    places: [Option<Str>; REMEMBERED],
}

impl Words {
    pub fn new() -> Words {
        Words { places: [const { None }; REMEMBERED] }
    }

    /// A word, made unless it is remembered.
    pub fn share(&mut self, word: &str) -> Str {
        if word.len() > LONGEST {
            return Str::from(word);
        }
        let place = &mut self.places[place(word.as_bytes())];
        match place {
            Some(known) if **known == *word => known.clone(),
            _ => place.insert(Str::from(word)).clone(),
        }
    }
}

/// Returns the slot of a word: its first and last letters and its length distinguish most words of a source text.
fn place(word: &[u8]) -> usize {
    let (first, last) = match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (word.first_chunk::<4>(), word.last_chunk::<4>()) {
            (Some(first), Some(last)) => (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()),
            _ => (word.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)), 0),
        },
    };
    // The multiplier spreads what differs anywhere over the highest bits.
    let mixed = (first ^ last.rotate_left(29) ^ word.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - REMEMBERED.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_itself_whether_it_is_remembered_or_not() {
        let mut words = Words::new();
        for round in 0..3 {
            for number in 0..1000 {
                let word = "ab\u{e9}".repeat(number % 13) + &number.to_string();
                assert_eq!(&*words.share(&word), word, "{round}");
            }
            assert_eq!(&*words.share(""), "");
        }
        assert!(Str::ptr_eq(&words.share("ensure"), &words.share("ensure")));
    }
}
