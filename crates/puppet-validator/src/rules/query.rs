//! Valid queries of collectors (<https://www.puppet.com/docs/puppet/8/lang_collectors.html>, search expressions).

use hieratic_puppet_syntax::ast::{Collect, Comparison, Expr, Node};
use hieratic_puppet_syntax::label;
use hieratic_value::Value;

use crate::codes;
use crate::walk::{Checker, MIN_STACK, STACK_SEGMENT};

impl Checker<'_> {
    pub(super) fn collector(&mut self, expr: &Expr, collect: &Collect) {
        if !matches!(collect.kind.node, Node::Reference(_)) {
            self.illegal(&collect.kind, "type name", &label::with_article(expr));
        }
    }

    pub(crate) fn query(&mut self, expr: &Expr) {
        match &expr.node {
            Node::And(left, right) | Node::Or(left, right) => {
                stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || {
                    self.query(left);
                    self.query(right);
                });
            }
            Node::Parenthesized(inner) => stacker::maybe_grow(MIN_STACK, STACK_SEGMENT, || self.query(inner)),
            // The operands of a comparison are not checked.
            Node::Comparison(Comparison::Equal | Comparison::NotEqual, ..)
            | Node::Variable(_)
            | Node::Name(_)
            | Node::RenderString(_)
            | Node::Integer { .. }
            | Node::Literal(Value::Integer(_) | Value::Float(_) | Value::String(_) | Value::Boolean(_)) => {}
            _ => {
                let label = label::with_article_capitalized(expr);
                let message = format!("Illegal query expression. {label} cannot be used in a query");
                self.error(codes::ILLEGAL_QUERY_EXPRESSION, expr, message);
            }
        }
    }
}
