//! Hiera's data in HCL.

use std::sync::Arc;

use hieratic_cty::{CallError, Function, Parameter, Type, Value};
use hieratic_hiera::{Node, Query};

use super::values::{from_cty, to_cty};

/// The function `hiera(key, default)`: what a node's data have for a key, typed by what it is.
///
/// Without a value the default counts; without a default as well, the call fails.
pub fn hiera_function(node: Arc<Node>) -> Function {
    let lookup = move |arguments: &[Value]| {
        let key = arguments.first().and_then(Value::as_str).unwrap_or_default();
        if arguments.len() > 2 {
            return Err(CallError::call("at most a key and a default can be given"));
        }
        let mut query = Query::new(key);
        query.default = arguments.get(1).map(from_cty);
        match node.lookup(&query) {
            Ok(found) => match arguments.get(1) {
                // The default keeps its type.
                Some(default) if query.default.as_ref() == Some(&found) => Ok(default.clone()),
                _ => Ok(to_cty(&found)),
            },
            Err(error) => Err(CallError::argument(0, error.to_string())),
        }
    };
    Function::new(vec![Parameter::new("key", Type::String)], Type::Dynamic, lookup)
        .with_variadic(Parameter::new("default", Type::Dynamic).nullable())
}
