//! Hiera's data in HCL.

use std::sync::Arc;

use hieratic_budget::Budget;
use hieratic_hcl_eval::{Functions, TaintObserver};
use hieratic_hcl_types::{CallError, Function, Parameter, Type, Value};
use hieratic_hiera::{Node, Query};

use super::values::{from_cty, to_cty};
use crate::environment::Environment;
use crate::facts::Facts;
use crate::redaction::TaintTracker;

/// The function `hiera` for expressions of HCL, with an observer of its secrets.
#[derive(Clone, Debug)]
pub struct HieraInHcl {
    /// The function `hiera(key, default)`. It returns the answer for a key, or the default if the key is missing.
    /// Without a default, a missing key is an error.
    pub function: Arc<Function>,
    /// Observes the values that are computed from secrets.
    pub observer: TaintObserver,
}

impl HieraInHcl {
    /// Creates the function for a node. Its lookups are charged to the budget.
    ///
    /// # Errors
    /// The node's facts or hierarchy are invalid.
    pub fn new(environment: &Environment, facts: &Facts, budget: &Budget) -> Result<HieraInHcl, hieratic_hiera::Error> {
        let function = Arc::new(hiera_function(Arc::new(environment.node(facts)?), budget.clone()));
        let followed = TaintTracker::new(environment.secrets());
        let observer = TaintObserver::new(move |of, result| {
            if !followed.is_idle() {
                let of: Vec<_> = of.iter().map(|value| from_cty(value)).collect();
                followed.record_result(&of, &from_cty(result));
            }
        });
        Ok(HieraInHcl { function, observer })
    }

    /// Adds the function to `functions`, and tracks the secrets in their results.
    pub fn add_to(self, mut functions: Functions) -> Functions {
        functions.add("hiera", self.function);
        functions.with_observer(self.observer)
    }
}

fn hiera_function(node: Arc<Node>, budget: Budget) -> Function {
    let lookup = move |arguments: &[Value]| {
        let key = arguments.first().and_then(Value::as_str).unwrap_or_default();
        if arguments.len() > 2 {
            return Err(CallError::call("expected at most a key and a default"));
        }
        let mut query = Query { budget: budget.clone(), ..Query::new(key) };
        query.default = arguments.get(1).map(from_cty);
        match node.lookup(&query) {
            Ok(found) => match arguments.get(1) {
                // The default keeps its type.
                Some(default) if query.default.as_ref() == Some(&found) => Ok(default.clone()),
                _ => to_cty(&found).map_err(|problem| CallError::argument(0, format!("the value of {key}: {problem}"))),
            },
            Err(error) => Err(CallError::argument(0, error.to_string())),
        }
    };
    Function::new(vec![Parameter::new("key", Type::String)], Type::Dynamic, lookup)
        .with_variadic(Parameter::new("default", Type::Dynamic).nullable())
}
