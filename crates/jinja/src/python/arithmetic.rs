//! `+ - * / // % **`.

use minijinja::Value;
use num_bigint::BigInt;

use super::kind::{iterate, small, type_name};
use super::number::{Number, index, number, to_f64};
use super::text::LONGEST as LONGEST_TEXT;
use super::{Kind, duration, format, kind};
use crate::error::{Result, error, undefined};
use crate::objects::{Big, List, Tuple};
use crate::work;

/// An operator of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `//`
    FloorDivide,
    /// `%`
    Modulo,
    /// `**`
    Power,
}

/// The largest integer that is computed, in bits.
const MAX_BITS: u64 = 1 << 17;

/// The maximum length of a list that a repetition creates.
const MAX_LIST: usize = 1_000_000;

/// Returns the result if both operands and the result are 64-bit integers, as is usual. `None` otherwise.
pub fn small_result(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    small_integers(operator, small(left)?, small(right)?).map(Value::from)
}

/// Applies an operator.
pub fn apply(operator: Operator, left: &Value, right: &Value) -> Result<Value> {
    if let Some(result) = small_result(operator, left, right) {
        return Ok(result);
    }
    for side in [left, right] {
        if let Kind::Missing(missing) = kind(side)? {
            missing.defined()?;
            return Err(undefined(missing.message()));
        }
    }
    if let (Operator::Modulo, Kind::Str(template)) = (operator, kind(left)?) {
        return format::percent(template, right).map(Value::from);
    }
    if let (Some(left), Some(right)) = (number(left)?, number(right)?) {
        return numbers(operator, left, right);
    }
    if let Some(result) = duration::apply(operator, left, right)? {
        return Ok(result);
    }
    match operator {
        Operator::Add => add(left, right),
        Operator::Multiply => multiply(left, right),
        Operator::Subtract => Err(unsupported("-", left, right)),
        Operator::Divide => Err(unsupported("/", left, right)),
        Operator::FloorDivide => Err(unsupported("//", left, right)),
        Operator::Modulo => Err(unsupported("%", left, right)),
        Operator::Power => Err(unsupported("** or pow()", left, right)),
    }
}

fn unsupported(operator: &str, left: &Value, right: &Value) -> minijinja::Error {
    error(format!("unsupported operand type(s) for {operator}: '{}' and '{}'", type_name(left), type_name(right)))
}

fn add(left: &Value, right: &Value) -> Result<Value> {
    match (kind(left)?, kind(right)?) {
        (Kind::Str(one), Kind::Str(other)) if one.len() + other.len() <= LONGEST_TEXT => {
            work::bytes(one.len() + other.len())?;
            Ok(Value::from([one, other].concat()))
        }
        (Kind::Str(_), Kind::Str(_)) => Err(error("the string is too long")),
        (Kind::Bytes(one), Kind::Bytes(other)) => {
            work::bytes(one.len() + other.len())?;
            Ok(Value::from_bytes([one, other].concat()))
        }
        (Kind::Tuple(one), Kind::Tuple(other)) => {
            work::elements(one.len() + other.len())?;
            Ok(Tuple::value([one, other].concat()))
        }
        (Kind::List, Kind::List) => {
            let mut items = iterate(left)?;
            items.extend(iterate(right)?);
            work::bytes(items.len() * work::ELEMENT)?;
            Ok(List::value(items))
        }
        (Kind::Str(_) | Kind::List | Kind::Tuple(_), _) => {
            let (expected, got) = (type_name(left), type_name(right));
            Err(error(format!("can only concatenate {expected} (not \"{got}\") to {expected}")))
        }
        _ => Err(unsupported("+", left, right)),
    }
}

