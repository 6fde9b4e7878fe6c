//! Expressions for tuples and objects.

use std::sync::Arc;

use super::Expression;
use crate::Span;

/// `[first, second]`.
#[derive(Clone, Debug)]
pub struct TupleConstructor {
    /// The items.
    pub items: Vec<Expression>,
    /// The span from bracket to bracket.
    pub span: Span,
}

impl TupleConstructor {
    /// Returns the span of the opening bracket.
    pub fn open_span(&self) -> Span {
        Span { start: self.span.start, end: self.span.start + 1 }
    }
}

/// `{key = value}`.
#[derive(Clone, Debug)]
pub struct ObjectConstructor {
    /// The items, in the order of the source. Keys may be repeated.
    pub items: Vec<ObjectItem>,
    /// The span from brace to brace.
    pub span: Span,
}

impl ObjectConstructor {
    /// Returns the span of the opening brace.
    pub fn open_span(&self) -> Span {
        Span { start: self.span.start, end: self.span.start + 1 }
    }
}

/// `key = value` in an object.
#[derive(Clone, Debug)]
pub struct ObjectItem {
    /// The key.
    pub key: ObjectKey,
    /// The value.
    pub value: Expression,
}

/// The key of an item. A bare name is a literal key; every other expression is evaluated.
#[derive(Clone, Debug)]
pub struct ObjectKey {
    /// The key as an expression.
    pub expression: Expression,
    /// Whether the key begins with a parenthesis, so that it is evaluated even if it is a name.
    pub force_non_literal: bool,
}

impl ObjectKey {
    /// Returns the name of a bare name, which is not evaluated. `None` for other keys.
    pub fn literal_name(&self) -> Option<&str> {
        if self.force_non_literal { None } else { self.expression.keyword() }
    }

    /// Returns whether the key has the form `name.attribute`. This could be a literal or a reference, so it is an
    /// error.
    pub fn is_ambiguous(&self) -> bool {
        !self.force_non_literal
            && matches!(&self.expression, Expression::ScopeTraversal(traversal) if !traversal.steps.is_empty())
    }

    /// Returns the span of the key.
    pub fn span(&self) -> Span {
        self.expression.span()
    }
}

/// `[for v in collection : v if condition]`, `{for k, v in collection : k => v...}`, or the directive `%{for}`.
#[derive(Clone, Debug)]
pub struct ForExpression {
    /// The name of the key or index, if it has one.
    pub key_variable: Option<Arc<str>>,
    /// The name of the element.
    pub value_variable: Arc<str>,
    /// The collection that is iterated over.
    pub collection: Expression,
    /// The key of each item. `None` if the result is a tuple.
    pub key: Option<Expression>,
    /// The value of each item.
    pub value: Expression,
    /// The condition that an element must satisfy (`if`).
    pub condition: Option<Expression>,
    /// Whether values with equal keys are grouped in a tuple (`...`).
    pub group: bool,
    /// The span from bracket to bracket, or from directive to directive.
    pub span: Span,
    /// The span of the opening bracket, or of the directive `%{for}`.
    pub open_span: Span,
    /// The span of the closing bracket, or of the directive `%{endfor}`.
    pub close_span: Span,
}
