//! Arithmetic of points in time and durations: <https://docs.python.org/3/library/datetime.html#timedelta-objects>.

use minijinja::Value;
use num_bigint::BigInt;

use super::arithmetic::{Operator, floored, quotient};
use super::number::{Number, fraction, number};
use super::{Kind, kind};
use crate::error::{Result, error};
use crate::objects::{Timedelta, Tuple};

/// Applies an operator to points in time and durations. Returns `None` if the operands do not support it.
pub fn apply(operator: Operator, left: &Value, right: &Value) -> Result<Option<Value>> {
    if left.as_object().is_none() && right.as_object().is_none() {
        return Ok(None);
    }
    let result = match (operator, kind(left)?, kind(right)?) {
        (Operator::Subtract, Kind::Datetime(one), Kind::Datetime(other)) => one.since(*other),
        (Operator::Subtract, Kind::Datetime(one), Kind::Timedelta(other)) => {
            one.plus(-other.microseconds).map(Value::from_object)
        }
        (Operator::Add, Kind::Datetime(one), Kind::Timedelta(other))
        | (Operator::Add, Kind::Timedelta(other), Kind::Datetime(one)) => {
            one.plus(other.microseconds).map(Value::from_object)
        }
        (operator, Kind::Timedelta(one), Kind::Timedelta(other)) => return of_two(operator, *one, *other),
        (operator, Kind::Timedelta(one), _) => return with_number(operator, *one, right),
        (Operator::Multiply, _, Kind::Timedelta(other)) => return with_number(Operator::Multiply, *other, left),
        _ => return Ok(None),
    };
    result.map(Some)
}

fn of_two(operator: Operator, one: Timedelta, other: Timedelta) -> Result<Option<Value>> {
    let (left, right) = (BigInt::from(one.microseconds), BigInt::from(other.microseconds));
    let is_division = matches!(operator, Operator::Divide | Operator::FloorDivide | Operator::Modulo);
    if is_division && right == BigInt::ZERO {
        return Err(error("integer division or modulo by zero"));
    }
    match operator {
        Operator::Add => Timedelta::checked(&(left + right)).map(Some),
        Operator::Subtract => Timedelta::checked(&(left - right)).map(Some),
        Operator::Divide => quotient(&left, &right).map(|quotient| Some(Value::from(quotient))),
        Operator::FloorDivide => Ok(Some(crate::objects::Big::value(&floored(&left, &right).0))),
        Operator::Modulo => Timedelta::checked(&floored(&left, &right).1).map(Some),
        Operator::Multiply | Operator::Power => Ok(None),
    }
}

fn with_number(operator: Operator, length: Timedelta, other: &Value) -> Result<Option<Value>> {
    let length = BigInt::from(length.microseconds);
    let by_zero = || error("integer division or modulo by zero");
    let result = match (operator, number(other)?) {
        (Operator::Multiply, Some(Number::Int(times))) => length * times,
        (Operator::Multiply, Some(Number::Float(times))) => {
            let (top, below) = fraction(times)?;
            nearest(&(length * top), &below)
        }
        (Operator::Divide, Some(Number::Int(by))) if by == BigInt::ZERO => return Err(by_zero()),
        (Operator::Divide, Some(Number::Float(0.0))) => return Err(by_zero()),
        (Operator::Divide, Some(Number::Int(by))) => nearest(&length, &by),
        (Operator::Divide, Some(Number::Float(by))) => {
            let (top, below) = fraction(by)?;
            nearest(&(length * below), &top)
        }
        (Operator::FloorDivide, Some(Number::Int(by))) if by == BigInt::ZERO => return Err(by_zero()),
        (Operator::FloorDivide, Some(Number::Int(by))) => floored(&length, &by).0,
        _ => return Ok(None),
    };
    Timedelta::checked(&result).map(Some)
}

/// The integer nearest to a quotient; halves are rounded to the even one.
fn nearest(top: &BigInt, below: &BigInt) -> BigInt {
    let (quotient, rest) = floored(top, below);
    // The remainder has the sign of the divisor.
    let double = BigInt::from(rest.magnitude() * 2u8);
    let order = double.cmp(&BigInt::from(below.magnitude().clone()));
    if order.is_gt() || order.is_eq() && quotient.bit(0) { quotient + 1 } else { quotient }
}

/// Returns the integral quotient and the remainder of two durations.
pub fn divided(left: &Value, right: &Value) -> Result<Option<Value>> {
    let whole = apply(Operator::FloorDivide, left, right)?;
    let rest = apply(Operator::Modulo, left, right)?;
    Ok(whole.zip(rest).map(|(whole, rest)| Tuple::value(vec![whole, rest])))
}

/// Evaluates `-value` and `+value` for a duration.
pub fn unary(sign: char, value: &Value) -> Result<Option<Value>> {
    let Kind::Timedelta(length) = kind(value)? else { return Ok(None) };
    let length = BigInt::from(length.microseconds);
    Timedelta::checked(&if sign == '-' { -length } else { length }).map(Some)
}

/// Evaluates `abs(value)` for a duration.
pub fn absolute(value: &Value) -> Result<Option<Value>> {
    let Kind::Timedelta(length) = kind(value)? else { return Ok(None) };
    Timedelta::checked(&BigInt::from(length.microseconds.unsigned_abs())).map(Some)
}

/// Returns the duration in seconds.
pub fn total_seconds(length: Timedelta) -> Result<Value> {
    quotient(&BigInt::from(length.microseconds), &BigInt::from(crate::objects::SECOND)).map(Value::from)
}
