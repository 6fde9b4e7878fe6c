//! Behavior of Ruby on which the reference relies: numbers in strings, comparisons, conversions.

mod comparison;
mod numbers;

pub(crate) use comparison::{comparison_failed, merge_sort, sign_of};
pub(crate) use numbers::{float_of, integer_of, to_f, to_i, to_integer};

use hieratic_value::Value;

/// Returns Ruby's name of a singleton value, or else its class.
pub(crate) fn special_or_class(value: &Value) -> String {
    match value {
        Value::Undef => "nil".into(),
        Value::Boolean(truth) => truth.to_string(),
        _ => value.ruby_class().into(),
    }
}

/// Ruby's error for a value that should have been a string.
pub(crate) fn not_a_string(value: &Value) -> String {
    format!("no implicit conversion of {} into String", special_or_class(value))
}

/// Ruby's error for a method that a value does not have.
pub(crate) fn undefined_method(method: &str, value: &Value) -> String {
    let receiver = match value {
        Value::Undef => "nil:NilClass".into(),
        Value::Boolean(truth) => format!("{truth}:{}", value.ruby_class()),
        _ => format!("{}:{}", value.inspect(), value.ruby_class()),
    };
    format!("undefined method `{method}' for {receiver}")
}
