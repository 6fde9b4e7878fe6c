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
    /// Returns the nearest float; infinity if the number is too large.
    pub fn to_f64(&self) -> f64 {
        match self {
            Number::Int(number) => to_f64(number),
            Number::Float(number) => *number,
        }
    }
}

/// Returns the nearest float; infinity if the number is too large.
pub fn to_f64(number: &BigInt) -> f64 {
    // The standard library parses decimal integers with correct rounding.
    i64::try_from(number).map_or_else(|_| number.to_string().parse().unwrap_or(f64::INFINITY), |small| small as f64)
}

/// Returns the value as a number, if it is one.
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

/// The value as an index or a count.
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
