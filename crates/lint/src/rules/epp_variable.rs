//! # epp-variable
//!
//! An EPP template misspells a parameter. (warning)
//!
//! ## What is found
//!
//! A template with a list of parameters reads a variable without `::` that it neither declares nor sets, and the name is
//! nearly that of one of its parameters. Other names are not reported: they can be facts, or variables of the top scope.
//! A template with parameters does not see the variables of the class that renders it.
//!
//! ## Why it matters
//!
//! The variable is empty, or an error with strict variables, which are the default since Puppet 8.
//!
//! ## How to fix it
//!
//! Write the name of the parameter.
//!
//! ## Example
//!
//! ```epp
//! <%- | Array[String] $servers | -%>
//! servers <%= $server.join(' ') %>
//! ```
//!
//! becomes
//!
//! ```epp
//! <%- | Array[String] $servers | -%>
//! servers <%= $servers.join(' ') %>
//! ```
//!
//! A comment `# hieratic: ignore epp-variable` on the same line or the line before accepts the finding.

use hieratic::value::ErasedSort as _;
use hieratic::value::collections::HashSet;
use hieratic_diagnostics::nearest;
use hieratic_puppet_syntax::ast::{Assignment, Epp, Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use super::ProgramContext;
use crate::finding::Finding;
use crate::legacy_facts::legacy_fact;
use crate::rules;

pub(super) fn check(cx: &ProgramContext<'_>) {
    let Node::Epp(epp) = &cx.program.body.node else { return };
    let Some(parameters) = &epp.parameters else { return };
    let known = set_in(epp);
    let names: Vec<&str> = parameters.iter().map(|parameter| &*parameter.name).collect();
    let mut reported = HashSet::default();
    let mut reads: Vec<(&Expr, &str)> = Vec::new();
    each_expression(&cx.program.body, &mut |expr| {
        if let Node::Variable(Variable::Local(name)) = &expr.node
            && !known.contains(&**name)
        {
            reads.push((expr, name));
        }
    });
    reads.sort_erased_by_key(|(expr, _)| expr.span.start);
    for (expr, name) in reads {
        // Facts and the variables of every scope are not misspellings.
        let is_of_all =
            matches!(name, "facts" | "trusted" | "server_facts" | "environment" | "module_name" | "title" | "name");
        if is_of_all || legacy_fact(name, true).is_some() || !reported.insert(name) {
            continue;
        }
        let Some(near) = nearest(name, names.iter().copied()) else { continue };
        let source = &cx.program.source;
        let message = format!("the template has no parameter '${name}', and does not see variables of classes");
        let finding = Finding::new(&rules::EPP_VARIABLE, message).at(source, source.clamp(expr.span), "");
        cx.report(finding.help(format!("did you mean '${near}'?")));
    }
}

/// The variables that a template has: its parameters, those of blocks, and the variables that it sets.
fn set_in(epp: &Epp) -> HashSet<&str> {
    let mut known: HashSet<&str> = epp.parameters.iter().flatten().map(|parameter| &*parameter.name).collect();
    each_expression(&epp.body, &mut |expr| match &expr.node {
        Node::Assign(Assignment::Set, left, _) => each_expression(left, &mut |target| {
            if let Node::Variable(Variable::Local(name)) = &target.node {
                known.insert(name);
            }
        }),
        Node::Lambda(lambda) => known.extend(lambda.parameters.iter().map(|parameter| &*parameter.name)),
        Node::Call(call) => {
            known.extend(call.lambda.iter().flat_map(|lambda| &lambda.parameters).map(|parameter| &*parameter.name));
        }
        Node::Method(method) => {
            known.extend(method.lambda.iter().flat_map(|lambda| &lambda.parameters).map(|parameter| &*parameter.name));
        }
        _ => {}
    });
    known
}
