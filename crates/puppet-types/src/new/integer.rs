//! `Integer.new`.

use hieratic_value::{BigInt, Value};

use super::{ConversionResult, choose, text_number, unconvertible};
use crate::Error;
use crate::creation::INTEGER;
use crate::infer::{Shape, shape};
use crate::mismatch::assert_instance;
use crate::range::Int;
use crate::text::truncate;

pub(super) fn new(arguments: &[Value]) -> ConversionResult {
    let types = &*INTEGER;
    if types.signatures[0].accepts(arguments, None) {
        return convert(&arguments[0], arguments.get(1), arguments.get(2));
    }
    if let [Value::Hash(hash)] = arguments {
        let (from, radix) = (hash.get("from"), hash.get("radix"));
        if !types.named.is_instance(&arguments[0]) {
            if let Some(from) = from.filter(|from| !types.convertible.is_instance(from)) {
                return Err(unconvertible("new", from, "Integer"));
            }
            check_radix(radix.filter(|radix| !radix.is_undef()))?;
            assert_instance("Integer.new", &types.named, &arguments[0])?;
        }
        return convert(from.unwrap_or(&Value::Undef), radix, hash.get("abs"));
    }
    let refusable = matches!(arguments.get(1).map(shape), None | Some(Shape::Integer(_)))
        && matches!(arguments.get(2), None | Some(Value::Boolean(_)))
        && (1..=3).contains(&arguments.len());
    if refusable {
        check_radix(arguments.get(1))?;
        return Err(unconvertible("new", &arguments[0], "Integer"));
    }
    choose("new", &types.signatures, arguments)?;
    Err(unconvertible("new", &arguments[0], "Integer"))
}

fn check_radix(radix: Option<&Value>) -> Result<(), Error> {
    match radix {
        None | Some(Value::Integer(2 | 8 | 10 | 16)) => Ok(()),
        Some(other) if matches!(shape(other), Shape::Default) => Ok(()),
        Some(other) => {
            let message = format!("Illegal radix: {}, expected 2, 8, 10, 16, or default", other.to_text());
            Err(Error::new(message))
        }
    }
}

fn convert(from: &Value, radix: Option<&Value>, absolute: Option<&Value>) -> ConversionResult {
    let radix = match radix {
        Some(Value::Integer(radix)) => u32::try_from(*radix).ok(),
        _ => None,
    };
    let number = match shape(from) {
        Shape::Integer(number) => number,
        Shape::Float(number) => truncate(number)?,
        Shape::Boolean(truth) => Int::from(i64::from(truth)),
        Shape::Timestamp(moment) => Int::from(BigInt::from(moment.to_seconds())),
        Shape::Timespan(span) => Int::from(BigInt::from(span.to_seconds())),
        Shape::Text(text) => text_number::integer(&text, radix)?,
        _ => return Err(unconvertible("new", from, "Integer")),
    };
    let negative = number < Int::from(0i64);
    Ok(Value::from(if negative && absolute == Some(&Value::from(true)) { number.negated() } else { number }))
}
