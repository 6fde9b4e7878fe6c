//! [`compare`](https://www.puppet.com/docs/puppet/8/function.html#compare)

use std::cmp::Ordering;

use hieratic_puppet_types::{TimespanValue, TimestampValue};
use hieratic_value::{Rich, Value};

use crate::{Call, Dispatch, Doc, EvalError, Function, Outcome, ruby};

pub(super) static FUNCTIONS: &[Function] = &[Function::new(
    "compare",
    Doc::new("How two values compare: -1, 0 or 1.").example("compare('a', 'b') # -1"),
    &[
        Dispatch::new(&["Numeric a", "Numeric b"], by_order),
        Dispatch::new(&["String a", "String b", "Boolean ignore_case?"], texts),
        Dispatch::new(&["SemVer a", "SemVer b"], by_order),
        Dispatch::new(&["Numeric a", "Variant[Timespan, Timestamp] b"], by_order),
        Dispatch::new(&["Timestamp a", "Variant[Timestamp, Numeric] b"], by_order),
        Dispatch::new(&["Timespan a", "Variant[Timespan, Numeric] b"], by_order),
        Dispatch::new(&["!", COMPARABLE_A, COMPARABLE_B, "Any *ignore_case"], incomparable),
        Dispatch::new(&["!", "Any a", "Any b", "Any *ignore_case"], not_comparable),
    ],
)];

const COMPARABLE_A: &str = "Variant[String, SemVer, Numeric, Timespan, Timestamp] a";
const COMPARABLE_B: &str = "Variant[String, SemVer, Numeric, Timespan, Timestamp] b";

fn answer(order: Ordering) -> Outcome {
    Ok(Value::Integer(order as i64))
}

fn by_order(call: &mut Call<'_>) -> Outcome {
    let [a, b] = call.arguments else { return Ok(Value::Undef) };
    let order = a.compare(b).or_else(|| compare_time(a, b)).or_else(|| compare_time(b, a).map(Ordering::reverse));
    match order {
        Some(order) => answer(order),
        None => Err(ruby::comparison_failed(a, b).into()),
    }
}

/// Compares a time and a number: a time counts as its seconds, truncated for an integer.
fn compare_time(time: &Value, number: &Value) -> Option<Ordering> {
    let span = TimespanValue::downcast(time).map(|one| (one.to_seconds(), one.to_f64()));
    let timestamp = || TimestampValue::downcast(time).map(|one| (one.to_seconds(), one.to_f64()));
    let (whole, exact) = span.or_else(timestamp)?;
    match number {
        Value::Integer(number) => Some(whole.cmp(&i128::from(*number))),
        Value::Float(number) => exact.partial_cmp(number),
        _ => None,
    }
}

/// Compares strings, ignoring the case of ASCII letters unless case is requested.
fn texts(call: &mut Call<'_>) -> Outcome {
    let (a, b) = (call.text(0), call.text(1));
    match call.arguments.get(2) {
        Some(Value::Boolean(false)) => answer(a.as_bytes().cmp(b.as_bytes())),
        _ => {
            let folded = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
            answer(folded(&a).cmp(&folded(&b)))
        }
    }
}

/// Returns the error for arguments that are comparable, but not with each other.
fn incomparable(call: &mut Call<'_>) -> Outcome {
    let [a, b, rest @ ..] = call.arguments else { return Ok(Value::Undef) };
    let is_text = |value: &Value| matches!(value, Value::String(_));
    let message = match rest {
        [_, ..] if !(is_text(a) && is_text(b)) => {
            "compare(): The third argument (ignore case) can only be used when comparing strings".into()
        }
        [_, _, ..] => format!("compare(): Accepts at most 3 arguments, got {}", 2 + rest.len()),
        [third] if !matches!(third, Value::Boolean(_)) => {
            format!("compare(): The third argument (ignore case) must be a Boolean. Got {}", label(third))
        }
        _ => format!(
            "compare(): Can only compare values of the same type (or for Timestamp/Timespan also against Numeric). \
             Got {} and {}",
            label(a),
            label(b)
        ),
    };
    Err(EvalError::new(message).into())
}

fn not_comparable(call: &mut Call<'_>) -> Outcome {
    let [a, b, ..] = call.arguments else { return Ok(Value::Undef) };
    Err(EvalError::new(format!(
        "compare(): Non comparable type. Only values of the types Numeric, String, Semver, Timestamp and Timestamp can \
         be compared. Got {} and {}",
        label(a),
        label(b)
    ))
    .into())
}

/// Returns the name of a value in messages.
pub(crate) fn label(value: &Value) -> String {
    match value {
        Value::Undef => "Undef Value".into(),
        Value::Boolean(_) => "Boolean".into(),
        Value::Rich(rich) => match &**rich {
            Rich::Default => "Default Value".into(),
            Rich::Sensitive(_) => "Sensitive".into(),
            _ => match hieratic_puppet_types::Type::of_value(value) {
                Some(kind) => format!("{kind}-Type"),
                None => hieratic_puppet_types::infer(value).name().to_owned(),
            },
        },
        _ => value.ruby_class().into(),
    }
}
