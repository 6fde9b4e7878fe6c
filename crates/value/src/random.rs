//! Ruby's [`Random`](https://docs.ruby-lang.org/en/3.1/Random.html): functions of Puppet and Ruby code use it, and
//! equal seeds must give equal numbers.

use rand_mt::Mt;

/// A generator: the Mersenne Twister with Ruby's treatment of seeds and limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Random(Mt);

impl Random {
    /// Creates a generator from a seed in hexadecimal digits.
    ///
    /// ```
    /// use hieratic_value::random::Random;
    /// // Random.new(0x10f).rand(1000) in Ruby
    /// assert_eq!(Random::new("10f").below(1000), 873);
    /// ```
    pub fn new(hexadecimal: &str) -> Random {
        let digits = hexadecimal.trim_start_matches('0').as_bytes();
        // The 32-bit words of the seed, the lowest first.
        let word = |digits: &[u8]| {
            let nibble = |digit: &u8| char::from(*digit).to_digit(16).unwrap_or(0);
            digits.iter().fold(0u32, |word, digit| word << 4 | nibble(digit))
        };
        let mut words: Vec<u32> = digits.rchunks(8).map(word).collect();
        // Ruby treats a highest word of one as padding, and drops it.
        if words.len() > 1 && words.last() == Some(&1) {
            words.pop();
        }
        Random(match words[..] {
            [] => Mt::new(0),
            [word] => Mt::new(word),
            _ => Mt::new_with_key(words),
        })
    }

    /// Returns the next integer in `0..limit`, or 0 if the limit is 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        let Some(last) = limit.checked_sub(1).filter(|last| *last > 0) else { return 0 };
        let mask = u64::MAX >> last.leading_zeros();
        'again: loop {
            let mut number = 0;
            for shift in [32, 0] {
                if (mask >> shift) & 0xffff_ffff != 0 {
                    number |= u64::from(self.0.next_u32()) << shift;
                    number &= mask;
                    if number > last {
                        continue 'again;
                    }
                }
            }
            return number;
        }
    }

    /// Returns the next float in `0.0..1.0`.
    ///
    /// ```
    /// use hieratic_value::random::Random;
    /// // Random.new(42).rand in Ruby
    /// assert_eq!(Random::new("2a").fraction(), 0.3745401188473625);
    /// ```
    pub fn fraction(&mut self) -> f64 {
        let (high, low) = (self.0.next_u32() >> 5, self.0.next_u32() >> 6);
        (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0
    }

    /// Returns the next float in `0.0..=1.0`, as Ruby does for a range that includes its end.
    pub fn closed_fraction(&mut self) -> f64 {
        let (high, low) = (self.0.next_u32(), self.0.next_u32());
        let spread = (1_u128 << 53) | 1;
        let number = ((u128::from(high) << 32 | u128::from(low)) * spread) >> 64;
        // 54 bits at most, of which the highest is alone if it is set.
        number as f64 / 9_007_199_254_740_992.0
    }

    /// Fills a slice with random bytes.
    ///
    /// ```
    /// use hieratic_value::random::Random;
    /// // Random.new(42).bytes(3) in Ruby
    /// let mut bytes = [0; 3];
    /// Random::new("2a").fill(&mut bytes);
    /// assert_eq!(bytes, [0x66, 0xdc, 0xe1]);
    /// ```
    pub fn fill(&mut self, bytes: &mut [u8]) {
        for word in bytes.chunks_mut(4) {
            let number = self.0.next_u32().to_le_bytes();
            word.copy_from_slice(&number[..word.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_floats_end_as_in_ruby() {
        // Random.new(42).rand(1.0..2.0), and with 1.0...2.0
        assert_eq!(Random::new("2a").closed_fraction() + 1.0, 1.3745401144950984);
        assert_eq!(Random::new("2a").fraction() + 1.0, 1.3745401188473625);
    }
}
