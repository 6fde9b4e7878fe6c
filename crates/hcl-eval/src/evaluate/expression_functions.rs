//! The functions that take expressions: `try`, `can` and `convert`.
//!
//! Source: <https://developer.hashicorp.com/nomad/docs/reference/hcl2/functions/conversion/try> and its neighbours.

use std::fmt::Write;

use hieratic_hcl_syntax::ast::FunctionCall;
use hieratic_hcl_syntax::{Problem, Severity};
use hieratic_hcl_types::{CallError, Type, Value, convert};

use super::Evaluator;
use super::call::Argument;
use crate::context::Context;
use crate::{Expression, type_expression};

impl Evaluator<'_> {
    /// The value of the first argument that has no error.
    pub(super) fn call_try(&mut self, call: &FunctionCall, arguments: &[Argument<'_>], context: &Context<'_>) -> Value {
        let mut all: Vec<Problem> = Vec::new();
        for argument in arguments {
            let (value, problems) = self.attempt(argument, context);
            if !has_errors(&problems) {
                return if value.is_wholly_known() { value } else { Value::DYNAMIC };
            }
            all.extend(problems);
        }
        if self.exhausted.is_some() {
            return Value::DYNAMIC;
        }
        let message = if arguments.is_empty() {
            "at least one argument is required".to_owned()
        } else {
            let mut list = String::from("no expression succeeded:\n");
            for problem in &all {
                // Writing to a string cannot fail.
                let _ = match &problem.subject {
                    Some(range) => writeln!(list, "- {} (at {range})\n  {}", problem.summary, problem.detail),
                    None => writeln!(list, "- {}\n  {}", problem.summary, problem.detail),
                };
            }
            list.push_str("\nAt least one expression must produce a successful result");
            list
        };
        self.call_failed(call, &CallError::call(message), arguments, &|_| None);
        Value::DYNAMIC
    }

    /// `can`: reports whether the argument evaluates without errors.
    pub(super) fn call_can(&mut self, call: &FunctionCall, arguments: &[Argument<'_>], context: &Context<'_>) -> Value {
        if !self.check_argument_count(call, arguments, &["expression"], false) {
            return Value::DYNAMIC;
        }
        let Some(argument) = arguments.first() else { return Value::DYNAMIC };
        let (value, problems) = self.attempt(argument, context);
        match (has_errors(&problems), value.is_wholly_known()) {
            (true, _) => Value::FALSE,
            (false, true) => Value::TRUE,
            (false, false) => Value::Unknown(Type::Bool),
        }
    }

    /// The value as the type that the second argument names.
    pub(super) fn call_convert(
        &mut self,
        call: &FunctionCall,
        arguments: &[Argument<'_>],
        context: &Context<'_>,
    ) -> Value {
        if !self.check_argument_count(call, arguments, &["value", "type"], false) {
            return Value::DYNAMIC;
        }
        let [value, constraint] = arguments else { return Value::DYNAMIC };
        let errors = self.errors;
        let value = self.argument(call, None, value, context);
        let ty = match constraint {
            Argument::Expression(expression) => {
                let expression = Expression::native(self.source, expression);
                let (ty, problems) = type_expression::constraint(&expression);
                self.report_all(problems);
                ty
            }
            Argument::Element { span, .. } => {
                let detail = "A type specification is either a primitive type keyword (bool, number, string) or a \
                              complex type constructor call, like list(string).";
                self.report_error("Invalid type specification", detail, *span, None);
                Type::Dynamic
            }
        };
        if self.errors > errors {
            return Value::DYNAMIC;
        }
        if !self.charge_traversal(&value, call.span()) {
            return Value::DYNAMIC;
        }
        // The reference converts twice: once to find the type of the result, and then the argument to that type, in
        // which no attribute is optional. So a missing attribute is an error even if the constraint makes it optional.
        match convert(&value, &ty).and_then(|reached| convert(&value, &reached.ty())) {
            Ok(value) => value,
            Err(error) => {
                let error = CallError::argument(0, error.message);
                self.call_failed(call, &error, arguments, &|index| ["value", "type"].get(index).copied());
                Value::DYNAMIC
            }
        }
    }

    fn attempt(&mut self, argument: &Argument<'_>, context: &Context<'_>) -> (Value, Vec<Problem>) {
        match argument {
            Argument::Expression(expression) => self.capture_problems(expression, context),
            Argument::Element { value, .. } => (value.clone(), Vec::new()),
        }
    }
}

fn has_errors(problems: &[Problem]) -> bool {
    problems.iter().any(|problem| problem.severity == Severity::Error)
}
