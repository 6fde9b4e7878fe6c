//! Matches a value as the options of a `case` do.

use hieratic_value::Value;

use super::RegexpValue;
use crate::check::Check;
use crate::types::Type;

/// Returns whether the value is an instance of the type, matches the regular expression, or is equal (ignoring case).
pub(crate) fn matches_option_in(actual: &Value, wanted: &Value, check: &Check<'_>) -> bool {
    match (actual, wanted) {
        (Value::Array(actual), Value::Array(wanted)) => {
            actual.len() == wanted.len()
                && actual.iter().zip(wanted.iter()).all(|(one, other)| matches_option_in(one, other, check))
        }
        (Value::Hash(actual), Value::Hash(wanted)) => wanted
            .iter()
            .all(|(key, wanted)| matches_option_in(actual.get_value(key).unwrap_or(&Value::Undef), wanted, check)),
        (Value::String(actual), Value::String(wanted)) => actual.to_lowercase() == wanted.to_lowercase(),
        _ => match (Type::of_value(wanted), RegexpValue::downcast(wanted)) {
            (Some(kind), _) => kind.holds(actual, check),
            (None, Some(regexp)) => actual.as_str().is_some_and(|text| regexp.is_match(text)),
            (None, None) => crate::build::is_default(wanted) || actual.loosely_equals(wanted),
        },
    }
}
