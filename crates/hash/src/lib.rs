//! Hash tables for keys that an attacker may choose, under the names of the crate `rustc-hash`, which they replace
//! everywhere here.
//!
//! The hash of `rustc-hash` is the fastest for addresses and small numbers. For texts and numbers that come out of files it can be
//! turned round: whoever writes a repository can make as many keys as he likes that all have the same hash, and 40,000 of them
//! (1.7 MB) kept a lookup busy for a minute. So texts, and numbers of 64 bits, go through SipHash, for which nobody knows how
//! to find such keys.
//!
//! The key of SipHash is the same in every process, so that tables have the same order every time and the same input gives the
//! same answer. Keys that share a part of their hash can be searched for, then; what that costs grows with every key, and what
//! it does is little.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, DefaultHasher, Hasher};

/// A map without an order.
pub type FxHashMap<K, V> = HashMap<K, V, FxBuildHasher>;

/// A set without an order.
pub type FxHashSet<T> = HashSet<T, FxBuildHasher>;

/// Makes hashers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FxBuildHasher;

impl BuildHasher for FxBuildHasher {
    type Hasher = FxHasher;

    fn build_hasher(&self) -> FxHasher {
        FxHasher::default()
    }
}

/// Hashes texts and numbers of 64 bits so that nobody can choose what they collide with, and all else as fast as can be.
///
/// ```
/// use std::hash::BuildHasher;
/// let hash = |text: &str| hieratic_hash::FxBuildHasher.hash_one(text);
/// assert_eq!(hash("key"), hash("key"));
/// assert_ne!(hash("key"), hash("kez"));
/// ```
#[derive(Clone, Default)]
pub struct FxHasher(rustc_hash::FxHasher);

impl std::fmt::Debug for FxHasher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FxHasher")
    }
}

impl Hasher for FxHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut text = DefaultHasher::new();
        text.write(bytes);
        self.0.write_u64(text.finish());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_ne_bytes());
    }

    fn write_i64(&mut self, number: i64) {
        self.write(&number.to_ne_bytes());
    }

    fn write_u128(&mut self, number: u128) {
        self.write(&number.to_ne_bytes());
    }

    fn write_i128(&mut self, number: i128) {
        self.write(&number.to_ne_bytes());
    }

    fn write_u8(&mut self, number: u8) {
        self.0.write_u8(number);
    }

    fn write_u16(&mut self, number: u16) {
        self.0.write_u16(number);
    }

    fn write_u32(&mut self, number: u32) {
        self.0.write_u32(number);
    }

    fn write_usize(&mut self, number: usize) {
        self.0.write_usize(number);
    }

    fn finish(&self) -> u64 {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of 32 letters that all have the same hash in `rustc-hash`: their last eight letters undo what the first sixteen do.
    fn colliding(count: usize) -> Vec<String> {
        // The constants of that crate.
        const SEED: u64 = 0x243f_6a88_85a3_08d3;
        const MORE: u64 = 0xa409_3822_299f_31d0;
        const TARGET: u64 = u64::from_ne_bytes(*b"AAAAAAAA");
        let mixed = |one: u64, two: u64| {
            let product = u128::from(one) * u128::from(two);
            (product as u64) ^ ((product >> 64) as u64)
        };
        let text = |number: u64| {
            let first = format!("{number:08x}");
            let word = |letters: &str| u64::from_le_bytes(letters.as_bytes().try_into().unwrap());
            let last = (TARGET ^ mixed(SEED ^ word(&first), MORE ^ word("yyyyyyyy"))).to_le_bytes();
            let last = std::str::from_utf8(&last).ok().filter(|last| last.bytes().all(|c| c.is_ascii_graphic()))?;
            Some(format!("{first}yyyyyyyyaaaaaaaa{last}"))
        };
        (0..).filter_map(text).take(count).collect()
    }

    #[test]
    fn texts_that_were_made_to_collide_do_not() {
        let texts = colliding(200);
        let with = |hash: &dyn Fn(&String) -> u64| texts.iter().map(hash).collect::<HashSet<u64>>().len();
        // If this is more than one, the crate has another hash, and the texts prove nothing any more.
        assert_eq!(with(&|text| rustc_hash::FxBuildHasher.hash_one(text)), 1);
        assert_eq!(with(&|text| FxBuildHasher.hash_one(text)), 200);
    }

    #[test]
    fn numbers_spread_over_the_places_of_a_table() {
        // Multiples of a high power of two differ in high bits only; a product moves none of them down.
        let numbers = (0..1_000u64).map(|n| n << 50);
        let low: HashSet<u64> = numbers.map(|number| FxBuildHasher.hash_one(number) & 0xffff).collect();
        assert!(low.len() > 900, "{}", low.len());
    }
}
