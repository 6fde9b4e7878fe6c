//! The ways from a value to its parts.

use std::sync::Arc;

use hieratic_hcl_types::Value;

use super::Expression;
use crate::Span;

/// `name.attribute[0]`: a variable and the steps from it.
#[derive(Clone, Debug)]
pub struct ScopeTraversal {
    /// The name of the variable.
    pub root: Arc<str>,
    /// The name.
    pub root_span: Span,
    /// The steps.
    pub steps: Vec<Step>,
    /// All of it.
    pub span: Span,
}

/// Steps from the value of any expression.
#[derive(Clone, Debug)]
pub struct RelativeTraversal {
    /// The expression.
    pub source: Expression,
    /// The steps, at least one.
    pub steps: Vec<Step>,
    /// All of it; in an attribute-only splat only the steps.
    pub span: Span,
}

/// A step that needs no evaluation.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.name`
    Attribute {
        /// The name.
        name: Arc<str>,
        /// Dot and name.
        span: Span,
    },
    /// `[0]`, `["key"]`, and the older `.0`.
    Index {
        /// The key: a number or a string, or another literal, which no collection has; unknown after an error.
        key: Value,
        /// From bracket to bracket, or dot and number.
        span: Span,
    },
}

impl Step {
    /// Returns the span of the step.
    pub fn span(&self) -> Span {
        match self {
            Step::Attribute { span, .. } | Step::Index { span, .. } => *span,
        }
    }
}

/// `collection[key]` with a key that has to be evaluated.
#[derive(Clone, Debug)]
pub struct Index {
    /// The collection.
    pub collection: Expression,
    /// The key.
    pub key: Expression,
    /// All of it.
    pub span: Span,
    /// From bracket to bracket.
    pub bracket_span: Span,
}

impl Index {
    /// Returns the opening bracket.
    pub fn open_span(&self) -> Span {
        Span { start: self.bracket_span.start, end: self.bracket_span.start + 1 }
    }
}

/// `source.*.name`, `source[*].name`: an expression evaluated for each element.
#[derive(Clone, Debug)]
pub struct Splat {
    /// The collection.
    pub source: Expression,
    /// The expression that is evaluated for each element, which it refers to as [`Expression::Anonymous`].
    pub each: Expression,
    /// The anonymous element.
    pub item_span: Span,
    /// All of it.
    pub span: Span,
    /// `.*` or `[*]`.
    pub marker_span: Span,
}
