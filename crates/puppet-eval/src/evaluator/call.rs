//! Calls of functions.
//!
//! See [function calls](https://www.puppet.com/docs/puppet/8/lang_functions.html). The order of the search is: the
//! functions of the evaluator itself (they need scopes), the built-in functions, those that the manifest or a module
//! defines, and those of the stdlib module.

use std::sync::Arc;

use hieratic_puppet_functions::{Block, EvalError, Flow, Outcome};
use hieratic_puppet_syntax::ast::{Call, Expr, Lambda, Method, Node};
use hieratic_value::Value;

use super::{Evaluator, UserFunction};
use crate::builtin;

impl Evaluator<'_> {
    pub(super) fn eval_call(&mut self, expr: &Expr, call: &Call) -> Outcome {
        let name = match &call.functor.node {
            Node::Name(name) => name,
            // Calling a type creates an instance of it.
            Node::Reference(_) => return self.instantiate(expr, call),
            Node::Access { left, .. } if matches!(left.node, Node::Reference(_)) => {
                return self.instantiate(expr, call);
            }
            Node::RenderString(_) => {
                let message = "Ambiguous EPP parameter expression. Probably missing '<%-' before parameters to remove leading whitespace";
                return Err(self.calls.fail(expr, message));
            }
            _ => {
                let message = format!(
                    "Illegal expression. {} is unacceptable as function name in {}",
                    hieratic_puppet_syntax::label::with_article_capitalized(&call.functor),
                    hieratic_puppet_syntax::label::with_article(expr)
                );
                return Err(self.calls.fail(&call.functor, message));
            }
        };
        let arguments = self.eval_all(&call.arguments, Vec::with_capacity(call.arguments.len()))?;
        self.call_at(expr, name, arguments, call.lambda.as_ref())
    }

    fn instantiate(&mut self, expr: &Expr, call: &Call) -> Outcome {
        let kind = self.eval(&call.functor)?;
        let arguments = self.eval_all(&call.arguments, vec![kind])?;
        self.call_at(expr, "new", arguments, call.lambda.as_ref())
    }

    pub(super) fn eval_method(&mut self, expr: &Expr, method: &Method) -> Outcome {
        let receiver = self.eval_all(std::slice::from_ref(&method.receiver), Vec::new())?;
        // Attributes and functions of an object take precedence.
        if let Some(object) = receiver.first()
            && let Some(value) = hieratic_puppet_types::attribute(object, &method.name)
        {
            return Ok(value);
        }
        // The context argument of a Hiera backend function.
        if let Some(context) = receiver.first()
            && hieratic_puppet_types::is_lookup_context(context)
            && let Some(function) = builtin::lookup_context::method(&method.name)
        {
            let arguments = self.eval_all(&method.arguments, Vec::new())?;
            let block = method.lambda.as_ref().map(|lambda| self.block(lambda)).transpose()?;
            let before = self.calls.move_to(expr.at);
            let outcome = function.call(self, &arguments, block.as_ref());
            self.calls.move_to(before);
            return outcome;
        }
        let arguments = self.eval_all(&method.arguments, receiver)?;
        self.call_at(expr, &method.name, arguments, method.lambda.as_ref())
    }

    /// Calls a function from an expression, whose position its logs and errors get.
    fn call_at(&mut self, expr: &Expr, name: &str, arguments: Vec<Value>, lambda: Option<&Arc<Lambda>>) -> Outcome {
        let block = lambda.map(|lambda| self.block(lambda)).transpose()?;
        let before = self.calls.move_to(expr.at);
        let outcome = self.call_if_known(name, &arguments, block.as_ref());
        self.calls.move_to(before);
        match outcome {
            Some(outcome) => outcome,
            None => Err(self.unknown_function(expr, name)),
        }
    }

    fn unknown_function(&self, expr: &Expr, name: &str) -> Flow {
        if let Some(advice) = hieratic_puppet_stdlib::successor(name) {
            return self.calls.fail_with_help(expr, format!("Unknown function: '{name}'."), Some(advice));
        }
        let mut known: Vec<&str> = self.definitions.function_names().collect();
        let built_in =
            hieratic_puppet_functions::names().chain(builtin::names()).chain(hieratic_puppet_stdlib::names());
        known.extend(built_in.map(|name: &str| name));
        let help = hieratic_diagnostics::nearest(name, known);
        let help = help.map(|nearest| format!("did you mean '{nearest}'?"));
        self.calls.fail_with_help(expr, format!("Unknown function: '{name}'."), help)
    }

    /// Calls a function by name; returns `None` if it does not exist.
    pub(crate) fn call_if_known(&mut self, name: &str, arguments: &[Value], block: Option<&Block>) -> Option<Outcome> {
        if let Err(flow) = self.budget.step() {
            return Some(Err(flow));
        }
        let name = name.strip_prefix("::").unwrap_or(name);
        if let Some(value) = self.options.stubs.get(name) {
            return Some(Ok(value.clone()));
        }
        // Definitions of the manifest take precedence over built-in functions.
        if let Some(function) = self.definitions.function(name).cloned() {
            return Some(self.call_user(&function, arguments, block));
        }
        // A Puppet-language function is charged for its own steps; other functions are charged by their arguments.
        if let Err(flow) = self.budget.charge_call(name, arguments) {
            return Some(Err(flow));
        }
        if let Some(function) = builtin::find(name) {
            let outcome = function.call(self, arguments, block);
            return Some(self.record_result(arguments, block, outcome));
        }
        if let Some(function) = hieratic_puppet_functions::find(name) {
            let outcome = function.call(self, arguments, block);
            return Some(self.charge_result(arguments, block, outcome));
        }
        match self.user_function(name) {
            Ok(Some(function)) => return Some(self.call_user(&function, arguments, block)),
            Ok(None) => {}
            Err(flow) => return Some(Err(flow)),
        }
        if let Some(function) = hieratic_puppet_stdlib::find(name) {
            let outcome = function.call(self, arguments, block);
            return Some(self.charge_result(arguments, block, outcome));
        }
        match self.ruby_function(name) {
            Ok(function) => {
                let function = function?;
                let outcome = self.call_ruby(name, &function, arguments, block);
                Some(self.charge_result(arguments, block, outcome))
            }
            Err(flow) => Some(Err(flow)),
        }
    }

    /// Charges the cost of a function's searches and of its result.
    fn charge_result(&mut self, arguments: &[Value], block: Option<&Block>, outcome: Outcome) -> Outcome {
        self.budget.charge_backtracks()?;
        let outcome = self.budget.charge_value(outcome?);
        self.record_result(arguments, block, outcome)
    }

    /// Reports to the environment that a value was computed from the arguments. Results of blocks were reported inside
    /// the block, except for a selection of an array's elements.
    fn record_result(&self, arguments: &[Value], block: Option<&Block>, outcome: Outcome) -> Outcome {
        match (&outcome, block) {
            (Ok(value), None) => self.environment.record_computed(arguments, value),
            (Ok(value @ Value::Array(_)), Some(_)) if matches!(arguments.first(), Some(Value::Array(_))) => {
                self.environment.record_computed(arguments, value);
            }
            _ => {}
        }
        outcome
    }

    /// Calls a Puppet-language function: it sees the top scope, but not the scope of its caller.
    pub(super) fn call_user(&mut self, function: &UserFunction, arguments: &[Value], block: Option<&Block>) -> Outcome {
        let closure = match function.closure.get() {
            Some(closure) => closure.clone(),
            None => {
                let name = function.lambda_name();
                let prepared = self.in_program(&function.program, |this| this.prepare(name, &function.lambda))?;
                function.closure.get_or_init(|| Arc::new(prepared)).clone()
            }
        };
        if block.is_some() {
            let message = format!("'{}' does not expect a block", function.name());
            return Err(EvalError::new(message).into());
        }
        let mark = self.scopes.enter(super::TOP);
        let outcome = self.in_program(&function.program, |this| this.run_closure(&closure, arguments));
        self.scopes.reset(mark);
        match outcome {
            Err(Flow::Return(value, _)) => Ok(value),
            outcome => outcome,
        }
    }
}
