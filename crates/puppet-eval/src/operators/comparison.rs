//! `== != < <= > >=`.
//!
//! Strings compare without case, numbers by their numeric value, arrays and hashes element by element, types by
//! assignability. See [comparison](https://www.puppet.com/docs/puppet/8/lang_expressions.html#comparison-operators).

use std::cmp::Ordering;

use hieratic_puppet_functions::Outcome;
use hieratic_puppet_syntax::ast::{Comparison, Expr};
use hieratic_puppet_types::Type;
use hieratic_puppet_types::label as value_label;
use hieratic_value::{Rich, Value};

use super::time;
use crate::evaluator::Evaluator;

impl Evaluator<'_> {
    pub(crate) fn eval_comparison(&mut self, expr: &Expr, operator: Comparison, left: &Expr, right: &Expr) -> Outcome {
        let (one, two) = (self.eval(left)?, self.eval(right)?);
        self.budget.charge_visit([&one, &two])?;
        if let Some(kind) = Type::of_value(&one) {
            return Ok(Value::Boolean(compare_types(operator, kind, &two)));
        }
        let result = match operator {
            Comparison::Equal => equal(&one, &two),
            Comparison::NotEqual => !equal(&one, &two),
            _ => match compare(&one, &two) {
                Ok(ordering) => match operator {
                    Comparison::Less => ordering == Some(Ordering::Less),
                    Comparison::LessOrEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
                    Comparison::Greater => ordering == Some(Ordering::Greater),
                    _ => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
                },
                Err(detail) => {
                    let message = format!(
                        "Comparison of: {} {} {}, is not possible. Caused by '{detail}'.",
                        value_label::for_value(&one),
                        operator.symbol(),
                        value_label::for_value(&two)
                    );
                    return Err(self.calls.fail(expr, message));
                }
            },
        };
        Ok(Value::Boolean(result))
    }
}

fn compare_types(operator: Comparison, one: &Type, two: &Value) -> bool {
    let Some(two) = Type::of_value(two) else { return operator == Comparison::NotEqual };
    let same = same_type(one, two);
    match operator {
        Comparison::Equal => same,
        Comparison::NotEqual => !same,
        Comparison::Less => two.is_assignable(one) && !same,
        Comparison::LessOrEqual => two.is_assignable(one),
        Comparison::Greater => one.is_assignable(two) && !same,
        Comparison::GreaterOrEqual => one.is_assignable(two),
    }
}

/// Types are equal if they are assignable to each other.
fn same_type(one: &Type, two: &Type) -> bool {
    one == two || one.is_assignable(two) && two.is_assignable(one)
}

/// `==` of the language.
pub(crate) fn equal(one: &Value, two: &Value) -> bool {
    match (one, two) {
        (Value::String(one), Value::String(two)) => one.eq_ignore_ascii_case(two),
        (Value::Integer(one), Value::Integer(two)) => one == two,
        (Value::Array(one), Value::Array(two)) => {
            one.len() == two.len() && one.iter().zip(two.iter()).all(|(one, two)| equal(one, two))
        }
        (Value::Hash(one), Value::Hash(two)) => {
            one.len() == two.len()
                && one.iter().all(|(key, value)| equal(two.get_value(key).unwrap_or(&Value::Undef), value))
        }
        _ => match (Type::of_value(one), Type::of_value(two)) {
            (Some(one), Some(two)) => same_type(one, two),
            _ => match time::compare(one, two) {
                // A time equals the number of its seconds.
                Some(found) if !time::is_version(one) => found == Ok(Some(Ordering::Equal)),
                _ => one.loosely_equals(two),
            },
        },
    }
}

/// `<=>` of the language; `None` if a number is NaN.
pub(crate) fn compare(one: &Value, two: &Value) -> Result<Option<Ordering>, &'static str> {
    match (one, two) {
        (Value::String(one), Value::String(two)) => {
            let lower = |text: &str| text.bytes().map(|byte| byte.to_ascii_lowercase()).collect::<Vec<u8>>();
            Ok(Some(lower(one).cmp(&lower(two))))
        }
        (Value::String(_), _) => Err("A String is not comparable to a non String"),
        (Value::Integer(_) | Value::Float(_), Value::Integer(_) | Value::Float(_)) => Ok(one.compare(two)),
        (Value::Integer(_) | Value::Float(_), other) => {
            time::compare(one, other).unwrap_or(Err("A Numeric is not comparable to non Numeric"))
        }
        (Value::Rich(rich), _) if matches!(**rich, Rich::Default) => match two.as_rich() {
            Some(Rich::Default) => Ok(Some(Ordering::Equal)),
            _ => Err("Symbol not comparable to non Symbol"),
        },
        _ => time::compare(one, two)
            .unwrap_or(Err("Only Strings, Numbers, Timespans, Timestamps, and Versions are comparable")),
    }
}
