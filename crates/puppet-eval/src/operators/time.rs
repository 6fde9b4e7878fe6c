//! Times, versions and addresses in operators.
//!
//! See [Timespan](https://www.puppet.com/docs/puppet/8/lang_data_time.html). Timespans can be added, multiplied and
//! divided. A timespan can be added to a timestamp, and the difference of two timestamps is a timespan. A number is in
//! seconds.

use std::cmp::Ordering;

use hieratic_puppet_syntax::ast::Arithmetic;
use hieratic_puppet_types::label as value_label;
use hieratic_puppet_types::quantities::{NANOSECONDS, SemVer, Timespan, Timestamp, Uri, seconds};
use hieratic_puppet_types::{SemVerRangeValue, SemVerValue, TimespanValue, TimestampValue, UriValue};
use hieratic_value::Value;

use super::OperatorError;

type OperationResult = Result<Value, OperatorError>;

/// A time, a number or a version as an operand.
#[derive(Clone, Copy)]
enum Operand {
    Span(Timespan),
    Stamp(Timestamp),
    /// A version. Which one does not matter: there is no arithmetic on versions.
    Version,
    Integer(i64),
    Float(f64),
}

fn operand(value: &Value) -> Option<Operand> {
    match value {
        Value::Integer(number) => Some(Operand::Integer(*number)),
        Value::Float(number) => Some(Operand::Float(*number)),
        _ => TimespanValue::downcast(value)
            .map(|span| Operand::Span(*span))
            .or_else(|| TimestampValue::downcast(value).map(|timestamp| Operand::Stamp(*timestamp))),
    }
}

/// Returns whether a value is a timespan or a timestamp.
pub(crate) fn is_time(value: &Value) -> bool {
    TimespanValue::downcast(value).is_some() || TimestampValue::downcast(value).is_some()
}

/// Returns whether a value is a version.
pub(crate) fn is_version(value: &Value) -> bool {
    SemVerValue::downcast(value).is_some()
}

/// Negates a timespan; returns `None` for other values.
pub(crate) fn negated(value: &Value) -> Option<Result<Value, String>> {
    let span = TimespanValue::downcast(value)?;
    Some(new_span(-span.nanoseconds()).map_err(|_| TOO_LONG.to_owned()))
}

const TOO_LONG: &str = "the time is too long";

fn new_span(nanoseconds: i128) -> OperationResult {
    Timespan::new(nanoseconds).map(TimespanValue::value).ok_or_else(|| OperatorError::Message(TOO_LONG.into()))
}

fn new_stamp(nanoseconds: i128) -> OperationResult {
    Timestamp::new(nanoseconds).map(TimestampValue::value).ok_or_else(|| OperatorError::Message(TOO_LONG.into()))
}

/// Applies an operator if an operand is a time; returns `None` otherwise.
pub(crate) fn operate(operator: Arithmetic, left: &Value, right: &Value) -> Option<OperationResult> {
    if !is_time(left) && !is_time(right) {
        return None;
    }
    let known = |value: &Value| operand(value).or_else(|| is_version(value).then_some(Operand::Version));
    Some(calculate(operator, known(left)?, known(right)?))
}

/// Converts seconds to nanoseconds.
fn nanoseconds(operand: Operand) -> Result<i128, OperatorError> {
    let too_long = || OperatorError::Message(TOO_LONG.into());
    match operand {
        Operand::Integer(number) => Ok(i128::from(number) * NANOSECONDS),
        Operand::Float(number) => seconds(number).ok_or_else(too_long),
        Operand::Span(span) => Ok(span.nanoseconds()),
        Operand::Stamp(timestamp) => Ok(timestamp.nanoseconds()),
        Operand::Version => Err(OperatorError::NotApplicable),
    }
}

fn refused(sentence: &str, operand: Operand) -> OperatorError {
    let label = match operand {
        Operand::Integer(number) => value_label::with_article(&Value::Integer(number)),
        Operand::Float(number) => value_label::with_article(&Value::Float(number)),
        Operand::Span(span) => value_label::with_article(&TimespanValue::value(span)),
        Operand::Stamp(timestamp) => value_label::with_article(&TimestampValue::value(timestamp)),
        // The name of the reference's class, not of the type.
        Operand::Version => "a Version".into(),
    };
    let mut letters = label.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    OperatorError::Message(sentence.replace("{}", &capital).replace("{lower}", &label))
}

