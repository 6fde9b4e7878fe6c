//! JMESPath, the language of the filter `json_query`: <https://jmespath.org/specification.html>, as Python's `jmespath`
//! 1.1.0 reads and evaluates it.
//!
//! It is our own because it works on templates' values without converting them, and draws from their budget: an
//! expression as short as `[@,@]|[@,@]` doubles values, and no crate bounds that. => JMESPath, the language of the
//! filter `json_query`: <https://jmespath.org/specification.html>, as Python's `jmespath` 1.1.0 reads and evaluates it.
//!
//! No crate is used for it: this implementation evaluates template values without converting them, and charges their
//! budget. An expression as short as `[@,@]|[@,@]` doubles its value, and the known crates have no limit for that.

mod functions;
mod lexer;
mod node;
mod parser;
mod search;

use hieratic_jinja::extend::{Result, Value, error, work};

/// Evaluates an expression on a value.
///
/// # Errors
///
/// Invalid expressions, unknown functions, arguments of the wrong type, and an exhausted budget.
pub fn search(expression: &str, value: &Value) -> Result<Value> {
    work::steps(expression.len() / 8 + 1)?;
    if expression.is_empty() {
        return Err(error("Invalid JMESPath expression: cannot be empty."));
    }
    let parsed = parser::parse(expression)?;
    search::visit(&parsed, value)
}
