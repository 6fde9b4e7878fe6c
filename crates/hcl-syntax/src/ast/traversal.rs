//! Traversals: the steps from a value to its parts.

use std::sync::Arc;

use hieratic_hcl_types::Value;

use super::Expression;
use crate::Span;

/// `name.attribute[0]`: a variable and the steps from it.
#[derive(Clone, Debug)]
pub struct ScopeTraversal {
    /// The name of the variable.
    pub root: Arc<str>,
    /// The span of the name.
    pub root_span: Span,
    /// The steps.
    pub steps: Vec<Step>,
    /// The span of the traversal.
    pub span: Span,
}

/// Steps from the value of any expression.
#[derive(Clone, Debug)]
pub struct RelativeTraversal {
    /// The expression.
    pub source: Expression,
    /// The steps, at least one.
    pub steps: Vec<Step>,
    /// The span of the traversal. In an attribute-only splat, it is the span of the steps.
    pub span: Span,
}

/// A step that needs no evaluation.
#[derive(Clone, Debug)]
pub enum Step {
    /// `.name`
    Attribute {
        /// The name.
        name: Arc<str>,
        /// The span of the dot and the name.
        span: Span,
    },
    /// `[0]`, `["key"]`, and the older `.0`.
    Index {
        /// The key: a number, a string, or another literal, for which there is no element. It is unknown after an
        /// error.
        key: Value,
        /// The span from bracket to bracket, or of the dot and the number.
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
    /// The span of the expression.
    pub span: Span,
    /// The span from bracket to bracket.
    pub bracket_span: Span,
}

impl Index {
    /// Returns the span of the opening bracket.
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
    /// The span of the anonymous element.
    pub item_span: Span,
    /// The span of the splat.
    pub span: Span,
    /// The span of `.*` or `[*]`.
    pub marker_span: Span,
}
