//! Function calls.
//!
//! Source: <https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md#functions-and-function-calls>.

use hieratic_hcl_syntax::Span;
use hieratic_hcl_syntax::ast::{Expression, FunctionCall};
use hieratic_hcl_types::{CallError, Function, Parameter, Type, Value, convert, quoted};

use super::Evaluator;
use crate::context::Context;
use crate::functions::Callable;
use crate::suggestion::nearest;

const UNKNOWN_FUNCTION: &str = "Call to unknown function";
const INVALID_ARGUMENT: &str = "Invalid function argument";

/// An argument: an expression, or an element of the expanded list, whose position is that of the list.
pub(super) enum Argument<'e> {
    Expression(&'e Expression),
    Element { value: Value, span: Span },
}

impl Argument<'_> {
    pub(super) fn start_span(&self) -> Span {
        match self {
            Argument::Expression(expression) => expression.start_span(),
            Argument::Element { span, .. } => *span,
        }
    }
}

impl Evaluator<'_> {
    pub(super) fn call(&mut self, call: &FunctionCall, context: &Context<'_>) -> Value {
        let Some(callable) = context.functions().find_map(|functions| functions.get(&call.name)) else {
            self.unknown_function(call, context);
            return Value::DYNAMIC;
        };
        let Some(arguments) = self.arguments(call, context) else { return Value::DYNAMIC };
        match callable {
            Callable::Function(function) => self.call_function(call, function, &arguments, context),
            Callable::Try => self.call_try(call, &arguments, context),
            Callable::Can => self.call_can(call, &arguments, context),
            Callable::Convert => self.call_convert(call, &arguments, context),
        }
    }

    fn unknown_function(&mut self, call: &FunctionCall, context: &Context<'_>) {
        let whole = call.span();
        let Some(functions) = context.functions().next() else {
            self.report_error("Function calls not allowed", "Functions may not be called here.", whole, None);
            return;
        };
        let detail = match call.name.rfind("::") {
            Some(at) => {
                let (namespace, name) = call.name.split_at(at + 2);
                let available: Vec<&str> = functions.names().filter(|name| name.starts_with(namespace)).collect();
                if available.is_empty() {
                    format!("There are no functions in namespace {}.", quoted(namespace))
                } else {
                    let suggestion = nearest(name, available);
                    let suggestion = suggestion
                        .map_or_else(String::new, |suggestion| format!(" Did you mean {namespace}{suggestion}?"));
                    format!("There is no function named {} in namespace {namespace}.{suggestion}", quoted(name))
                }
            }
            None => {
                let suggestion = nearest(&call.name, functions.names());
                let suggestion =
                    suggestion.map_or_else(String::new, |suggestion| format!(" Did you mean {}?", quoted(suggestion)));
                format!("There is no function named {}.{suggestion}", quoted(&call.name))
            }
        };
        self.report_error(UNKNOWN_FUNCTION, detail, call.name_span, Some(whole));
    }

    /// The arguments, with the last one expanded; `None` if it cannot be expanded or is unknown.
    fn arguments<'e>(&mut self, call: &'e FunctionCall, context: &Context<'_>) -> Option<Vec<Argument<'e>>> {
        let (last, others) = match call.arguments.split_last() {
            Some((last, others)) if call.expand_final => (last, others),
            _ => return Some(call.arguments.iter().map(Argument::Expression).collect()),
        };
        let errors = self.errors;
        let list = self.value(last, context);
        if self.errors > errors {
            return None;
        }
        let detail = match &list {
            Value::Unknown(Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_)) => return None,
            Value::Null(Type::Dynamic | Type::Tuple(_) | Type::List(_) | Type::Set(_)) => {
                "The expanding argument (indicated by ...) must not be null."
            }
            value => match value.as_slice() {
                Some(items) => {
                    let span = last.span();
                    if !self.charge(items.len(), size_of_val(items), span) {
                        return None;
                    }
                    let elements = items.iter().map(|value| Argument::Element { value: value.clone(), span });
                    return Some(others.iter().map(Argument::Expression).chain(elements).collect());
                }
                None => "The expanding argument (indicated by ...) must be of a tuple, list, or set type.",
            },
        };
        self.report_error("Invalid expanding argument value", detail, last.span(), Some(call.span()));
        None
    }

    fn call_function(
        &mut self,
        call: &FunctionCall,
        function: &Function,
        arguments: &[Argument<'_>],
        context: &Context<'_>,
    ) -> Value {
        let names: Vec<&str> = function.parameters.iter().map(|parameter| parameter.name).collect();
        if !self.check_argument_count(call, arguments, &names, function.variadic.is_some()) {
            return Value::DYNAMIC;
        }
        let errors = self.errors;
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            values.push(self.argument(call, function.parameter(index), argument, context));
        }
        if self.errors > errors {
            // After failed arguments, a message of the function would only confuse.
            return Value::DYNAMIC;
        }
        let at = call.span();
        if !values.iter().all(|value| self.charge_traversal(value, at)) {
            return Value::DYNAMIC;
        }
        match function.call_with_budget(&self.budget, &values) {
            Ok(value) => {
                if self.charge_traversal(&value, at) {
                    self.observe(&values, &value);
                    value
                } else {
                    Value::DYNAMIC
                }
            }
            // `try` does not recover from an exceeded limit. It is reported at the end of the evaluation.
            Err(CallError::Limit { limit, .. }) => {
                self.exhausted.get_or_insert((limit, at));
                Value::DYNAMIC
            }
            Err(error) => {
                self.call_failed(call, &error, arguments, &|index| function.parameter(index).map(|found| found.name));
                Value::DYNAMIC
            }
        }
    }

    /// Checks the number of arguments, and reports a mismatch.
    pub(super) fn check_argument_count(
        &mut self,
        call: &FunctionCall,
        arguments: &[Argument<'_>],
        parameters: &[&str],
        variadic: bool,
    ) -> bool {
        let expected = parameters.len();
        if let Some(missing) = parameters.get(arguments.len()) {
            let qualifier = if variadic { " at least" } else { "" };
            let detail = format!(
                "Function {} expects{qualifier} {expected} argument(s). Missing value for {}.",
                quoted(&call.name),
                quoted(missing)
            );
            self.report_error("Not enough function arguments", detail, call.close_span, Some(call.span()));
            return false;
        }
        if let Some(extra) = arguments.get(expected).filter(|_| !variadic) {
            let detail = format!("Function {} expects only {expected} argument(s).", quoted(&call.name));
            self.report_error("Too many function arguments", detail, extra.start_span(), Some(call.span()));
            return false;
        }
        true
    }

    pub(super) fn argument(
        &mut self,
        call: &FunctionCall,
        parameter: Option<&Parameter>,
        argument: &Argument<'_>,
        context: &Context<'_>,
    ) -> Value {
        let value = match argument {
            Argument::Expression(expression) => self.value(expression, context),
            Argument::Element { value, .. } => value.clone(),
        };
        let Some(parameter) = parameter.filter(|parameter| parameter.ty != Type::Dynamic) else { return value };
        if !self.charge_traversal(&value, call.span()) {
            return Value::DYNAMIC;
        }
        match convert(&value, &parameter.ty) {
            Ok(value) => value,
            Err(error) => {
                let detail = format!("Invalid value for {} parameter: {error}.", quoted(parameter.name));
                self.report_error(INVALID_ARGUMENT, detail, argument.start_span(), Some(call.span()));
                Value::DYNAMIC
            }
        }
    }

    pub(super) fn call_failed(
        &mut self,
        call: &FunctionCall,
        error: &CallError,
        arguments: &[Argument<'_>],
        parameter: &dyn Fn(usize) -> Option<&'static str>,
    ) {
        let named = match error {
            CallError::Argument { index, .. } => parameter(*index).map(|name| (name, arguments.get(*index))),
            CallError::Call(_) | CallError::Limit { .. } => None,
        };
        match named {
            Some((name, argument)) => {
                let detail = format!("Invalid value for {} parameter: {error}.", quoted(name));
                let (at, within) = match argument {
                    Some(argument) => (argument.start_span(), Some(call.span())),
                    None => (call.span(), None),
                };
                self.report_error(INVALID_ARGUMENT, detail, at, within);
            }
            None => {
                let detail = format!("Call to function {} failed: {error}.", quoted(&call.name));
                let start = call.name_span.to(call.open_span);
                self.report_error("Error in function call", detail, start, Some(call.span()));
            }
        }
    }
}
