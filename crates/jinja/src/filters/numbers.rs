//! Filters of numbers.

use hieratic_python_values::{parse_float, parse_int};
use minijinja::Value;
use num_bigint::BigInt;

use super::arguments::{as_index, as_text, given};
use crate::call::Args;
use crate::error::{Result, error};
use crate::host::{Host, Table, define};
use crate::objects::Big;
use crate::python::number::{Number, number, truncated};
use crate::python::{Kind, duration, kind, type_name};

pub const TABLE: Table = &[
    define("abs", "", "Returns the number without its sign.", |_, args| {
        let [value] = args.bind(["x"], 1)?;
        let value = given(value);
        match number(&value)? {
            Some(Number::Int(number)) => Ok(Big::value(&BigInt::from(number.magnitude().clone()))),
            Some(Number::Float(number)) => Ok(Value::from(number.abs())),
            None => duration::absolute(&value)?
                .ok_or_else(|| error(format!("bad operand type for abs(): '{}'", type_name(&value)))),
        }
    }),
    define(
        "float",
        "default=0.0",
        "Converts to a number with a fraction; a value that cannot be converted becomes the default.",
        float,
    ),
    define(
        "int",
        "default=0, base=10",
        "Converts to a whole number in a base; a value that cannot be converted becomes the default.",
        int,
    ),
    define(
        "round",
        "precision=0, method='common'",
        "Rounds to this many decimal places by `common`, `ceil` or `floor`.",
        round,
    ),
];

/// The filter `int`, with a default for values that are not numbers.
fn int(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, default, base] = args.bind(["value", "default", "base"], 1)?;
    let value = given(value);
    let default = default.unwrap_or_else(|| Value::from(0));
    let base = u32::try_from(as_index(base, 10)?).unwrap_or(10);
    Ok(match kind(&value)? {
        Kind::Str(text) => match parse_int(text, base) {
            Some(number) => Big::value(&number),
            None => match parse_float(text) {
                Some(number) if number.is_infinite() => return truncated(number).map(|number| Big::value(&number)),
                Some(number) => truncated(number).map_or(default, |number| Big::value(&number)),
                None => default,
            },
        },
        Kind::Missing(missing) => missing.usable().map(|()| default)?,
        _ => match number(&value)? {
            Some(Number::Int(number)) => Big::value(&number),
            Some(Number::Float(number)) => truncated(number).map_or(default, |number| Big::value(&number)),
            None => default,
        },
    })
}

/// The filter `float`, with a default for values that are not numbers.
fn float(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, default] = args.bind(["value", "default"], 1)?;
    let value = given(value);
    let default = default.unwrap_or_else(|| Value::from(0.0));
    Ok(match kind(&value)? {
        Kind::Str(text) => parse_float(text).map_or(default, Value::from),
        Kind::Missing(missing) => missing.usable().map(|()| default)?,
        _ => number(&value)?.map_or(default, |number| Value::from(number.to_f64())),
    })
}

/// The filter `round`: half to even for `common`, as Python's own.
fn round(_: &dyn Host, args: Args) -> Result<Value> {
    let [value, precision, method] = args.bind(["value", "precision", "method"], 1)?;
    let precision = as_index(precision, 0)?;
    let method = method.map_or(Ok("common".into()), |method| as_text(&Some(method)))?;
    let value = given(value);
    let Some(number) = number(&value)? else {
        return Err(error(format!("type {} doesn't define __round__ method", type_name(&value))));
    };
    let scale = 10f64.powi(i32::try_from(precision.clamp(-400, 400)).unwrap_or(0));
    match (method.as_str(), number) {
        ("common", Number::Int(number)) => {
            if precision >= 0 {
                return Ok(Big::value(&number));
            }
            let unit = BigInt::from(10).pow(u32::try_from(precision.unsigned_abs().min(400)).unwrap_or(0));
            let below = ((&number % &unit) + &unit) % &unit;
            let floor = &number - &below;
            let order = (&below * 2u8).cmp(&unit);
            let odd = (&floor / &unit).bit(0);
            let up = order.is_gt() || (order.is_eq() && odd);
            Ok(Big::value(&if up { floor + unit } else { floor }))
        }
        ("common", Number::Float(number)) => Ok(Value::from(rounded(number, precision))),
        ("ceil", number) => Ok(Value::from((number.to_f64() * scale).ceil() / scale)),
        ("floor", number) => Ok(Value::from((number.to_f64() * scale).floor() / scale)),
        _ => Err(error("method must be common, ceil or floor")),
    }
}

/// Returns the float if it already has at most this number of decimals, so that rounding does not change it.
pub fn short(number: f64, precision: i64) -> Option<f64> {
    let scale = match precision {
        0 => 1.0,
        1 => 10.0,
        2 => 100.0,
        3 => 1000.0,
        _ => return None,
    };
    let scaled = (number * scale).round();
    (number.abs() < 1e9 && scaled / scale == number).then_some(number)
}

/// Rounds a float to a number of decimals, correctly: the decimal form of a float is exact.
fn rounded(number: f64, precision: i64) -> f64 {
    if !number.is_finite() || precision > 330 {
        return number;
    }
    if short(number, precision).is_some() {
        return number;
    }
    match usize::try_from(precision) {
        Ok(precision) => format!("{number:.precision$}").parse().unwrap_or(number),
        Err(_) => {
            let unit = 10f64.powi(i32::try_from(precision.unsigned_abs().min(400)).unwrap_or(0));
            (number / unit).round_ties_even() * unit
        }
    }
}
