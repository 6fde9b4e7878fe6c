//! [`WordInterner`]: a small interner for the words of a source text. A word is only shared with recent ones.

use hieratic_value::Str;

/// The number of cached words: a power of two.
const SLOTS: usize = 64;

/// The maximum length of a cached word in bytes. Longer ones are rarely repeated.
const MAX_WORD_LENGTH: usize = 32;

/// The recent words. Most names and many strings of a manifest are repeated; sharing one costs less than
/// allocating another.
pub(super) struct WordInterner {
    /// Each word has one slot, in which another word may replace it.
    slots: [Option<Str>; SLOTS],
}

impl WordInterner {
    pub fn new() -> WordInterner {
        WordInterner { slots: [const { None }; SLOTS] }
    }

    /// Returns the word as a shared string.
    pub fn share(&mut self, word: &str) -> Str {
        if word.len() > MAX_WORD_LENGTH {
            return Str::from(word);
        }
        let place = &mut self.slots[slot_of(word.as_bytes())];
        match place {
            Some(known) if **known == *word => known.clone(),
            _ => place.insert(Str::from(word)).clone(),
        }
    }
}

/// Returns the slot of a word: its first and last letters and its length distinguish most words of a source text.
fn slot_of(word: &[u8]) -> usize {
    let (first, last) = match (word.first_chunk::<8>(), word.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (word.first_chunk::<4>(), word.last_chunk::<4>()) {
            (Some(first), Some(last)) => (u32::from_le_bytes(*first).into(), u32::from_le_bytes(*last).into()),
            _ => (word.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)), 0),
        },
    };
    // The multiplier spreads all differences to the highest bits.
    let mixed = (first ^ last.rotate_left(29) ^ word.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_itself_whether_it_is_remembered_or_not() {
        let mut words = WordInterner::new();
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
