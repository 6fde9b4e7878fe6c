//! Arithmetic, comparison and logic.
//!
//! Both operands are always evaluated: `false && missing` fails.
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#operations>.

use hieratic_hcl_syntax::ast::{BinaryOperation, BinaryOperator, Expression, UnaryOperation, UnaryOperator};
use hieratic_hcl_types::{Number, Type, Value, convert};

use super::Evaluator;
use crate::Context;

const NULL: &str = "argument must not be null";

impl Evaluator<'_> {
    pub(super) fn binary(&mut self, operation: &BinaryOperation, context: &Context<'_>) -> Value {
        let errors = self.errors;
        if !matches!(operation.left, Expression::Binary(_)) {
            let left = self.value(&operation.left, context);
            return self.operation(operation, left, errors, context);
        }
        // A chain of operations leans to the left, and may be long.
        let (first, operations) = operation.chain();
        let first = self.value(first, context);
        operations.into_iter().fold(first, |left, operation| {
            self.steps += 1;
            self.operation(operation, left, errors, context)
        })
    }

    /// The result of one operation on a left operand that has been evaluated; `errors` is how many there were before that.
    fn operation(&mut self, operation: &BinaryOperation, left: Value, errors: usize, context: &Context<'_>) -> Value {
        let right = self.value(&operation.right, context);
        let operator = operation.operator;
        // Comparing values traverses them.
        if !self.charge_traversal(&left, operation.span) || !self.charge_traversal(&right, operation.span) {
            return Value::Unknown(result_type(operator));
        }
        let expected = operand_type(operator);
        let left = self.operand("left operand", left, &operation.left, &expected, operation.span);
        let right = self.operand("right operand", right, &operation.right, &expected, operation.span);
        if self.errors > errors {
            return Value::Unknown(result_type(operator));
        }
        match apply(operator, &left, &right) {
            Ok(value) => {
                self.observe([&left, &right], &value);
                value
            }
            Err(reason) => {
                self.report_error(
                    "Operation failed",
                    format!("Error during operation: {reason}."),
                    operation.span,
                    None,
                );
                Value::Unknown(result_type(operator))
            }
        }
    }

    pub(super) fn unary(&mut self, operation: &UnaryOperation, context: &Context<'_>) -> Value {
        let errors = self.errors;
        let ty = match operation.operator {
            UnaryOperator::Negate => Type::Number,
            UnaryOperator::Not => Type::Bool,
        };
        let value = self.value(&operation.operand, context);
        let value = self.operand("unary operand", value, &operation.operand, &ty, operation.span);
        if self.errors > errors {
            return Value::Unknown(ty);
        }
        match (operation.operator, value) {
            (UnaryOperator::Negate, Value::Number(number)) => {
                let negated = Value::Number(number.negate());
                self.observe([&Value::Number(number)], &negated);
                negated
            }
            (UnaryOperator::Not, Value::Bool(value)) => Value::Bool(!value),
            (_, Value::Null(_)) => {
                self.report_error("Operation failed", format!("Error during operation: {NULL}."), operation.span, None);
                Value::Unknown(ty)
            }
            _ => Value::Unknown(ty),
        }
    }

    fn operand(
        &mut self,
        which: &str,
        value: Value,
        expression: &Expression,
        expected: &Type,
        whole: hieratic_hcl_syntax::Span,
    ) -> Value {
        if *expected == Type::Dynamic || value.is_of(expected) {
            return value;
        }
        match convert(&value, expected) {
            Ok(value) => value,
            Err(error) => {
                let detail = format!("Unsuitable value for {which}: {error}.");
                self.report_error("Invalid operand", detail, expression.span(), Some(whole));
                Value::Unknown(expected.clone())
            }
        }
    }
}

fn operand_type(operator: BinaryOperator) -> Type {
    match operator {
        BinaryOperator::Or | BinaryOperator::And => Type::Bool,
        BinaryOperator::Equal | BinaryOperator::NotEqual => Type::Dynamic,
        _ => Type::Number,
    }
}

fn result_type(operator: BinaryOperator) -> Type {
    match operator {
        BinaryOperator::Add
        | BinaryOperator::Subtract
        | BinaryOperator::Multiply
        | BinaryOperator::Divide
        | BinaryOperator::Modulo => Type::Number,
        _ => Type::Bool,
    }
}

fn apply(operator: BinaryOperator, left: &Value, right: &Value) -> Result<Value, &'static str> {
    let unknown = || Value::Unknown(result_type(operator));
    match operator {
        BinaryOperator::Equal => return Ok(left.equals(right).map_or_else(unknown, Value::Bool)),
        BinaryOperator::NotEqual => return Ok(left.equals(right).map_or_else(unknown, |equal| Value::Bool(!equal))),
        _ => {}
    }
    if left.is_null() || right.is_null() {
        return Err(NULL);
    }
    Ok(match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Value::Bool(match operator {
            BinaryOperator::And => *left && *right,
            _ => *left || *right,
        }),
        (Value::Number(left), Value::Number(right)) => numbers(operator, left, right)?,
        _ => unknown(),
    })
}

fn numbers(operator: BinaryOperator, left: &Number, right: &Number) -> Result<Value, &'static str> {
    let (result, error) = match operator {
        BinaryOperator::GreaterThan => return Ok(Value::Bool(left > right)),
        BinaryOperator::GreaterThanOrEqual => return Ok(Value::Bool(left >= right)),
        BinaryOperator::LessThan => return Ok(Value::Bool(left < right)),
        BinaryOperator::LessThanOrEqual => return Ok(Value::Bool(left <= right)),
        BinaryOperator::Add => (left.add(right), "can't compute sum of opposing infinities"),
        BinaryOperator::Subtract => (left.subtract(right), "can't subtract infinity from itself"),
        BinaryOperator::Multiply => (left.multiply(right), "can't multiply zero by infinity"),
        BinaryOperator::Divide => (left.divide(right), "can't divide zero by zero or infinity by infinity"),
        _ => (left.modulo(right), "can't use modulo with zero and infinity"),
    };
    result.map(Value::Number).ok_or(error)
}
