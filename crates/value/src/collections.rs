//! Hash maps and sets for keys that an attacker may choose.
//!
//! FxHash, the hash of `rustc-hash`, is the fastest for addresses and small numbers, but it is invertible: the author
//! of a repository can generate any number of colliding keys (hash flooding). With 40,000 of them (1.7 MB), a lookup
//! took a minute. Strings and integers of 64 bits therefore go through SipHash, for which no such method is known.
//!
//! The key of SipHash is the same in every process: tables have the same order every time, and the same input gives the
//! same answer. An attacker could search for partial collisions. The search costs more with every key and gains little.

use std::hash::{BuildHasher, DefaultHasher, Hasher};

/// A hash map whose iteration order depends only on its keys and the order of their insertion.
pub type HashMap<K, V> = std::collections::HashMap<K, V, FixedState>;

/// A hash set whose iteration order depends only on its elements and the order of their insertion.
pub type HashSet<T> = std::collections::HashSet<T, FixedState>;

/// Builds a [`FixedHasher`] with the same key in every process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FixedState;

impl BuildHasher for FixedState {
    type Hasher = FixedHasher;

    fn build_hasher(&self) -> FixedHasher {
        FixedHasher::default()
    }
}

/// Hashes strings and 64-bit integers with SipHash, and smaller integers with FxHash.
///
/// ```
/// use std::hash::BuildHasher;
/// let hash = |text: &str| hieratic_value::collections::FixedState.hash_one(text);
/// assert_eq!(hash("key"), hash("key"));
/// assert_ne!(hash("key"), hash("kez"));
/// ```
#[derive(Clone, Default)]
pub struct FixedHasher(rustc_hash::FxHasher);

impl std::fmt::Debug for FixedHasher {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("FixedHasher")
    }
}

impl Hasher for FixedHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut strong = DefaultHasher::new();
        strong.write(bytes);
        self.0.write_u64(strong.finish());
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

    /// Strings of 32 letters with equal hashes in `rustc-hash`: their last eight letters cancel the first sixteen.
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
    fn strings_that_collide_in_fxhash_do_not_collide() {
        let texts = colliding(200);
        let with = |hash: &dyn Fn(&String) -> u64| texts.iter().map(hash).collect::<HashSet<u64>>().len();
        // If this fails, the crate has another hash, and the strings prove nothing.
        assert_eq!(with(&|text| rustc_hash::FxBuildHasher.hash_one(text)), 1);
        assert_eq!(with(&|text| FixedState.hash_one(text)), 200);
    }

    #[test]
    fn numbers_spread_over_the_places_of_a_table() {
        // Multiples of a high power of two differ in high bits only; a product moves none of them down.
        let numbers = (0..1_000u64).map(|n| n << 50);
        let low: HashSet<u64> = numbers.map(|number| FixedState.hash_one(number) & 0xffff).collect();
        assert!(low.len() > 900, "{}", low.len());
    }
}
