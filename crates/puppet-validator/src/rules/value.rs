//! Expressions without a value where a value is required.

use hieratic_puppet_syntax::ast::{Expr, Node};
use hieratic_puppet_syntax::label;

use crate::codes;
use crate::walk::Checker;

impl Checker<'_> {
    /// Reports an expression without a value.
    pub(crate) fn value_required_rule(&mut self, expr: &Expr) {
        let mut expr = expr;
        // The operand of a unary operator is reported here, and once more by the rule of the operator.
        while let Node::Parenthesized(inner)
        | Node::Not(inner)
        | Node::Minus(inner)
        | Node::Unfold(inner)
        | Node::Text(inner)
        | Node::Render(inner) = &expr.node
        {
            expr = inner;
        }
        if matches!(
            expr.node,
            Node::Collect(_)
                | Node::Function(_)
                | Node::Plan(_)
                | Node::Class(_)
                | Node::Define(_)
                | Node::NodeDefinition(_)
                | Node::TypeAlias(_)
                | Node::TypeMapping { .. }
                | Node::TypeDefinition(_)
        ) {
            let label = label::with_article_capitalized(expr);
            let message = format!("Invalid use of expression. {label} does not produce a value");
            self.error(codes::NOT_RVALUE, expr, message);
        }
    }
}
