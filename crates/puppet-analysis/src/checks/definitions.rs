//! The defaults of parameters, and the results of functions.

use hieratic::Value;
use hieratic::puppet_types::{Type, describe_mismatch};
use hieratic::value::collections::HashMap;
use hieratic_diagnostics::{Severity, Span};
use hieratic_puppet_syntax::ast::{Expr, Function, Node, Parameter, Program, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::finding::{ATTRIBUTE_TYPE, DUPLICATE_RESOURCE, Finding, RETURN_TYPE, UNSET_VARIABLE};
use crate::names::{plain, written_name};
use crate::scope::{Place, Scope};
use crate::summary::lambda_of;
use crate::types::{Inferred, is_default};
use crate::walk::Walk;

impl<'t> Walk<'t> {
    /// Reports definitions of one name in the same file.
    pub(crate) fn check_repeated_definitions(&mut self, tree: &'t Program) {
        let mut seen: HashMap<(&'static str, String), Span> = HashMap::default();
        let mut found: Vec<(&'static str, String, Span, Span)> = Vec::new();
        let mut open = vec![&tree.body];
        let mut all: Vec<&'t Expr> = Vec::new();
        while let Some(expr) = open.pop() {
            match &expr.node {
                Node::Block(statements) => open.extend(statements.iter().rev()),
                Node::Class(class) => {
                    all.push(expr);
                    open.push(&class.body);
                }
                _ => all.push(expr),
            }
        }
        for expr in all {
            // A class and a defined type share their names.
            let (noun, names): (&'static str, Vec<(String, Span)>) = match &expr.node {
                Node::Class(one) => ("class or defined type", vec![(plain(&one.name).to_lowercase(), one.span)]),
                Node::Define(one) => ("class or defined type", vec![(plain(&one.name).to_lowercase(), one.span)]),
                Node::Function(one) => ("function", vec![(plain(&one.name).to_lowercase(), one.span)]),
                Node::TypeAlias(one) => ("type alias", vec![(plain(&one.name).to_lowercase(), one.span)]),
                Node::NodeDefinition(one) => {
                    ("node", one.matches.iter().filter_map(|name| Some((self.node_name(name)?, name.span))).collect())
                }
                _ => continue,
            };
            for (name, span) in names {
                let span = Span::new(span.first(), span.behind().min(self.line_end(span.first())));
                match seen.get(&(noun, name.clone())) {
                    Some(first) => found.push((noun, name, span, *first)),
                    None => drop(seen.insert((noun, name), span)),
                }
            }
        }
        for (noun, name, span, first) in found {
            let message = format!("the {noun} '{name}' is defined twice");
            let finding = Finding::new(&DUPLICATE_RESOURCE, span, message);
            self.report(finding.related(self.source, first, "the first time"));
        }
    }

    /// The name of a node definition in lower case, or its regular expression as it is written.
    fn node_name(&self, name: &'t Expr) -> Option<String> {
        if is_default(name) {
            return Some("default".to_owned());
        }
        match &name.node {
            Node::Literal(Value::String(_)) | Node::Name(_) => written_name(name).map(|name| name.to_lowercase()),
            Node::Regexp(regexp) => Some(format!("/{}/", regexp.source())),
            _ => None,
        }
    }

    /// The end of the line of an offset.
    fn line_end(&self, offset: usize) -> usize {
        let text = self.source.text();
        text[offset..]
            .find(['\n', '{', '('])
            .map_or(text.len(), |length| offset + text[offset..offset + length].trim_end().len())
    }

    /// Reports a default that reads a parameter which has no value yet: this one or a later one.
    fn check_order_of_defaults(&mut self, parameters: &'t [Parameter]) {
        for (position, parameter) in parameters.iter().enumerate() {
            let Some(default) = &parameter.default else { continue };
            let mut reads: Vec<(&'t str, Span)> = Vec::new();
            let mut bound: Vec<&'t str> = Vec::new();
            each_expression(default, &mut |expr| {
                if let Node::Variable(Variable::Local(name)) = &expr.node {
                    reads.push((name, expr.span));
                }
                // The parameters of blocks hide those of the definition.
                let own = lambda_of(expr).into_iter().flat_map(|lambda| &lambda.parameters);
                bound.extend(own.map(|one| &*one.name));
            });
            let is_later = |name: &str| parameters[position..].iter().any(|one| &*one.name == name);
            for (name, span) in reads.into_iter().filter(|(name, _)| !bound.contains(name) && is_later(name)) {
                let message = format!("the default of '${}' reads '${name}', which has no value yet", parameter.name);
                let finding = Finding::new(&UNSET_VARIABLE, span, message);
                self.report(finding.help("parameters get their values in order: move it after the other one"));
            }
        }
    }

    /// Reports defaults that are not of the type of their parameter.
    pub(crate) fn check_defaults(&mut self, parameters: &'t [Parameter]) {
        self.check_order_of_defaults(parameters);
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
