//! Which expressions have no effect but their value.

use hieratic_syntax::ast::{Expr, Node};

/// Whether an expression has no effect but its value: where nobody takes that, it is a mistake.
pub(crate) fn is_idempotent(expr: &Expr) -> bool {
    match &expr.node {
        Node::Nop
        | Node::Literal(_)
        | Node::Integer { .. }
        | Node::Regexp(_)
        | Node::Name(_)
        | Node::Reference(_)
        | Node::Reserved { .. }
        | Node::Variable(_)
        | Node::Concatenated(_)
        | Node::Text(_)
        | Node::Heredoc { .. }
        | Node::List(_)
        | Node::Hash(_)
        | Node::Not(_)
        | Node::Minus(_)
        | Node::Unfold(_)
        | Node::Arithmetic(..)
        | Node::Comparison(..)
        | Node::In(..)
        | Node::And(..)
        | Node::Or(..)
        | Node::Access { .. }
        | Node::NamedAccess(..)
        | Node::Selector(..) => true,
        Node::Parenthesized(inner) => is_idempotent(inner),
        Node::Block(statements) => statements.iter().all(is_idempotent),
        Node::If(conditional) | Node::Unless(conditional) => {
            is_idempotent(&conditional.test)
                && is_idempotent(&conditional.then)
                && conditional.otherwise.as_ref().is_none_or(is_idempotent)
        }
        Node::Case(case) => {
            is_idempotent(&case.test)
                && case
                    .options
                    .iter()
                    .all(|option| option.values.iter().all(is_idempotent) && is_idempotent(&option.then))
        }
        // Matching sets variables; everything else is done for its effect.
        _ => false,
    }
}

/// The expression without effect that ends a body, if one does.
pub(crate) fn ending(body: &Expr) -> Option<&Expr> {
    let last = match &body.node {
        Node::Block(statements) => statements.last()?,
        Node::Nop => return None,
        _ => body,
    };
    is_idempotent(last).then_some(last)
}
