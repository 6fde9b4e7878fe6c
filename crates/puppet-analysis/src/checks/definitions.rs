//! The defaults of parameters, and the results of functions.

use hieratic::Value;
use hieratic::puppet_types::describe_mismatch;
use hieratic_puppet_syntax::ast::{Function, Node, Parameter};
use hieratic_puppet_syntax::visit::each_expression;

use crate::finding::{ATTRIBUTE_TYPE, Finding, RETURN_TYPE};
use crate::scope::{Place, Scope};
use crate::types::Inferred;
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports defaults that are not of the type of their parameter.
    pub(crate) fn check_defaults(&mut self, parameters: &'t [Parameter]) {
        for parameter in parameters {
            let (Some(kind), Some(default)) = (&parameter.kind, &parameter.default) else { continue };
            let Some(expected) = self.program.data_type(self.source.slice(kind.span)) else { continue };
            let given = self.infer(default);
            // A default of undef marks a parameter that has to be given.
            if given.value.as_ref().is_some_and(Value::is_undef) {
                continue;
            }
            if let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) {
                let subject = format!("the default of the parameter '{}'", parameter.name);
                let message = describe_mismatch(&subject, &expected, actual);
                self.report(Finding::new(&ATTRIBUTE_TYPE, default.span, message));
            }
        }
    }

    /// Reports a function whose last statement never is of the type that it returns.
    pub(crate) fn check_return(&mut self, function: &'t Function) {
        let Some(kind) = &function.returns else { return };
        let Some(expected) = self.program.data_type(self.source.slice(kind.span)) else { return };
        let mut returns_early = false;
        each_expression(&function.body, &mut |expr| {
            if let Node::Call(call) = &expr.node
                && let Node::Name(name) = &call.functor.node
            {
                returns_early |= matches!(&**name, "return" | "fail");
            }
        });
        let last = match &function.body.node {
            Node::Block(all) => all.last(),
            Node::Nop => None,
            _ => Some(&function.body),
        };
        let Some(last) = last.filter(|_| !returns_early) else { return };
        let given: Inferred = self.of_body(function);
        if let Some(actual) = given.kind.as_ref().filter(|_| given.never_fits(&expected)) {
            let subject = format!("value returned from {} has wrong type,", function.name);
            self.report(Finding::new(&RETURN_TYPE, last.span, describe_mismatch(&subject, &expected, actual)));
        }
    }

    fn of_body(&mut self, function: &'t Function) -> Inferred {
        self.scopes.push(Scope::new(Place::Function, &function.parameters, &function.body));
        self.reach.set(self.scopes.len());
        let found = self.infer_last(&function.body, 0);
        self.scopes.pop();
        self.reach.set(self.scopes.len());
        found
    }
}