fn multiply(left: &Value, right: &Value) -> Result<Value> {
    let (sequence, times) = match (kind(left)?, kind(right)?) {
        (_, Kind::Int(_) | Kind::Bool(_)) => (left, right),
        (Kind::Int(_) | Kind::Bool(_), _) => (right, left),
        (Kind::Str(_) | Kind::List | Kind::Tuple(_), _) => {
            let name = type_name(right);
            return Err(error(format!("can't multiply sequence by non-int of type '{name}'")));
        }
        _ => return Err(unsupported("*", left, right)),
    };
    if let Kind::Int(count) = kind(times)?
        && count.bits() > 63
    {
        return Err(error("cannot fit 'int' into an index-sized integer"));
    }
    let times = usize::try_from(index(times)?).unwrap_or(0);
    let too_long = || error("the repeated value is too long");
    let repeated = |items: &[Value]| match items.len().checked_mul(times) {
        Some(length) if length <= MAX_LIST => {
            work::elements(length)?;
            Ok(items.iter().cycle().take(length).cloned().collect::<Vec<Value>>())
        }
        _ => Err(too_long()),
    };
    match kind(sequence)? {
        Kind::Str(text) => match text.len().checked_mul(times) {
            Some(length) if length <= LONGEST_TEXT => {
                work::bytes(length)?;
                Ok(Value::from(text.repeat(times)))
            }
            _ => Err(too_long()),
        },
        Kind::Bytes(bytes) => match bytes.len().checked_mul(times) {
            Some(length) if length <= LONGEST_TEXT => {
                work::bytes(length)?;
                Ok(Value::from_bytes(bytes.repeat(times)))
            }
            _ => Err(too_long()),
        },
        Kind::Tuple(items) => repeated(items).map(Tuple::value),
        Kind::List => repeated(&iterate(sequence)?).map(List::value),
        _ => Err(unsupported("*", left, right)),
    }
}

fn numbers(operator: Operator, left: Number, right: Number) -> Result<Value> {
    match (left, right) {
        (Number::Int(left), Number::Int(right)) => integers(operator, left, right),
        (left, right) => floats(operator, left.to_f64(), right.to_f64()).map(Value::from),
    }
}

/// Returns the result for 64-bit integers, or `None` if it overflows.
pub fn small_integers(operator: Operator, left: i64, right: i64) -> Option<i64> {
    match operator {
        Operator::Add => left.checked_add(right),
        Operator::Subtract => left.checked_sub(right),
        Operator::Multiply => left.checked_mul(right),
        // Rust rounds towards zero and Python down, which is the same for non-negative numbers.
        Operator::FloorDivide if left >= 0 && right > 0 => Some(left / right),
        Operator::Modulo if left >= 0 && right > 0 => Some(left % right),
        _ => None,
    }
}

fn integers(operator: Operator, left: BigInt, right: BigInt) -> Result<Value> {
    let is_zero = right == BigInt::ZERO;
    // Large numbers are multiplied, divided and written in the time of many steps.
    work::scan(usize::try_from(left.bits() + right.bits()).unwrap_or(usize::MAX))?;
    let result = match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply if left.bits() + right.bits() <= MAX_BITS => left * right,
        Operator::Multiply => return Err(error("the integer is too large")),
        Operator::Divide if is_zero => return Err(error("division by zero")),
        Operator::Divide => return quotient(&left, &right).map(Value::from),
        Operator::FloorDivide if is_zero => return Err(error("integer division or modulo by zero")),
        Operator::Modulo if is_zero => return Err(error("integer modulo by zero")),
        Operator::FloorDivide => floored(&left, &right).0,
        Operator::Modulo => floored(&left, &right).1,
        Operator::Power if right < BigInt::ZERO => {
            return floats(operator, to_f64(&left), to_f64(&right)).map(Value::from);
        }
        Operator::Power => match u32::try_from(&right) {
            Ok(exponent) if left.bits().saturating_mul(exponent.into()) <= MAX_BITS => left.pow(exponent),
            _ if left.bits() <= 1 => power_of_unit(&left, &right),
            _ => return Err(error("the integer is too large")),
        },
    };
    Ok(Big::value(&result))
}

