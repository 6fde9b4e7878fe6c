//! Templates.

use super::Expression;
use crate::Span;

/// A quoted or heredoc template, or the branch of a directive.
#[derive(Clone, Debug)]
pub struct Template {
    /// Literals and sequences, in the order of the source. An empty template has one empty literal.
    pub parts: Vec<Expression>,
    /// The span of the template, with its quotes or markers.
    pub span: Span,
}

impl Template {
    /// Returns the literal of a template without sequences. `None` for other templates.
    pub fn string_literal(&self) -> Option<&super::Literal> {
        match &*self.parts {
            [Expression::Literal(literal)] => Some(literal),
            _ => None,
        }
    }
}

/// A template that consists of a single interpolation.
#[derive(Clone, Debug)]
pub struct TemplateWrap {
    /// The interpolated expression.
    pub wrapped: Expression,
    /// The span of the template, with its quotes.
    pub span: Span,
}
