//! [`Answer`]: the answer of a node for a key.

use hieratic::budget::Budget;
use hieratic::lookup::quoted_key;
use hieratic::value::Value;
use hieratic::{Node, Query};

/// The answer of a node for a key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// No level defines the key.
    Missing,
    /// The value. Secrets are not redacted.
    Value(Value),
    /// The message of the error.
    Error(String),
}

impl Answer {
    /// Looks up a key for a node.
    pub fn look_up(node: &Node, key: &str, budget: Budget) -> Answer {
        let quoted = quoted_key(key);
        let query = Query { names: vec![&quoted], budget, ..Query::default() };
        match node.lookup(&query) {
            Ok(value) => Answer::Value(value),
            Err(error) if error.code() == Node::NOT_FOUND => Answer::Missing,
            Err(error) => Answer::Error(error.to_string()),
        }
    }
}
