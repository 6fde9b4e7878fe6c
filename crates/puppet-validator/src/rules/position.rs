//! Allowed positions: definitions belong at the top level or in classes and, in scripts for tasks, catalog statements
//! only in `apply`.

use hieratic_puppet_syntax::ast::{Expr, Node};
use hieratic_puppet_syntax::label;

use crate::codes;
use crate::namespace::Namespace;
use crate::walk::{Checker, ParentKind};

impl Checker<'_> {
    /// Checks that definitions are at the top level or in classes, those of functions and types only at the top level.
    pub(super) fn top_level_rule(&mut self, expr: &Expr) {
        let absolute =
            matches!(expr.node, Node::Function(_) | Node::Plan(_) | Node::TypeAlias(_) | Node::TypeDefinition(_));
        let mut outwards = self.path.iter().rev();
        while let Some(outer) = outwards.next() {
            match outer {
                ParentKind::Program | ParentKind::Class | ParentKind::Apply => return,
                ParentKind::Block | ParentKind::ApplyBlock => {
                    if absolute && outwards.clone().next() != Some(&ParentKind::Program) {
                        let label = label::with_article_capitalized(expr);
                        let message = format!("{label} may only appear at toplevel");
                        return self.error(codes::NOT_ABSOLUTE_TOP_LEVEL, expr, message);
                    }
                }
                ParentKind::ResourceBody | ParentKind::ResourceDefaults | ParentKind::Amendment | ParentKind::Other => {
                    let message = "Classes, definitions, and nodes may only appear at toplevel or inside other classes";
                    return self.error(codes::NOT_TOP_LEVEL, expr, message);
                }
            }
        }
    }

    /// Checks that a file of a module has only definitions at the top level
    /// (<https://www.puppet.com/docs/puppet/8/modules_fundamentals.html>).
    pub(crate) fn top_constructs(&mut self, body: &Expr) {
        if matches!(self.namespace, Namespace::Any) || matches!(body.node, Node::Nop) {
            return;
        }
        let statements = match &body.node {
            Node::Block(statements) => &statements[..],
            _ => std::slice::from_ref(body),
        };
        for statement in statements {
            let label = match &statement.node {
                Node::Function(_)
                | Node::Plan(_)
                | Node::Class(_)
                | Node::Define(_)
                | Node::TypeAlias(_)
                | Node::TypeMapping { .. }
                | Node::TypeDefinition(_) => continue,
                // The reference makes a lambda of a template.
                Node::Epp(_) => "Lambda".into(),
                _ => label::for_expr(statement),
            };
            let message = format!("This {label} is unacceptable as a top level construct in this location");
            self.error(codes::ILLEGAL_TOP_CONSTRUCT_LOCATION, statement, message);
        }
    }

    /// Rejects catalog statements in scripts outside of `apply`, and `apply` inside of it. Returns whether the
    /// expression was rejected; then no other rule applies.
    pub(super) fn reject_in_script(&mut self, expr: &Expr) -> bool {
        let in_apply = self.path.contains(&ParentKind::ApplyBlock);
        let refused_in_apply = match &expr.node {
            Node::Class(_) | Node::Define(_) => {
                self.only_in_catalog(expr);
                return true;
            }
            Node::Apply { .. } if !in_apply => return false,
            Node::Apply { .. } => true,
            Node::Collect(collect) => collect.exported,
            Node::NodeDefinition(_)
            | Node::Relationship(..)
            | Node::Resource(_)
            | Node::ResourceDefaults(_)
            | Node::ResourceOverride(_) => false,
            _ => return false,
        };
        if !in_apply {
            self.only_in_catalog(expr);
        } else if refused_in_apply {
            let label = label::with_article_capitalized(expr);
            self.error(
                codes::EXPRESSION_NOT_SUPPORTED_WHEN_COMPILING,
                expr,
                format!("{label} is not available when compiling a catalog"),
            );
        }
        !in_apply || refused_in_apply
    }

    fn only_in_catalog(&mut self, expr: &Expr) {
        let label = label::with_article_capitalized(expr);
        self.error(
            codes::EXPRESSION_NOT_SUPPORTED_WHEN_SCRIPTING,
            expr,
            format!("{label} is only available when compiling a catalog"),
        );
    }
}
