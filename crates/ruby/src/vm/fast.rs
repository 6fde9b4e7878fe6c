//! Operators on numbers and comparisons without a lookup of a method.

use super::LARGE_STRING;
use crate::symbol::{Symbol, known};
use crate::value::Value;

/// Evaluates an operator on built-in operands; `None` if a method has to be looked up.
#[inline]
pub(super) fn fast(name: Symbol, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Some(match name {
            known::PLUS => Value::Int(a.checked_add(*b)?),
            known::MINUS => Value::Int(a.checked_sub(*b)?),
            known::TIMES => Value::Int(a.checked_mul(*b)?),
            known::LT => Value::Bool(a < b),
            known::GT => Value::Bool(a > b),
            known::LE => Value::Bool(a <= b),
            known::GE => Value::Bool(a >= b),
            known::EQ => Value::Bool(a == b),
            known::MODULO if *b > 0 => Value::Int(a.rem_euclid(*b)),
            _ => return None,
        }),
        (Value::Float(a), Value::Float(b)) => Some(match name {
            known::PLUS => Value::Float(a + b),
            known::MINUS => Value::Float(a - b),
            known::TIMES => Value::Float(a * b),
            known::DIVIDE => Value::Float(a / b),
            known::LT => Value::Bool(a < b),
            known::GT => Value::Bool(a > b),
            _ => return None,
        }),
        (Value::Str(a), Value::Str(b)) if name == known::EQ && a.len_bytes() <= LARGE_STRING => {
            Some(Value::Bool(*a.bytes() == *b.bytes()))
        }
        (Value::Sym(a), Value::Sym(b)) if name == known::EQ => Some(Value::Bool(a == b)),
        _ => None,
    }
}
