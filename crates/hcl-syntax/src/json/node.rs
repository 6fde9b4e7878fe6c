//! The syntax tree of JSON.

use std::sync::Arc;

use hieratic_hcl_types::Number;

use crate::Span;

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Node {
    /// `{"name": value}`
    Object(Object),
    /// `[value, value]`
    Array(Array),
    /// `true`, `false`
    Bool {
        /// The value.
        value: bool,
        /// The span of the literal.
        span: Span,
    },
    /// A number.
    Number {
        /// The value.
        value: Number,
        /// The span of the literal.
        span: Span,
    },
    /// A string, which may be a template.
    String {
        /// The unescaped string.
        value: Arc<str>,
        /// The span of the string, including its quotes.
        span: Span,
    },
    /// `null`
    Null(Span),
    /// A value that could not be parsed. Its errors are among the problems of the parse.
    Invalid(Span),
}

impl Node {
    /// Returns the span of the value.
    pub fn span(&self) -> Span {
        match self {
            Node::Object(object) => object.span,
            Node::Array(array) => array.span,
            Node::Bool { span, .. } | Node::Number { span, .. } | Node::String { span, .. } => *span,
            Node::Null(span) | Node::Invalid(span) => *span,
        }
    }

    /// Returns the span that messages about the whole node point to: the opening brace or bracket, or the whole scalar.
    pub fn start_span(&self) -> Span {
        match self {
            Node::Object(object) => object.open_span,
            Node::Array(array) => array.open_span,
            other => other.span(),
        }
    }
}

/// `{"name": value}`
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// The properties, in the order of the source. Names may be repeated.
    pub properties: Vec<Property>,
    /// The span from brace to brace.
    pub span: Span,
    /// The span of the opening brace.
    pub open_span: Span,
    /// The span of the closing brace.
    pub close_span: Span,
}

/// `"name": value`
#[derive(Clone, Debug)]
pub struct Property {
    /// The name. It may be a template if the object is an expression.
    pub name: Arc<str>,
    /// The span of the name, with its quotes.
    pub name_span: Span,
    /// The value.
    pub value: Node,
}

/// `[value, value]`
#[derive(Clone, Debug)]
pub struct Array {
    /// The items.
    pub items: Vec<Node>,
    /// The span from bracket to bracket.
    pub span: Span,
    /// The span of the opening bracket.
    pub open_span: Span,
}