fn calculate(operator: Arithmetic, left: Operand, right: Operand) -> OperationResult {
    use Arithmetic::{Add, Divide, Modulo, Multiply, Subtract};
    use Operand::{Float, Integer, Span, Stamp, Version};
    // For commutative operators, a number on the left is swapped with the time.
    let (left, right) = match (operator, left, right) {
        (Add, other @ (Integer(_) | Float(_) | Version), time) => (time, other),
        (Multiply, other @ (Integer(_) | Float(_) | Version), time @ Span(_)) => (time, other),
        (Subtract, number @ (Integer(_) | Float(_)), time @ Span(_)) => {
            let span = Timespan::new(nanoseconds(number)?).ok_or_else(|| OperatorError::Message(TOO_LONG.into()))?;
            (Span(span), time)
        }
        (Subtract, Version, Span(_)) => return Err(OperatorError::NotApplicable),
        (_, Integer(_) | Float(_) | Version, _) => return Err(OperatorError::NotApplicableWhen),
        _ => (left, right),
    };
    let sum = |a: i128, b: i128| a.checked_add(b).ok_or_else(|| OperatorError::Message(TOO_LONG.into()));
    match (operator, left, right) {
        (Add, Span(_), Version) => Err(refused("{} cannot be added to a Timespan", right)),
        (Add, Stamp(_), Version) => Err(refused("{} cannot be added to a Timestamp", right)),
        (Subtract, Span(_), Version) => Err(refused("{} cannot be subtracted from a Timespan", right)),
        (Subtract, Stamp(_), Version) => Err(refused("{} cannot be subtracted from a Timestamp", right)),
        (Add, Span(span), Stamp(timestamp)) => new_stamp(sum(span.nanoseconds(), timestamp.nanoseconds())?),
        (Add, Span(span), other) => new_span(sum(span.nanoseconds(), nanoseconds(other)?)?),
        (Add, Stamp(_), Stamp(_)) => Err(refused("{} cannot be added to a Timestamp", right)),
        (Add, Stamp(timestamp), other) => new_stamp(sum(timestamp.nanoseconds(), nanoseconds(other)?)?),
        (Subtract, Span(_), Stamp(_)) => Err(refused("{} cannot be subtracted from a Timespan", right)),
        (Subtract, Span(span), other) => new_span(sum(span.nanoseconds(), -nanoseconds(other)?)?),
        (Subtract, Stamp(one), Stamp(two)) => new_span(one.nanoseconds() - two.nanoseconds()),
        (Subtract, Stamp(timestamp), other) => new_stamp(sum(timestamp.nanoseconds(), -nanoseconds(other)?)?),
        (Multiply, Span(span), Integer(number)) => {
            let product = span.nanoseconds().checked_mul(i128::from(number));
            new_span(product.ok_or_else(|| OperatorError::Message(TOO_LONG.into()))?)
        }
        (Multiply, Span(span), Float(number)) => {
            let product = span.nanoseconds() as f64 * number / 1e9;
            new_span(seconds(product).ok_or_else(|| OperatorError::Message(TOO_LONG.into()))?)
        }
        (Multiply, Span(_), other) => Err(refused("A Timestamp cannot be multiplied by {lower}", other)),
        (Divide, Span(one), Span(two)) => {
            let quotient = one.nanoseconds() as f64 / two.nanoseconds() as f64;
            if quotient.is_infinite() {
                Err(OperatorError::Message(INFINITE.into()))
            } else {
                Ok(Value::Float(quotient))
            }
        }
        (Divide, Span(_), Integer(0)) => Err(OperatorError::DivisionByZero),
        (Divide, Span(span), Integer(number)) => new_span(floored(span.nanoseconds(), i128::from(number))),
        (Divide, Span(_), Float(0.0)) => Err(OperatorError::DivisionByZero),
        (Divide, Span(span), Float(number)) => {
            let quotient = (span.nanoseconds() as f64 / number).floor();
            let fits = quotient.is_finite() && quotient.abs() < 1e25;
            if fits { new_span(quotient as i128) } else { Err(OperatorError::Message(TOO_LONG.into())) }
        }
        (Divide, Span(_), other) => Err(refused("A Timespan cannot be divided by {lower}", other)),
        (Modulo, Span(_), Integer(0)) => Err(OperatorError::DivisionByZero),
        (Modulo, Span(span), Integer(number)) => {
            // Whole seconds only, as in the reference.
            let rest = span.to_seconds().rem_euclid(i128::from(number).abs());
            let rest = if number < 0 && rest != 0 { rest + i128::from(number) } else { rest };
            Ok(Value::Integer(i64::try_from(rest).unwrap_or(i64::MAX)))
        }
        (Modulo, Span(_), other) => Err(refused("Can not do modulus on a Timespan using a {lower}", other)),
        _ => Err(OperatorError::NotApplicable),
    }
}

