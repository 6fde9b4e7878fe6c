//! JMESPath, the language of the filter `json_query`: <https://jmespath.org/specification.html>, as Python's `jmespath` 1.1.0 reads and
//! evaluates it.
//!
//! It is our own because it works on templates' values without converting them, and draws from their budget: an expression as short as
//! `[@,@]|[@,@]` doubles values, and no crate bounds that.

mod functions;
mod lexer;
mod parser;
mod search;

use std::sync::Arc;

use minijinja::Value;

use crate::error::{Result, error};
use crate::work;

/// What an expression finds in a value.
///
/// # Errors
///
/// What is no expression, unknown functions, arguments of the wrong type, and what does more than it may.
pub fn search(expression: &str, value: &Value) -> Result<Value> {
    work::steps(expression.len() / 8 + 1)?;
    if expression.is_empty() {
        return Err(error("Invalid JMESPath expression: cannot be empty."));
    }
    let parsed = parser::parse(expression)?;
    search::visit(&parsed, value)
}

/// A part of an expression, applied to a value.
#[derive(Debug)]
enum Node {
    /// The value itself.
    Identity,
    Field(String),
    Index(Value),
    Slice([Option<Value>; 3]),
    Literal(Value),
    /// Parts of which each is applied to what the one before found: subexpressions, indexes, pipes.
    Chain(Vec<Arc<Node>>),
    /// The right part for every element that the left part finds.
    Projection(Arc<Node>, Arc<Node>),
    /// The right part for every value of the dictionary that the left part finds.
    Values(Arc<Node>, Arc<Node>),
    /// As a projection, of the elements for which the condition is true.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}
