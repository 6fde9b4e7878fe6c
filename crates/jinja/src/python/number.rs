//! Numbers: conversions from values and strings.

use minijinja::Value;
use num_bigint::BigInt;

use super::{Kind, kind, type_name};
use crate::error::{Result, error};

/// A number of Python; booleans are integers.
#[derive(Clone, Debug)]
pub enum Number {
    /// An integer.
    Int(BigInt),
    /// A float.
    Float(f64),
}

impl Number {
    /// Returns the nearest float, or infinity if the number is too large.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Int(number) => to_f64(number),
            Number::Float(number) => *number,
        }
    }
}

/// Returns the nearest float, or infinity if the number is too large.
pub fn to_f64(number: &BigInt) -> f64 {
    // The standard library parses decimal integers with correct rounding.
    i64::try_from(number).map_or_else(|_| number.to_string().parse().unwrap_or(f64::INFINITY), |small| small as f64)
}

/// Returns the value as a number, or `None` for other types.
pub fn number(value: &Value) -> Result<Option<Number>> {
    Ok(match kind(value)? {
        Kind::Bool(truth) => Some(Number::Int(u8::from(truth).into())),
        Kind::Int(number) => Some(Number::Int(number)),
        Kind::Float(number) => Some(Number::Float(number)),
        Kind::Missing(missing) => {
            missing.defined()?;
            None
        }
        _ => None,
    })
}

/// Returns a finite float as a fraction in lowest terms: `as_integer_ratio`.
pub fn fraction(real: f64) -> Result<(BigInt, BigInt)> {
    if real.is_nan() {
        return Err(error("cannot convert NaN to integer ratio"));
    }
    if real.is_infinite() {
        return Err(error("cannot convert Infinity to integer ratio"));
    }
    let (mut top, mut exponent) = parts(real);
    while top != 0 && top % 2 == 0 {
        top /= 2;
        exponent += 1;
    }
    let power = |by: i32| BigInt::from(1) << by.unsigned_abs();
    Ok(match exponent {
        _ if top == 0 => (BigInt::ZERO, BigInt::from(1)),
        exponent if exponent >= 0 => (BigInt::from(top) * power(exponent), BigInt::from(1)),
        exponent => (BigInt::from(top), power(exponent)),
    })
}

/// A finite float as an integer and the power of two that it is multiplied with.
fn parts(real: f64) -> (i64, i32) {
    let bits = real.to_bits();
    let sign = if bits >> 63 == 0 { 1 } else { -1 };
    let exponent = i32::try_from((bits >> 52) & 0x7ff).unwrap_or(0);
    let fraction = i64::try_from(bits & ((1 << 52) - 1)).unwrap_or(0);
    match exponent {
        0 => (sign * fraction, -1074),
        _ => (sign * (fraction | 1 << 52), exponent - 1075),
    }
}

/// Returns the value as an index or a count.
pub fn index(value: &Value) -> Result<i64> {
    if let Some(number) = super::kind::small(value) {
        return Ok(number.clamp(i64::MIN / 4, i64::MAX / 4));
    }
    match number(value)? {
        // An index beyond the range is beyond any end.
        Some(Number::Int(number)) => {
            let limit = if number < BigInt::ZERO { i64::MIN / 4 } else { i64::MAX / 4 };
            Ok(i64::try_from(&number).unwrap_or(limit).clamp(i64::MIN / 4, i64::MAX / 4))
        }
        _ => Err(error(format!("'{}' object cannot be interpreted as an integer", type_name(value)))),
    }
}

/// Returns `int(number)`: the integral part of a float.
pub fn truncated(number: f64) -> Result<BigInt> {
    if number.is_nan() {
        return Err(error("cannot convert float NaN to integer"));
    }
    if number.is_infinite() {
        return Err(error("cannot convert float infinity to integer"));
    }
    hieratic_python_values::truncated(number).ok_or_else(|| error("cannot convert float to integer"))
}
