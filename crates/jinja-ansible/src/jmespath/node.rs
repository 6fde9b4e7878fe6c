//! [`Node`]: the tree of an expression.

use std::sync::Arc;

use hieratic_jinja::extend::Value;

/// An expression of JMESPath, which is applied to a value.
#[derive(Debug)]
pub enum Node {
    /// The value itself.
    Identity,
    Field(String),
    Index(Value),
    Slice([Option<Value>; 3]),
    Literal(Value),
    /// Expressions in sequence, each applied to the result of the previous one: subexpressions, indexes, pipes.
    Chain(Vec<Arc<Node>>),
    /// The right expression, applied to every element of the list that the left one returns.
    Projection(Arc<Node>, Arc<Node>),
    /// The right expression, applied to every value of the dictionary that the left one returns.
    Values(Arc<Node>, Arc<Node>),
    /// A projection of the elements for which the condition is true.
    Filter {
        left: Arc<Node>,
        right: Arc<Node>,
        condition: Arc<Node>,
    },
    Flatten(Arc<Node>),
    Compare(Comparison, Arc<Node>, Arc<Node>),
    Or(Arc<Node>, Arc<Node>),
    And(Arc<Node>, Arc<Node>),
    Not(Arc<Node>),
    List(Vec<Arc<Node>>),
    Dict(Vec<(String, Arc<Node>)>),
    /// `&expression`: the expression as an argument.
    Reference(Arc<Node>),
    Call(String, Vec<Arc<Node>>),
}

/// A comparison operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
