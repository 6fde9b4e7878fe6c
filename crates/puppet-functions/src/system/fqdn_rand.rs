//! [`fqdn_rand`](https://www.puppet.com/docs/puppet/8/function.html#fqdn-rand): a number that is random but always the same
//! for one node.

use hieratic_value::{Hash, Value};
use rand_mt::Mt;

use crate::collections::joined;
use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome, ruby};

use super::digests::{Algorithm, hexdigest};
use super::legacy;

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "fqdn_rand",
    Doc::new("A pseudorandom number, the same each time for a node.").example("fqdn_rand(60, 'cron')"),
    &[Dispatch::untyped(fqdn_rand)],
)];

fn fqdn_rand(call: &mut Call<'_>) -> Outcome {
    let arguments = legacy::arguments(call, "fqdn_rand", -2)?;
    let max = match &arguments[0] {
        Value::Integer(max) => Value::Integer(*max),
        Value::Float(max) => ruby::to_integer(*max).ok_or_else(|| EvalError::new(Value::Float(*max).inspect()))?,
        Value::String(text) => ruby::to_i(text),
        other => return Err(EvalError::new(ruby::undefined_method("to_i", other)).into()),
    };
    let facts = call.host.variable("facts")?;
    let networking = facts.as_ref().and_then(Value::as_hash).and_then(|facts| facts.get("networking"));
    let name = networking.and_then(Value::as_hash).and_then(|networking: &Hash| networking.get("fqdn"));
    let mut name = name.cloned().unwrap_or_default();
    if arguments.get(2).is_some_and(Value::is_truthy) {
        name = Value::from(name.to_text().to_lowercase());
    }
    let initial = arguments.get(1).cloned().unwrap_or_default();
    let seed = joined(&[name, max.clone(), initial], ":");
    match max {
        Value::Integer(max) if max > 0 => {
            let number = Random::new(&hexdigest(Algorithm::Md5, seed.as_bytes())).below(max.unsigned_abs());
            // A number below a 63-bit limit fits into 63 bits.
            Ok(Value::Integer(i64::try_from(number).unwrap_or(i64::MAX)))
        }
        max => Err(EvalError::new(format!("invalid argument - {}", max.inspect())).into()),
    }
}

/// Ruby's `Random`: the Mersenne Twister with Ruby's treatment of seeds and limits.
pub struct Random(Mt);

impl Random {
    /// Creates a generator from a seed in hexadecimal digits.
    ///
    /// ```
    /// use hieratic_puppet_functions::Random;
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

    /// Returns the next number below the limit, or zero if the limit is zero.
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
}
