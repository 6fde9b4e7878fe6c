//! The tree of a file.

use std::sync::Arc;

use hieratic_source::Span;

use crate::token::{Place, Token};

/// A parsed file.
#[derive(Clone, Debug)]
pub struct File {
    /// The text whose lines end with `\n` alone. Spans of tokens are those of this text.
    pub(crate) text: Arc<str>,
    /// The offsets in `text` before which a `\r` was removed.
    pub(crate) removed: Vec<usize>,
    /// The arguments and blocks.
    pub items: Vec<Item>,
    /// All comments, in order.
    pub comments: Vec<CommentGroup>,
    /// Whether the file is JSON.
    pub is_json: bool,
}

/// Comments without an empty line between them.
#[derive(Clone, Debug)]
pub struct CommentGroup(pub Vec<Token>);

/// An argument or a block.
#[derive(Clone, Debug)]
pub struct Item {
    /// The names: the name of an argument, or the type and the labels of a block.
    pub keys: Vec<Token>,
    /// The position of `=`, or of `:` in JSON.
    pub assign: Option<Place>,
    /// The value, or the body.
    pub value: Value,
    /// The index of the comment group directly before it.
    pub lead_comment: Option<usize>,
    /// The index of the comment group after it on its line.
    pub line_comment: Option<usize>,
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// A string, a number, or a boolean.
    Literal(Literal),
    /// A list.
    List(List),
    /// An object, or the body of a block.
    Object(Object),
}

impl Value {
    /// Returns the start of the value.
    pub fn place(&self) -> Place {
        match self {
            Value::Literal(literal) => literal.token.place,
            Value::List(list) => list.open,
            Value::Object(object) => object.open,
        }
    }
}

/// A value of one token.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The token.
    pub token: Token,
    /// The index of the comment group before it, in a list.
    pub lead_comment: Option<usize>,
    /// The index of the comment group after it, in a list.
    pub line_comment: Option<usize>,
}

/// A list.
#[derive(Clone, Debug)]
pub struct List {
    /// The position of `[`.
    pub open: Place,
    /// The position of `]`.
    pub close: Place,
    /// The elements.
    pub values: Vec<Value>,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// The position of `{`.
    pub open: Place,
    /// The position of `}`.
    pub close: Place,
    /// The items.
    pub items: Vec<Item>,
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(String),
}

impl File {
    /// Returns the text of a token, as written.
    pub fn text(&self, token: &Token) -> &str {
        self.text.get(token.span.range()).unwrap_or_default()
    }

    /// Returns the span of a token in the file.
    pub fn span(&self, token: &Token) -> Span {
        self.original(token.span)
    }

    /// Converts a span in the source with normalized line ends to a span in the file.
    pub fn original(&self, span: Span) -> Span {
        let moved = |at: usize| at + self.removed.partition_point(|removed| *removed < at);
        Span::new(moved(span.first()), moved(span.behind()))
    }
}
