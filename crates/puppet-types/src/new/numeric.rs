//! `Float.new` and `Numeric.new`.

use hieratic_value::Value;

use super::{ConversionResult, choose, text_number, unconvertible};
use crate::Error;
use crate::creation::{FLOAT, NUMERIC};
use crate::infer::{Shape, shape};
use crate::mismatch::signature::Signature;
use crate::range::Int;

pub(super) fn new_float(arguments: &[Value]) -> ConversionResult {
    let (from, absolute) = given("new_float", &*FLOAT, arguments, "Float")?;
    let number = match shape(from) {
        Shape::Integer(number) => number.to_f64(),
        Shape::Float(number) => number,
        Shape::Boolean(truth) => f64::from(u8::from(truth)),
        Shape::Timestamp(moment) => moment.to_f64(),
        Shape::Timespan(span) => span.to_f64(),
        Shape::Text(text) => text_number::float(&text)?,
        _ => return Err(unconvertible("new_float", from, "Float")),
    };
    Ok(Value::from(if absolute { number.abs() } else { number }))
}

pub(super) fn new_numeric(arguments: &[Value]) -> ConversionResult {
    let (from, absolute) = given("new_numeric", &*NUMERIC, arguments, "Numeric")?;
    let number = match shape(from) {
        Shape::Integer(_) | Shape::Float(_) => from.clone(),
        Shape::Boolean(truth) => Value::from(i64::from(truth)),
        Shape::Timestamp(moment) => Value::from(moment.to_f64()),
        Shape::Timespan(span) => Value::from(span.to_f64()),
        Shape::Text(text) if text.get(..2).is_some_and(|start| matches!(start, "0b" | "0B" | "0x" | "0X")) => {
            Value::from(text_number::integer(&text, None)?)
        }
        // A string that is not a number becomes undef, which the check of the result rejects.
        Shape::Text(text) => text_number::numeric(&text).unwrap_or_default(),
        _ => return Err(unconvertible("new_numeric", from, "Numeric")),
    };
    Ok(match (absolute, shape(&number)) {
        (true, Shape::Integer(number)) if number < Int::from(0i64) => number.negated().into(),
        (true, Shape::Float(number)) => Value::from(number.abs()),
        _ => number,
    })
}

/// Returns the value to convert, and whether its sign is dropped.
fn given<'a>(
    function: &str,
    signatures: &[Signature],
    arguments: &'a [Value],
    target: &str,
) -> Result<(&'a Value, bool), Error> {
    let is_true = |value: Option<&Value>| value == Some(&Value::from(true));
    if signatures[0].accepts(arguments, None) {
        return Ok((&arguments[0], is_true(arguments.get(1))));
    }
    if signatures[1].accepts(arguments, None)
        && let Some(hash) = arguments[0].as_hash()
        && let Some(from) = hash.get("from")
    {
        return Ok((from, is_true(hash.get("abs"))));
    }
    match arguments {
        [from] | [from, Value::Boolean(_)] => Err(unconvertible(function, from, target)),
        _ => {
            choose(function, signatures, arguments)?;
            Err(unconvertible(function, &arguments[0], target))
        }
    }
}