/// The float nearest to the quotient of two integers.
pub(super) fn quotient(left: &BigInt, right: &BigInt) -> Result<f64> {
    // Below this, both are floats exactly, and so the division rounds once.
    if left.bits() <= 53 && right.bits() <= 53 {
        return Ok(to_f64(left) / to_f64(right));
    }
    // The quotient has more bits than a float, and its last one is set if there is a remainder.
    let shift = 66 + i64::try_from(right.bits()).unwrap_or(i64::MAX) - i64::try_from(left.bits()).unwrap_or(0);
    let (over, under) = match usize::try_from(shift) {
        Ok(shift) => (left << shift, right.clone()),
        Err(_) => (left.clone(), right << usize::try_from(shift.unsigned_abs()).unwrap_or(0)),
    };
    let mut quotient = &over / &under;
    if (&over % &under) != BigInt::ZERO {
        quotient |= BigInt::from(1);
    }
    let scaled = to_f64(&quotient) * 2f64.powi(i32::try_from(-shift).unwrap_or(i32::MIN + 1));
    if scaled.is_finite() { Ok(scaled) } else { Err(error("integer division result too large for a float")) }
}

/// A power of -1, 0 or 1 with a large exponent.
fn power_of_unit(base: &BigInt, exponent: &BigInt) -> BigInt {
    let even = !exponent.bit(0);
    if *base < BigInt::ZERO && even { -base } else { base.clone() }
}

/// The quotient rounded down, and the remainder with the sign of the divisor.
pub(super) fn floored(left: &BigInt, right: &BigInt) -> (BigInt, BigInt) {
    let (quotient, remainder) = (left / right, left % right);
    let opposite = remainder != BigInt::ZERO && (remainder < BigInt::ZERO) != (*right < BigInt::ZERO);
    if opposite { (quotient - 1, remainder + right) } else { (quotient, remainder) }
}

fn floats(operator: Operator, left: f64, right: f64) -> Result<f64> {
    match operator {
        Operator::Add => Ok(left + right),
        Operator::Subtract => Ok(left - right),
        Operator::Multiply => Ok(left * right),
        Operator::Divide if right == 0.0 => Err(error("float division by zero")),
        Operator::Divide => Ok(left / right),
        Operator::FloorDivide if right == 0.0 => Err(error("float floor division by zero")),
        Operator::Modulo if right == 0.0 => Err(error("float modulo")),
        Operator::FloorDivide => Ok(floored_float(left, right).0),
        Operator::Modulo => Ok(floored_float(left, right).1),
        Operator::Power if left == 0.0 && right < 0.0 => Err(error("0.0 cannot be raised to a negative power")),
        Operator::Power if left < 0.0 && right.fract() != 0.0 && left.is_finite() && right.is_finite() => {
            Err(error("the power is a complex number, which is not supported"))
        }
        Operator::Power => {
            let power = left.powf(right);
            if power.is_infinite() && left.is_finite() && right.is_finite() {
                return Err(error("(34, 'Numerical result out of range')"));
            }
            Ok(power)
        }
    }
}

/// Python's `divmod` of floats.
fn floored_float(left: f64, right: f64) -> (f64, f64) {
    let mut remainder = left % right;
    let mut quotient = (left - remainder) / right;
    if remainder == 0.0 {
        remainder = 0.0f64.copysign(right);
    } else if (right < 0.0) != (remainder < 0.0) {
        remainder += right;
        quotient -= 1.0;
    }
    if quotient == 0.0 {
        return (0.0f64.copysign(left / right), remainder);
    }
    let floor = quotient.floor();
    (if quotient - floor > 0.5 { floor + 1.0 } else { floor }, remainder)
}

/// `-value`
pub fn negative(value: &Value) -> Result<Value> {
    match number(value)? {
        Some(Number::Int(number)) => Ok(Big::value(&-number)),
        Some(Number::Float(number)) => Ok(Value::from(-number)),
        None => duration::unary('-', value)?
            .ok_or_else(|| error(format!("bad operand type for unary -: '{}'", type_name(value)))),
    }
}

/// `+value`
pub fn positive(value: &Value) -> Result<Value> {
    match number(value)? {
        Some(Number::Int(number)) => Ok(Big::value(&number)),
        Some(Number::Float(number)) => Ok(Value::from(number)),
        None => duration::unary('+', value)?
            .ok_or_else(|| error(format!("bad operand type for unary +: '{}'", type_name(value)))),
    }
}
