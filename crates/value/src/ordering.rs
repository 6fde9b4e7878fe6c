//! Equality, hashing and order of values, as Ruby has them.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use num_bigint::BigInt;

use crate::{Rich, Value, hash::hash_pairs};

impl PartialEq for Value {
    /// Ruby's `eql?`: kinds must agree, so an integer never equals a float.
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Undef, Value::Undef) => true,
            (Value::Boolean(a), Value::Boolean(b)) => a == b,
            (Value::Integer(a), Value::Integer(b)) => a == b,
            (Value::Float(a), Value::Float(b)) => a == b || a.is_nan() && b.is_nan(),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Array(a), Value::Array(b)) => a == b,
            (Value::Hash(a), Value::Hash(b)) => {
                a.same(b) || a.len() == b.len() && a.iter().all(|(k, v)| b.get_value(k) == Some(v))
            }
            (Value::Rich(a), Value::Rich(b)) => match (&**a, &**b) {
                (Rich::Default, Rich::Default) => true,
                (Rich::Sensitive(a), Rich::Sensitive(b)) => a == b,
                (Rich::Symbol(a), Rich::Symbol(b)) => a == b,
                (Rich::BigInteger(a), Rich::BigInteger(b)) => a == b,
                (Rich::Binary(a), Rich::Binary(b)) => a == b,
                (Rich::Extended(a), Rich::Extended(b)) => a.equals(&**b),
                _ => false,
            },
            _ => false,
        }
    }
}

impl Eq for Value {}

pub(crate) fn hash_text<H: Hasher>(text: &str, state: &mut H) {
    state.write_u8(4);
    text.hash(state);
}

pub(crate) fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Undef => state.write_u8(0),
        Value::Boolean(b) => state.write_u8(1 + u8::from(*b)),
        Value::Integer(i) => {
            state.write_u8(3);
            i.hash(state);
        }
        Value::String(text) => hash_text(text, state),
        Value::Float(f) => {
            state.write_u8(5);
            // Zero equals minus zero, and all NaN are equal.
            let bits = if *f == 0.0 {
                0
            } else if f.is_nan() {
                f64::NAN.to_bits()
            } else {
                f.to_bits()
            };
            bits.hash(state);
        }
        Value::Array(elements) => {
            state.write_u8(6);
            elements.iter().for_each(|element| hash(element, state));
        }
        Value::Hash(pairs) => {
            state.write_u8(7);
            hash_pairs(pairs, state);
        }
        Value::Rich(rich) => match &**rich {
            Rich::Default => state.write_u8(8),
            Rich::Sensitive(inner) => {
                state.write_u8(9);
                hash(inner, state);
            }
            Rich::Symbol(name) => {
                state.write_u8(10);
                name.hash(state);
            }
            Rich::BigInteger(number) => {
                state.write_u8(11);
                number.hash(state);
            }
            Rich::Binary(bytes) => {
                state.write_u8(12);
                bytes.hash(state);
            }
            Rich::Extended(value) => {
                state.write_u8(13);
                value.hash_into(state);
            }
        },
    }
}

