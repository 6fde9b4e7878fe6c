//! Numbers.

use super::convert::{integer, number};
use super::{count, exactly, integer_of, wrong_type};
use crate::eval::{Fault, Value};

pub(super) fn call(name: &str, arguments: &[Value]) -> Option<Result<Value, Fault>> {
    Some(match name {
        "add" => Ok(Value::Int(arguments.iter().map(integer).fold(0, i64::wrapping_add))),
        "add1" => exactly::<1>(arguments).map(|[value]| Value::Int(integer(value).wrapping_add(1))),
        "mul" => fold(arguments, i64::wrapping_mul),
        "sub" => exactly::<2>(arguments).map(|[one, other]| Value::Int(integer(one).wrapping_sub(integer(other)))),
        "div" => divided(arguments, i64::wrapping_div),
        "mod" => divided(arguments, i64::wrapping_rem),
        "max" | "biggest" => fold(arguments, i64::max),
        "min" => fold(arguments, i64::min),
        "floor" => exactly::<1>(arguments).map(|[value]| Value::Float(number(value).floor())),
        "ceil" => exactly::<1>(arguments).map(|[value]| Value::Float(number(value).ceil())),
        "round" => round(arguments),
        _ => return None,
    })
}

fn fold(arguments: &[Value], join: impl Fn(i64, i64) -> i64) -> Result<Value, Fault> {
    let (first, others) = arguments.split_first().ok_or_else(|| count(arguments, 1))?;
    Ok(Value::Int(others.iter().map(integer).fold(integer(first), join)))
}

fn divided(arguments: &[Value], divide: impl Fn(i64, i64) -> i64) -> Result<Value, Fault> {
    let [one, other] = exactly::<2>(arguments)?;
    match integer(other) {
        0 => Err(Fault::error("runtime error: integer divide by zero")),
        other => Ok(Value::Int(divide(integer(one), other))),
    }
}

/// An argument that must be a floating-point number. A literal may be an integer.
fn float_of(value: &Value) -> Result<f64, Fault> {
    match value {
        Value::Int(_) | Value::Float(_) => Ok(number(value)),
        other => Err(wrong_type("float64", other)),
    }
}

fn round(arguments: &[Value]) -> Result<Value, Fault> {
    let (value, digits, half) = match arguments {
        [value, digits, others @ ..] => {
            let others = others.iter().map(float_of).collect::<Result<Vec<f64>, Fault>>()?;
            (number(value), integer_of(digits)?, others.first().copied().unwrap_or(0.5))
        }
        _ => return Err(count(arguments, 2)),
    };
    let scale = 10.0_f64.powi(i32::try_from(digits).unwrap_or(i32::MAX));
    let scaled = scale * value;
    let rounded = if scaled.fract() >= half { scaled.ceil() } else { scaled.floor() };
    Ok(Value::Float(rounded / scale))
}
