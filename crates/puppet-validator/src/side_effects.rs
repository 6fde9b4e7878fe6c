//! Expressions without side effects, which are mistakes if their value is not used.

use hieratic_puppet_syntax::ast::{Expr, Node};

/// Returns whether an expression certainly has no side effects. Functions may have some; a match sets variables.
pub(crate) fn has_no_effect(expr: &Expr) -> bool {
    match &expr.node {
        // Compound expressions depend on their parts.
        Node::Parenthesized(_) | Node::Block(_) | Node::If(_) | Node::Unless(_) | Node::Case(_) => {
            stacker::maybe_grow(crate::walk::MIN_STACK, crate::walk::STACK_SEGMENT, || has_no_effect_inside(expr))
        }
        Node::Nop
        | Node::Literal(_)
        | Node::Integer { .. }
        | Node::Regexp(_)
        | Node::Name(_)
        | Node::Reference(_)
        | Node::Reserved { .. }
        | Node::Variable(_)
        // An interpolation may have side effects, but a string that only serves for these is a mistake, too.
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
        Node::Match { .. }
        | Node::Assign(..)
        | Node::Relationship(..)
        | Node::Call(_)
        | Node::Method(_)
        | Node::Lambda(_)
        | Node::Function(_)
        | Node::Plan(_)
        | Node::Apply { .. }
        | Node::Class(_)
        | Node::Define(_)
        | Node::NodeDefinition(_)
        | Node::TypeAlias(_)
        | Node::TypeMapping { .. }
        | Node::TypeDefinition(_)
        | Node::Resource(_)
        | Node::ResourceDefaults(_)
        | Node::ResourceOverride(_)
        | Node::Collect(_)
        | Node::Epp(_)
        | Node::RenderString(_)
        | Node::Render(_) => false,
    }
}

/// Like [`has_no_effect`], for a compound expression: it has no side effects if none of its parts has.
fn has_no_effect_inside(expr: &Expr) -> bool {
    match &expr.node {
        Node::Parenthesized(inner) => has_no_effect(inner),
        Node::Block(statements) => statements.iter().all(has_no_effect),
        Node::If(one) | Node::Unless(one) => {
            has_no_effect(&one.test) && has_no_effect(&one.then) && one.otherwise.as_ref().is_none_or(has_no_effect)
        }
        Node::Case(case) => {
            has_no_effect(&case.test)
                && case
                    .options
                    .iter()
                    .all(|option| option.values.iter().all(has_no_effect) && has_no_effect(&option.then))
        }
        _ => false,
    }
}

/// Returns the last expression of a body if it has no effect.
pub(crate) fn final_statement_without_effect(body: &Expr) -> Option<&Expr> {
    let last = match &body.node {
        Node::Block(statements) => statements.last()?,
        Node::Nop => return None,
        _ => body,
    };
    has_no_effect(last).then_some(last)
}
