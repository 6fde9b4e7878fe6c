//! Numbers, compared exactly: integers of any size and floats.

use std::cmp::Ordering;

use hieratic_python_values::compare_with_float;
use hieratic_value::{Rich, Value};
use num_bigint::BigInt;

/// Returns whether a value is a number. Booleans are not.
pub(super) fn is_number(value: &Value) -> bool {
    is_whole(value) || matches!(value, Value::Float(_))
}

/// Returns whether a value is an integer, or a float without a fraction.
pub(super) fn is_integer(value: &Value) -> bool {
    match value {
        Value::Float(number) => number.is_finite() && number.fract() == 0.0,
        _ => is_whole(value),
    }
}

fn is_whole(value: &Value) -> bool {
    match value {
        Value::Integer(_) => true,
        Value::Rich(rich) => matches!(&**rich, Rich::BigInteger(_)),
        _ => false,
    }
}

/// Compares two numbers; `None` if one of them is not a number.
pub(super) fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        // Puppet does not have integers of that size, so its comparison does not support them with floats.
        (Value::Rich(rich), Value::Float(float)) => match &**rich {
            Rich::BigInteger(integer) => compare_with_float(integer, *float),
            _ => None,
        },
        (Value::Float(_), Value::Rich(_)) => compare(other, one).map(Ordering::reverse),
        _ if is_number(one) && is_number(other) => one.compare(other),
        _ => None,
    }
}

/// Returns whether a number is a multiple of another one: exactly for integers; for a float as the step, by the quotient
/// of floats.
pub(super) fn is_multiple(number: &Value, step: &Value) -> bool {
    if let (Some(number), Value::Float(step)) = (float(number), step) {
        let quotient = number / step;
        if quotient.is_finite() || quotient.is_nan() {
            return quotient.fract() == 0.0;
        }
    }
    let (Some(number), Some(step)) = (Exact::from_value(number), Exact::from_value(step)) else { return false };
    let [number, step] = aligned(number, step);
    step != BigInt::ZERO && number % step == BigInt::ZERO
}

/// Converts a number to a float, if a double is large enough.
fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        Value::Rich(rich) => match &**rich {
            Rich::BigInteger(number) => number.to_string().parse().ok().filter(|number: &f64| number.is_finite()),
            _ => None,
        },
        _ => None,
    }
}

/// A finite number: an integer times a power of two.
struct Exact {
    mantissa: BigInt,
    exponent: i32,
}

impl Exact {
    fn from_value(value: &Value) -> Option<Exact> {
        let (mantissa, exponent) = match value {
            Value::Integer(number) => (BigInt::from(*number), 0),
            Value::Float(number) if number.is_finite() => {
                let bits = number.to_bits();
                let (fraction, exponent) = (bits & ((1 << 52) - 1), (bits >> 52 & 0x7ff) as i32);
                // Subnormal numbers do not have an implicit leading bit.
                let (mantissa, exponent) = if exponent == 0 { (fraction, 1) } else { (fraction | 1 << 52, exponent) };
                let mantissa = BigInt::from(mantissa);
                (if number.is_sign_negative() { -mantissa } else { mantissa }, exponent - 1075)
            }
            Value::Rich(rich) => match &**rich {
                Rich::BigInteger(number) => (number.clone(), 0),
                _ => return None,
            },
            _ => return None,
        };
        Some(Exact { mantissa, exponent })
    }
}

/// The mantissas of two numbers, with one exponent.
fn aligned(one: Exact, other: Exact) -> [BigInt; 2] {
    let least = one.exponent.min(other.exponent);
    [one, other].map(|number| number.mantissa << (number.exponent - least))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn big(text: &str) -> Value {
        Value::from(Rich::BigInteger(text.parse().expect("digits")))
    }

    #[test]
    fn integers_and_floats_are_compared_exactly() {
        let float = |number: f64| Value::Float(number);
        assert_eq!(
            compare(&Value::from(9_007_199_254_740_993_i64), &float(9_007_199_254_740_992.0)),
            Some(Ordering::Greater)
        );
        assert_eq!(compare(&Value::from(1), &float(1.0)), Some(Ordering::Equal));
        assert_eq!(compare(&big("123456789012345678901234567890"), &float(1e30)), Some(Ordering::Less));
        assert_eq!(
            compare(&big("-123456789012345678901234567890"), &float(f64::NEG_INFINITY)),
            Some(Ordering::Greater)
        );
        assert_eq!(compare(&float(f64::INFINITY), &Value::from(3)), Some(Ordering::Greater));
        assert_eq!(compare(&float(f64::NAN), &Value::from(3)), None);
        assert_eq!(compare(&float(-0.0), &Value::from(0)), Some(Ordering::Equal));
        assert_eq!(compare(&Value::from(true), &Value::from(1)), None);
    }

    #[test]
    fn multiples() {
        assert!(is_multiple(&Value::from(9), &Value::from(3)) && !is_multiple(&Value::from(9), &Value::from(2)));
        assert!(
            is_multiple(&Value::Float(4.5), &Value::Float(1.5)) && !is_multiple(&Value::Float(0.3), &Value::Float(0.1))
        );
        // The quotient overflows.
        assert!(
            is_multiple(&Value::Float(1e308), &Value::Float(0.5))
                && !is_multiple(&Value::Float(1e308), &Value::Float(0.123))
        );
        assert!(is_multiple(&Value::Float(6.0), &Value::from(3)) && !is_multiple(&Value::Float(6.5), &Value::from(3)));
        assert!(is_multiple(&big("300000000000000000000000000003"), &Value::from(3)));
        assert!(!is_multiple(&Value::Float(f64::INFINITY), &Value::from(3)));
    }
}
