//! `Boolean.new`.

use std::sync::LazyLock;

use hieratic_value::Value;

use super::{Converted, choose, unconvertible};
use crate::infer::{Shape, shape};
use crate::mismatch::signature::Signature;
use crate::types::Type;

pub(super) static SIGNATURES: LazyLock<[Signature; 1]> = LazyLock::new(|| {
    let words = Type::enumeration_with_case(["false", "true", "yes", "no", "y", "n"], true);
    [Signature::new(1, [("from", Type::variant([Type::INTEGER, Type::FLOAT, Type::BOOLEAN, words]))])]
});

pub(super) fn new(arguments: &[Value]) -> Converted {
    let signatures = &*SIGNATURES;
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
