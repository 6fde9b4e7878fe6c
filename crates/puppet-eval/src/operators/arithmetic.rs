//! `+ - * / % << >>` and the unary minus on numbers.
//!
//! Integers have 64 bits, and an overflow is an error. Division and modulo round towards negative infinity. See
//! [arithmetic](https://www.puppet.com/docs/puppet/8/lang_expressions.html#arithmetic-operators).

use hieratic_puppet_functions::{EvalError, Flow, Outcome};
use hieratic_puppet_syntax::ast::{Arithmetic, Expr};
use hieratic_puppet_syntax::label;
use hieratic_puppet_types::RegexpValue;
use hieratic_puppet_types::label as value_label;
use hieratic_value::{Value, text};
use num_bigint::BigInt;

use super::{OperatorError, collections, number, time};
use crate::evaluator::Evaluator;

impl Evaluator<'_> {
    pub(crate) fn eval_minus(&mut self, expr: &Expr, inner: &Expr) -> Outcome {
        let value = self.eval(inner)?;
        let negated = self.minus(expr, inner, &value)?;
        self.environment.record_computed(&[value], &negated);
        Ok(negated)
    }

    fn minus(&mut self, expr: &Expr, inner: &Expr, value: &Value) -> Outcome {
        if let Some(negated) = time::negated(value) {
            return negated.map_err(|message| EvalError::new(message).into());
        }
        match self.coerce(expr, value)? {
            Value::Integer(number) => match number.checked_neg() {
                Some(negated) => Ok(Value::Integer(negated)),
                None => Err(self.overflow(expr, -BigInt::from(number))),
            },
            Value::Float(number) => Ok(Value::Float(-number)),
            other => Err(self.not_applicable(inner, "-", &other)),
        }
    }

    pub(crate) fn eval_arithmetic(&mut self, expr: &Expr, operator: Arithmetic, left: &Expr, right: &Expr) -> Outcome {
        let operands = [self.eval(left)?, self.eval(right)?];
        // Numbers first: other operands are rare.
        let value = match &operands {
            [Value::Integer(one), Value::Integer(two)] => self.integers(expr, operator, right, *one, *two)?,
            [one, two] => self.others(expr, operator, left, right, one.clone(), two.clone())?,
        };
        self.environment.record_computed(&operands, &value);
        Ok(value)
    }

    fn others(
        &mut self,
        expr: &Expr,
        operator: Arithmetic,
        left: &Expr,
        right: &Expr,
        one: Value,
        two: Value,
    ) -> Outcome {
        if matches!(one, Value::Array(_) | Value::Hash(_)) {
            self.budget.charge_visit([&two])?;
        }
        if let Some(result) = collections::operate(self.options.version, operator, &one, &two) {
            return match result {
                Ok(value) => self.budget.charge_value(value),
                Err(error) => Err(self.operand_error(error, operator, [left, right], [&one, &two])),
            };
        }
        if let Some(joined) = time::join(operator, &one, &two) {
            return joined.map_err(|message| EvalError::new(message).into());
        }
        let (one, two) = (self.operand(left, one)?, self.operand(right, two)?);
        if operator == Arithmetic::Modulo {
            // Remainders of floats would show rounding errors only.
            if let Value::Float(_) = one {
                return Err(self.not_applicable(left, operator.symbol(), &one));
            }
            if let Value::Float(_) = two {
                return Err(self.not_applicable_when(left, operator, &one, &two));
            }
        }
        if let (Value::Integer(one), Value::Integer(two)) = (&one, &two) {
            return self.integers(expr, operator, right, *one, *two);
        }
        match time::operate(operator, &one, &two) {
            None if time::is_version(&one) => Err(self.not_applicable(left, operator.symbol(), &one)),
            None if time::is_version(&two) => match operator {
                Arithmetic::ShiftLeft | Arithmetic::ShiftRight => {
                    Err(self.not_applicable(left, operator.symbol(), &one))
                }
                _ => Err(self.not_numeric(right, &two)),
            },
            None => self.floats(operator, left, &one, &two),
            Some(Ok(value)) => Ok(value),
            Some(Err(error)) => Err(self.operand_error(error, operator, [left, right], [&one, &two])),
        }
    }

    /// Creates the error of an operator at the operand that it is about.
    fn operand_error(
        &self,
        error: OperatorError,
        operator: Arithmetic,
        sides: [&Expr; 2],
        values: [&Value; 2],
    ) -> Flow {
        match error {
            OperatorError::NotApplicable => self.not_applicable(sides[0], operator.symbol(), values[0]),
            OperatorError::NotApplicableWhen => self.not_applicable_when(sides[0], operator, values[0], values[1]),
            OperatorError::DivisionByZero => self.calls.fail(sides[1], "Division by 0"),
            OperatorError::Message(message) => EvalError::new(message).into(),
        }
    }

    /// Returns an operand of arithmetic: a number, or an unchanged time or version.
    fn operand(&mut self, expr: &Expr, value: Value) -> Outcome {
        if time::is_time(&value) || time::is_version(&value) { Ok(value) } else { self.coerce(expr, &value) }
    }

    fn integers(&mut self, expr: &Expr, operator: Arithmetic, right: &Expr, one: i64, two: i64) -> Outcome {
        let big = |operate: fn(BigInt, BigInt) -> BigInt| operate(one.into(), two.into());
        let result = match operator {
            Arithmetic::Add => one.checked_add(two).ok_or_else(|| big(|a, b| a + b)),
            Arithmetic::Subtract => one.checked_sub(two).ok_or_else(|| big(|a, b| a - b)),
            Arithmetic::Multiply => one.checked_mul(two).ok_or_else(|| big(|a, b| a * b)),
            Arithmetic::Divide | Arithmetic::Modulo if two == 0 => return Err(self.calls.fail(right, "Division by 0")),
            Arithmetic::Divide => floored_quotient(one, two).ok_or_else(|| big(|a, b| -(a / -b))),
            Arithmetic::Modulo => Ok(floored_remainder(one, two)),
            Arithmetic::ShiftLeft => shifted(one, i128::from(two)),
            Arithmetic::ShiftRight => shifted(one, -i128::from(two)),
        };
        result.map(Value::Integer).map_err(|number| self.overflow(expr, number))
    }

    fn floats(&mut self, operator: Arithmetic, left: &Expr, one: &Value, two: &Value) -> Outcome {
        let float = |value: &Value| match value {
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) => Some(*number),
            _ => None,
        };
        let (Some(a), Some(b)) = (float(one), float(two)) else {
            return Err(self.not_applicable(left, operator.symbol(), one));
        };
        let result = match operator {
            Arithmetic::Add => a + b,
            Arithmetic::Subtract => a - b,
            Arithmetic::Multiply => a * b,
            Arithmetic::Divide => a / b,
            // Rejected before.
            Arithmetic::Modulo => return Err(self.not_applicable(left, operator.symbol(), one)),
            Arithmetic::ShiftLeft | Arithmetic::ShiftRight => return self.shift_float(left, operator, one, b),
        };
        if result.is_infinite() {
            return Err(self
                .calls
                .fail(left, format!("The result of the {} expression is Infinity", operator.symbol())));
        }
        Ok(Value::Float(result))
    }

    /// Shifts integers only; a float as the distance is truncated.
    fn shift_float(&mut self, left: &Expr, operator: Arithmetic, one: &Value, by: f64) -> Outcome {
        match one {
            Value::Integer(number) => {
                let by = by.trunc() as i128;
                let by = if operator == Arithmetic::ShiftLeft { by } else { -by };
                shifted(*number, by).map(Value::Integer).map_err(|number| self.overflow(left, number))
            }
            _ => Err(self.not_applicable(left, operator.symbol(), one)),
        }
    }

    /// Converts a value to a number, with a warning if it is a string.
    pub(crate) fn coerce(&mut self, expr: &Expr, value: &Value) -> Result<Value, Flow> {
        if let Value::Integer(_) | Value::Float(_) = value {
            return Ok(value.clone());
        }
        let Some(number) = number::to_number(value) else { return Err(self.not_numeric(expr, value)) };
        let after = match &number {
            Value::Float(float) => text::float(*float),
            other => other.to_text(),
        };
        let message =
            format!("The string '{}' was automatically coerced to the numerical value {after}", value.to_text());
        self.warn(expr, message)?;
        Ok(number)
    }

    fn not_numeric(&self, expr: &Expr, value: &Value) -> Flow {
        self.calls.fail(expr, format!("The value '{}' cannot be converted to Numeric.", ruby_text(value)))
    }

    pub(crate) fn not_applicable(&self, expr: &Expr, operator: &str, value: &Value) -> Flow {
        let label = value_label::with_article(value);
        self.calls.fail(expr, format!("Operator '{operator}' is not applicable to {label}."))
    }

    fn not_applicable_when(&self, expr: &Expr, operator: Arithmetic, one: &Value, two: &Value) -> Flow {
        let (left, right) = (value_label::with_article(one), value_label::with_article(two));
        let operator = operator.symbol();
        self.calls.fail(expr, format!("Operator '{operator}' is not applicable to {left} when right side is {right}."))
    }

    fn overflow(&self, expr: &Expr, number: BigInt) -> Flow {
        let label = label::with_article_capitalized(expr);
        let (end, sign) = if number > BigInt::ZERO { ("max", '+') } else { ("min", '-') };
        let magnitude = number.magnitude().to_str_radix(16);
        self.calls.fail(
            expr,
            format!("{label} resulted in a value outside of Puppet Integer {end} range, got '{sign}0x{magnitude}'"),
        )
    }
}