const INFINITE: &str = "The result of the / expression is Infinity";

fn floored(one: i128, two: i128) -> i128 {
    let quotient = one / two;
    if one % two != 0 && (one < 0) != (two < 0) { quotient - 1 } else { quotient }
}

/// Evaluates `+` of a URI and another or its string; returns `None` for other operands.
pub(crate) fn join(operator: Arithmetic, left: &Value, right: &Value) -> Option<Result<Value, String>> {
    let base = UriValue::downcast(left).filter(|_| operator == Arithmetic::Add)?;
    Some(joined(base, right))
}

fn joined(base: &Uri, right: &Value) -> Result<Value, String> {
    let reference = match (UriValue::downcast(right), right) {
        (Some(uri), _) => uri.clone(),
        (None, Value::String(text)) => Uri::parse(text)?,
        _ => return Err("An URI can only be merged with an URI or String".into()),
    };
    base.join(&reference).map(UriValue::value)
}

/// Compares two values if one of them is a time or a version; returns `None` if neither is.
pub(crate) fn compare(one: &Value, two: &Value) -> Option<Result<Option<Ordering>, &'static str>> {
    if let Some(version) = SemVerValue::downcast(one) {
        return Some(match SemVerValue::downcast(two) {
            Some(other) => Ok(Some(version.compare(other))),
            None => Err("Versions not comparable to non Versions"),
        });
    }
    match (operand(one)?, operand(two)) {
        (Operand::Span(one), Some(Operand::Span(two))) => Some(Ok(Some(one.cmp(&two)))),
        (Operand::Stamp(one), Some(Operand::Stamp(two))) => Some(Ok(Some(one.cmp(&two)))),
        (Operand::Span(span), Some(Operand::Integer(number))) => {
            Some(Ok(Some(span.to_seconds().cmp(&i128::from(number)))))
        }
        (Operand::Stamp(timestamp), Some(Operand::Integer(number))) => {
            Some(Ok(Some(timestamp.to_seconds().cmp(&i128::from(number)))))
        }
        (Operand::Span(span), Some(Operand::Float(number))) => Some(Ok(span.to_f64().partial_cmp(&number))),
        (Operand::Stamp(timestamp), Some(Operand::Float(number))) => Some(Ok(timestamp.to_f64().partial_cmp(&number))),
        (Operand::Span(_), _) => Some(Err("Timespans are only comparable to Timespans, Integers, and Floats")),
        (Operand::Stamp(_), _) => Some(Err("Timestamps are only comparable to Timestamps, Integers, and Floats")),
        // A number on the left reverses the order.
        (Operand::Integer(_) | Operand::Float(_), Some(Operand::Span(_) | Operand::Stamp(_))) => {
            compare(two, one).map(|found| found.map(|ordering| ordering.map(Ordering::reverse)))
        }
        _ => None,
    }
}

/// Returns whether a range of versions includes a value; `None` if `range` is not a range.
pub(crate) fn range_includes(range: &Value, version: &Value) -> Option<bool> {
    let range = SemVerRangeValue::downcast(range)?;
    Some(match (SemVerValue::downcast(version), version) {
        (Some(version), _) => range.range().includes(version),
        (None, Value::String(text)) => SemVer::parse(text).is_ok_and(|version| range.range().includes(&version)),
        _ => false,
    })
}

/// Returns whether an option that is a version or a range matches a value; `None` if it is neither.
pub(crate) fn version_matches(option: &Value, value: &Value) -> Option<bool> {
    if let Some(version) = SemVerValue::downcast(option) {
        return Some(match (SemVerValue::downcast(value), value) {
            (Some(other), _) => version == other,
            (None, Value::String(text)) => SemVer::parse(text).is_ok_and(|other| *version == other),
            _ => false,
        });
    }
    range_includes(option, value)
}
