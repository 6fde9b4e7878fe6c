//! Valid targets of assignments (<https://www.puppet.com/docs/puppet/8/lang_variables.html>, assigning variables).

use hieratic_puppet_syntax::ast::{Expr, Node, Variable};
use hieratic_puppet_syntax::label;
use hieratic_puppet_syntax::visit::each_child;

use crate::codes;
use crate::names;
use crate::walk::{Checker, MIN_STACK, STACK_SEGMENT};

impl Checker<'_> {
    /// Checks the left side of `=`: a variable of this scope, or a list of such.
    pub(super) fn assignable(&mut self, left: &Expr) {
        match &left.node {
            Node::Variable(Variable::Match(number)) => self.numbered(left, &number.to_string()),
            Node::Variable(Variable::Local(name)) if names::is_match_variable(name) => self.numbered(left, name),
            Node::Variable(Variable::Qualified(name)) => {
                let message =
                    format!("Illegal attempt to assign to '{name}'. Cannot assign to variables in other namespaces");
                self.error(codes::CROSS_SCOPE_ASSIGNMENT, left, message);
            }
            Node::Variable(Variable::Local(_) | Variable::Computed(_)) => {}
            Node::Access { .. } => {
                let message = "Illegal attempt to assign via [index/key]. Not an assignable reference";
                self.error(codes::ILLEGAL_INDEXED_ASSIGNMENT, left, message);
            }
            Node::List(all) => {
                stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || all.iter().for_each(|one| self.assignable(one)));
            }
            _ => {
                let label = label::with_article(left);
                let message = format!("Illegal attempt to assign to '{label}'. Not an assignable reference");
                self.error(codes::ILLEGAL_ASSIGNMENT, left, message);
            }
        }
    }

    fn numbered(&mut self, left: &Expr, name: &str) {
        let message = format!(
            "Illegal attempt to assign to the numeric match result variable '${name}'. Numeric variables are not assignable"
        );
        self.error(codes::ILLEGAL_NUMERIC_ASSIGNMENT, left, message);
    }

    /// Rejects assignments in a parameter's default, except in lambdas.
    pub(super) fn no_assignment(&mut self, expr: &Expr) {
        if matches!(expr.node, Node::Assign(..)) {
            self.error(codes::ILLEGAL_ASSIGNMENT_CONTEXT, expr, "Assignment not allowed here");
        } else {
            stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || {
                each_child(expr, &mut |inner| self.no_assignment(inner));
            });
        }
    }
}