impl Value {
    /// Compares as Ruby's `==` does: numbers are equal if their values are, so `1 == 1.0`.
    pub fn loosely_equals(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => {
                self.compare(other) == Some(Ordering::Equal)
            }
            (Value::Array(a), Value::Array(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.loosely_equals(b))
            }
            (Value::Hash(a), Value::Hash(b)) => {
                a.len() == b.len()
                    && a.iter().all(|(key, value)| b.get_value(key).is_some_and(|other| value.loosely_equals(other)))
            }
            (Value::Float(_), _) | (_, Value::Float(_)) => false,
            _ => self == other,
        }
    }

    /// Compares as Ruby's `<=>` does. Returns `None` where Ruby returns `nil`: for values of different types, booleans
    /// and hashes.
    ///
    /// Strings compare by bytes, arrays element by element.
    pub fn compare(&self, other: &Value) -> Option<Ordering> {
        match (self, other) {
            (Value::Integer(a), Value::Integer(b)) => Some(a.cmp(b)),
            (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
            (Value::Integer(a), Value::Float(b)) => compare_integer(*a, *b),
            (Value::Float(a), Value::Integer(b)) => compare_integer(*b, *a).map(Ordering::reverse),
            (Value::String(a), Value::String(b)) => Some(a.as_bytes().cmp(b.as_bytes())),
            (Value::Array(a), Value::Array(b)) => {
                for (a, b) in a.iter().zip(b.iter()) {
                    match a.compare(b)? {
                        Ordering::Equal => {}
                        unequal => return Some(unequal),
                    }
                }
                Some(a.len().cmp(&b.len()))
            }
            (Value::Undef, Value::Undef) => Some(Ordering::Equal),
            (Value::Boolean(a), Value::Boolean(b)) if a == b => Some(Ordering::Equal),
            (Value::Hash(_), Value::Hash(_)) if self == other => Some(Ordering::Equal),
            (Value::Rich(a), Value::Rich(b)) => match (&**a, &**b) {
                (Rich::Symbol(a), Rich::Symbol(b)) => Some(a.cmp(b)),
                (Rich::BigInteger(a), Rich::BigInteger(b)) => Some(a.cmp(b)),
                (Rich::Binary(a), Rich::Binary(b)) => Some(a.cmp(b)),
                (Rich::Extended(a), Rich::Extended(b)) => a.compare(&**b),
                _ => (self == other).then_some(Ordering::Equal),
            },
            (Value::Rich(a), Value::Integer(b)) => match &**a {
                Rich::BigInteger(a) => Some(a.cmp(&BigInt::from(*b))),
                _ => None,
            },
            (Value::Integer(a), Value::Rich(b)) => match &**b {
                Rich::BigInteger(b) => Some(BigInt::from(*a).cmp(b)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Compares without the rounding that a plain cast would bring for large numbers.
fn compare_integer(integer: i64, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Every float outside this range is beyond every integer of 64 bits.
    if float >= 9.3e18 {
        return Some(Ordering::Less);
    }
    if float <= -9.3e18 {
        return Some(Ordering::Greater);
    }
    // In range the whole part fits into 128 bits without loss.
    match i128::from(integer).cmp(&(float.trunc() as i128)) {
        Ordering::Equal => 0.0.partial_cmp(&float.fract()),
        unequal => Some(unequal),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_are_equal_by_worth_only_loosely() {
        assert_ne!(Value::from(1), Value::from(1.0));
        assert!(Value::from(1).loosely_equals(&Value::from(1.0)));
        assert!(!Value::from(1).loosely_equals(&Value::from(1.5)));
        assert_eq!(
            Value::from(9_007_199_254_740_993_i64).compare(&Value::from(9_007_199_254_740_992.0)),
            Some(Ordering::Greater)
        );
    }

    #[test]
    fn booleans_have_no_order() {
        assert_eq!(Value::from(true).compare(&Value::from(false)), None);
        assert_eq!(Value::from("a").compare(&Value::from(1)), None);
    }

    fn hash_of(value: &Value) -> u64 {
        let mut hasher = crate::collections::FixedHasher::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    proptest! {
        #[test]
        fn equal_hashes_have_equal_hash_codes(pairs in proptest::collection::hash_map("[a-e]", 0i64..5, 0..5)) {
            let forward: crate::Hash = pairs.iter().map(|(k, v)| (k.as_str(), Value::from(*v))).collect();
            let mut reversed: Vec<_> = forward.iter().map(|(k, v)| (k.clone(), v.clone())).collect();
            reversed.reverse();
            let backward: crate::Hash = reversed.into_iter().collect();
            let (a, b) = (Value::from(forward), Value::from(backward));
            prop_assert_eq!(hash_of(&a), hash_of(&b));
            prop_assert_eq!(a, b);
        }
    }
}
