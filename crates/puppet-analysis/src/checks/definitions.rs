//! The defaults of parameters, and the results of functions.

use hieratic::Value;
use hieratic::puppet_types::{Type, describe_mismatch};
use hieratic_diagnostics::Severity;
use hieratic_puppet_syntax::ast::{Expr, Function, Node, Parameter};
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
                let finding = Finding::new(&ATTRIBUTE_TYPE, default.span, message);
                // A default is only refused where nothing else is given.
                self.report(finding.with_severity(Severity::Warning));
            } else {
                self.check_branches(&format!("the default of the parameter '{}'", parameter.name), &expected, default);
            }
        }
    }

    /// Reports branches of a value that never are of the expected type, where others may be.
    pub(crate) fn check_branches(&mut self, subject: &str, expected: &Type, value: &'t Expr) {
        let branches = self.branches(value);
        if branches.len() < 2 {
            return;
        }
        for branch in branches {
            let given = self.infer(branch);
            let is_undef = given.value.as_ref().is_some_and(Value::is_undef);
            let Some(actual) = given.kind.as_ref().filter(|_| !is_undef && given.never_fits(expected)) else {
                continue;
            };
            let message = describe_mismatch(subject, expected, actual);
            let message =
                if message.is_empty() { format!("{subject} expects {expected}, got {actual}") } else { message };
            let finding = Finding::new(&ATTRIBUTE_TYPE, branch.span, message.trim_start().to_owned());
            // The branch may never be taken.
            self.report(finding.with_severity(Severity::Warning));
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
            return self.report(Finding::new(&RETURN_TYPE, last.span, describe_mismatch(&subject, &expected, actual)));
        }
        if misses_branch(last) && !expected.is_assignable(&Type::Undef) {
            let message = format!("{} returns undef, no {expected}, if the condition does not hold", function.name);
            self.report(Finding::new(&RETURN_TYPE, last.span, message).with_severity(Severity::Warning));
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

/// Returns whether a statement has no result if its conditions do not hold.
fn misses_branch(statement: &Expr) -> bool {
    match &statement.node {
        Node::If(one) | Node::Unless(one) => one.otherwise.as_ref().is_none_or(misses_branch),
        Node::Block(all) => all.last().is_some_and(misses_branch),
        _ => false,
    }
}
