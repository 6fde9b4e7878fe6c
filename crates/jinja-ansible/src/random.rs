//! Python's random number generator, the Mersenne Twister, so that equal seeds give equal numbers:
//! <https://docs.python.org/3/library/random.html>.

use hieratic_jinja::extend::python::{Kind, kind};
use hieratic_jinja::extend::{Result, Value, error};
use num_bigint::{BigInt, Sign};
use rand_mt::Mt;
use sha2::Digest;

/// A random number generator that gives the numbers of Python's `random.Random`.
pub struct Random(Mt);

impl Random {
    /// Creates the generator of `random.Random(seed)`.
    pub fn seeded(seed: &Value) -> Result<Random> {
        let number = match kind(seed)? {
            Kind::Bool(truth) => BigInt::from(u8::from(truth)),
            Kind::Int(number) => number,
            Kind::Float(number) => BigInt::from(float_hash(number)),
            Kind::Str(text) => number_from_bytes(text.as_bytes()),
            Kind::Bytes(bytes) => number_from_bytes(bytes),
            _ => return Err(error("The only supported seed types are: None, int, float, str, bytes, and bytearray.")),
        };
        Ok(Random::of_words(&number.magnitude().to_u32_digits()))
    }

    /// Creates a generator with an unpredictable seed.
    pub fn unseeded() -> Random {
        Random::of_words(&[fastrand::u32(..), fastrand::u32(..), fastrand::u32(..), fastrand::u32(..)])
    }

    fn of_words(words: &[u32]) -> Random {
        let key = if words.is_empty() { &[0][..] } else { words };
        Random(Mt::new_with_key(key.iter().copied()))
    }

    fn next(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// `getrandbits` of at most 64 bits.
    fn bits(&mut self, count: u32) -> u64 {
        match count {
            0 => 0,
            1..=32 => u64::from(self.next() >> (32 - count)),
            _ => {
                let low = u64::from(self.next());
                low | u64::from(self.next() >> (64 - count)) << 32
            }
        }
    }

    /// Returns a random number below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let count = u64::BITS - limit.leading_zeros();
        loop {
            let number = self.bits(count);
            // At least every second number qualifies.
            if number < limit || limit == 0 {
                return number;
            }
        }
    }

    /// Returns a random index into a list of this length, which is not 0.
    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(u64::try_from(length).unwrap_or(u64::MAX))).unwrap_or(0)
    }

    /// Shuffles a list as `random.shuffle` does.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for at in (1..items.len()).rev() {
            let other = self.index(at + 1);
            items.swap(at, other);
        }
    }
}

/// Converts bytes to a seed.
fn number_from_bytes(bytes: &[u8]) -> BigInt {
    let digest = sha2::Sha512::digest(bytes);
    BigInt::from_bytes_be(Sign::Plus, &[bytes, &digest[..]].concat())
}

/// Returns the hash of a float, which is used as an unsigned seed.
fn float_hash(number: f64) -> u64 {
    const PRIME: u128 = (1 << 61) - 1;
    if number.is_nan() {
        return 0;
    }
    if number.is_infinite() {
        return if number > 0.0 { 314_159 } else { (-314_159i64) as u64 };
    }
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, u128::from(bits & ((1 << 52) - 1)));
    let (mantissa, exponent) = match i64::try_from(exponent).unwrap_or(0) {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << 52, exponent - 1075),
    };
    // Two to the 61 is one.
    let shift = u32::try_from(exponent.rem_euclid(61)).unwrap_or(0);
    let hash = ((mantissa % PRIME) << shift) % PRIME;
    let hash = i64::try_from(hash).unwrap_or(0);
    let hash = if number < 0.0 { -hash } else { hash };
    (if hash == -1 { -2 } else { hash }) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(seed: Value) -> Vec<u32> {
        let mut random = Random::seeded(&seed).expect("a seed");
        (0..3).map(|_| random.next()).collect()
    }

    #[test]
    fn numbers_are_those_of_python() {
        assert_eq!(numbers(Value::from(0)), [3_626_764_237, 1_654_615_998, 3_255_389_356]);
        assert_eq!(numbers(Value::from(1)), numbers(Value::from(-1)));
        assert_eq!(numbers(Value::from(1)), [577_090_037, 2_444_712_010, 3_639_700_191]);
        let mut items = [1, 2, 3, 4, 5];
        Random::seeded(&Value::from("x")).expect("a seed").shuffle(&mut items);
        assert_eq!(items, [5, 2, 1, 4, 3]);
    }
}
