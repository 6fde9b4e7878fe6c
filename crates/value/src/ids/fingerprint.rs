//! [`Fingerprint`]: 128 bits that identify a value.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A hash of 128 bits. Values with equal fingerprints can be treated as equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(u128);

impl Fingerprint {
    /// Returns the fingerprint of a value. It is the same in every process of one version of Hieratic, but may change
    /// between versions.
    pub fn new(value: &(impl Hash + ?Sized)) -> Fingerprint {
        Fingerprint(u128::from(salted_hash(0, value)) << 64 | u128::from(salted_hash(1, value)))
    }

    /// Returns the higher and the lower 64 bits.
    pub fn halves(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }
}

fn salted_hash(salt: u8, value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    salt.hash(&mut hasher);
    value.hash(&mut hasher);
    hasher.finish()
}

impl fmt::Display for Fingerprint {
    /// 32 hexadecimal digits.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:032x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Fingerprint({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_has_two_independent_halves() {
        let [one, two] = ["a", "b"].map(Fingerprint::new);
        assert_eq!(one, Fingerprint::new(&"a"));
        let [[high, low], others] = [one, two].map(Fingerprint::halves);
        assert!(high != low && high != others[0] && low != others[1]);
        assert_eq!(one.to_string(), format!("{high:016x}{low:016x}"));
    }
}
