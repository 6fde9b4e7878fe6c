//! `Boolean.new`.

use hieratic_value::Value;

use super::{ConversionResult, choose, unconvertible};
use crate::creation::BOOLEAN;
use crate::infer::{Shape, shape};

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    let signatures = &*BOOLEAN;
    if let [from] = arguments
        && !signatures[0].accepts(arguments, None)
    {
        return Err(unconvertible("new_boolean", from, "Boolean"));
    }
    choose("new_boolean", signatures, arguments)?;
    Ok(Value::from(match shape(&arguments[0]) {
        Shape::Float(number) => number != 0.0,
        Shape::Integer(number) => number != 0i64.into(),
        Shape::Boolean(truth) => truth,
        Shape::Text(text) => !matches!(&*text.to_ascii_lowercase(), "false" | "no" | "n"),
        _ => true,
    }))
}