/// Returns a value in Ruby's string form, for messages.
fn ruby_text(value: &Value) -> String {
    match RegexpValue::downcast(value) {
        Some(regexp) => regexp.embedded(),
        None => value.to_text(),
    }
}

fn floored_quotient(one: i64, two: i64) -> Option<i64> {
    let quotient = one.checked_div(two)?;
    let inexact = one % two != 0;
    Some(if inexact && (one < 0) != (two < 0) { quotient - 1 } else { quotient })
}

fn floored_remainder(one: i64, two: i64) -> i64 {
    let remainder = one.wrapping_rem(two);
    if remainder != 0 && (remainder < 0) != (two < 0) { remainder + two } else { remainder }
}

/// Shifts a number to the left, or to the right for a negative distance. Returns the exact number as an error if it
/// does not fit.
fn shifted(number: i64, by: i128) -> Result<i64, BigInt> {
    if by <= 0 {
        // Beyond 63 bits, only the sign is left.
        let by = (-by).min(63) as u32;
        return Ok(number >> by);
    }
    if number == 0 {
        return Ok(0);
    }
    // Huge distances overflow in any case; the exact number is not needed for that.
    let by = by.min(4096) as usize;
    let exact = BigInt::from(number) << by;
    i64::try_from(&exact).map_err(|_| exact)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_rounds_down() {
        assert_eq!(floored_quotient(-7, 2), Some(-4));
        assert_eq!(floored_quotient(7, -2), Some(-4));
        assert_eq!(floored_quotient(i64::MIN, -1), None);
        assert_eq!((floored_remainder(-7, 3), floored_remainder(7, -3)), (2, -2));
        assert_eq!(floored_remainder(i64::MIN, -1), 0);
    }

    #[test]
    fn shifts_go_both_ways() {
        assert_eq!(shifted(1, 4), Ok(16));
        assert_eq!(shifted(1, -1), Ok(0));
        assert_eq!(shifted(-1, -100), Ok(-1));
        assert!(shifted(1, 63).is_err());
    }
}
