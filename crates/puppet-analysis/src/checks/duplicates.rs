//! Variables that are set twice, and resources that are declared twice.

use hieratic::value::collections::HashMap;
use hieratic_diagnostics::Span;
use hieratic_puppet_syntax::ast::{Expr, Node, Variable};
use hieratic_puppet_syntax::visit::each_expression;

use crate::assignments::{Declared, Included};
use crate::finding::{DUPLICATE_RESOURCE, Finding, REASSIGNED_VARIABLE};
use crate::names::{listed, plain, written_name};
use crate::scope::{Place, Scope};
use crate::walk::Walk;

/// Variables that no code may set.
const RESERVED: [&str; 4] = ["trusted", "facts", "title", "name"];

impl<'t> Walk<'t> {
    /// Checks the scope that was entered.
    pub(crate) fn check_scope(&mut self) {
        let Some(scope) = self.scopes.last() else { return };
        let mut found = reassigned(scope);
        found.extend(self.duplicates(scope));
        found.into_iter().for_each(|finding| self.report(finding));
    }

    fn duplicates(&self, scope: &Scope<'t>) -> Vec<Finding> {
        let mut first: HashMap<(String, String), Vec<(&Declared<'t>, Span)>> = HashMap::default();
        let mut found = self.included_before(scope);
        for declared in &scope.code.resources {
            let Node::Name(kind) = &declared.kind.node else { continue };
            for title in listed(&declared.body.title) {
                let Some(shown) = self.title_key(title) else { continue };
                let kind_key = plain(kind).to_lowercase();
                let cut = shown.trim_end_matches('/');
                let same = if kind_key == "file" && !cut.is_empty() { cut.to_owned() } else { shown.clone() };
                let key = (kind_key, same);
                let before = first.entry(key).or_default();
                if let Some((_, span)) = before.iter().find(|(one, _)| one.precedes(declared)) {
                    let message = format!(
                        "the resource {}[{shown}] is declared twice",
                        hieratic::puppet_types::capitalize_segments(plain(kind))
                    );
                    found.push(Finding::new(&DUPLICATE_RESOURCE, title.span, message).related(
                        self.source,
                        *span,
                        "the first time",
                    ));
                }
                before.push((declared, title.span));
            }
        }
        found
    }

    /// Classes that are declared with attributes after the statement that includes them.
    fn included_before(&self, scope: &Scope<'t>) -> Vec<Finding> {
        let mut found = Vec::new();
        for declared in &scope.code.resources {
            let is_class = matches!(&declared.kind.node, Node::Name(kind) if &**kind == "class");
            for title in listed(&declared.body.title).iter().filter(|_| is_class) {
                let Some(name) = written_name(title) else { continue };
                let is_same =
                    |one: &&Included<'t>| plain(one.name).eq_ignore_ascii_case(plain(&name)) && one.precedes(declared);
                if let Some(before) = scope.code.included.iter().find(is_same) {
                    let shown = hieratic::puppet_types::capitalize_segments(plain(&name));
                    let message = format!("Class[{shown}] is already declared; it cannot be declared again");
                    let finding = Finding::new(&DUPLICATE_RESOURCE, title.span, message);
                    found.push(finding.related(self.source, before.span, "included here"));
                }
            }
        }
        found
    }

    /// The title, or the text of one that variables alone determine: equal strings are equal titles.
    fn title_key(&self, title: &Expr) -> Option<String> {
        if let Some(text) = written_name(title) {
            return Some(text.to_string());
        }
        let mut is_constant = matches!(title.node, Node::Concatenated(_) | Node::Variable(_));
        each_expression(title, &mut |expr| {
            is_constant &= matches!(
                expr.node,
                Node::Concatenated(_)
                    | Node::Text(_)
                    | Node::Literal(_)
                    | Node::Variable(Variable::Local(_) | Variable::Qualified(_))
            );
        });
        is_constant.then(|| self.source.slice(title.span).to_owned())
    }
}

/// The variables that a scope sets twice, or that are its parameters.
fn reassigned(scope: &Scope<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for name in scope.names() {
        let all: Vec<_> = scope.sets(name).collect();
        let is_parameter = scope.parameter(name).is_some();
        let is_reserved = RESERVED.contains(&name)
            && match scope.place {
                Place::Top | Place::Node => matches!(name, "trusted" | "facts"),
                Place::Class | Place::Define => true,
                Place::Function | Place::Template | Place::Block => false,
            };
        for (index, set) in all.iter().enumerate() {
            // `unless defined('$x')`: the branch may never run.
            if set.is_guarded {
                continue;
            }
            if is_reserved {
                let message = format!("the variable '${name}' is reserved and cannot be set");
                found.push(Finding::new(&REASSIGNED_VARIABLE, set.span, message));
            } else if is_parameter {
                let message = format!("the parameter '${name}' cannot be set again");
                found.push(Finding::new(&REASSIGNED_VARIABLE, set.span, message).help("use another name"));
            } else if all.iter().take(index).any(|one| one.precedes(set))
                || scope.code.alternatives_precede(&all[..index], set)
            {
                let message = format!("the variable '${name}' cannot be set again");
                found.push(Finding::new(&REASSIGNED_VARIABLE, set.span, message).help("use another name"));
            }
        }
    }
    found
}
