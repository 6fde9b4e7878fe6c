//! [`Node`]: the tree of an expression.

use std::sync::Arc;

use hieratic_jinja::extend::Value;

/// A part of an expression, applied to a value.
#[derive(Debug)]
pub enum Node {
    /// The value itself.
    Identity,
    Field(String),
    Index(Value),
    Slice([Option<Value>; 3]),
    Literal(Value),
    /// Parts, each of which is applied to the result of the one before: subexpressions, indexes, pipes.
    Chain(Vec<Arc<Node>>),
    /// The right part for every element that the left part finds.
    Projection(Arc<Node>, Arc<Node>),
    /// The right part for every value of the dictionary that the left part finds.
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

/// An operator of comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
