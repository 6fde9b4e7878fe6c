//! Matches a value as the options of a `case` do.

use hieratic_value::Value;

use super::RegexpValue;
use crate::check::Check;
use crate::types::Type;

/// Returns whether the value is an instance of the type, matches the regular expression, or is equal (ignoring case).
pub(crate) fn matches_option_in(actual: &Value, expected: &Value, check: &Check<'_>) -> bool {
    match (actual, expected) {
        (Value::Array(actual), Value::Array(expected)) => {
            actual.len() == expected.len()
                && actual.iter().zip(expected.iter()).all(|(one, other)| matches_option_in(one, other, check))
        }
        (Value::Hash(actual), Value::Hash(expected)) => expected
            .iter()
            .all(|(key, expected)| matches_option_in(actual.get_value(key).unwrap_or(&Value::Undef), expected, check)),
        (Value::String(actual), Value::String(expected)) => actual.to_lowercase() == expected.to_lowercase(),
        _ => match (Type::of_value(expected), RegexpValue::downcast(expected)) {
            (Some(kind), _) => kind.holds(actual, check),
            (None, Some(regexp)) => actual.as_str().is_some_and(|text| regexp.is_match(text)),
            (None, None) => crate::build::is_default(expected) || actual.loosely_equals(expected),
        },
    }
}
