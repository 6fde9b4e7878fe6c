//! Lookups of many keys.

use hieratic::budget::Budget;
use hieratic::lookup::FailedKey;
use hieratic::lookup::matches_patterns;
use hieratic::{Environment, Node, Query, Redactor, Value};

use crate::error::BindingError;

/// Looks up all keys of a node's hierarchy that match one of the patterns.
///
/// # Errors
/// A lookup fails, unless errors are skipped.
pub fn lookup_all(
    environment: &Environment,
    node: &Node,
    patterns: &[String],
    redactor: &Redactor,
    skip_errors: bool,
    budget: &Budget,
) -> Result<Value, BindingError> {
    let redacted = Redactor::new(environment.secrets(), false);
    let is_selected = |key: &str| matches_patterns(key, patterns);
    let found = environment.everything(
        node,
        &Query { budget: budget.clone(), ..Query::default() },
        !redactor.reveals(),
        &is_selected,
    );
    let found = found.map_err(|error| BindingError::from_error(&error, &redacted))?;
    if let (Some(FailedKey { key, error }), false) = (found.errors.first(), skip_errors) {
        let problem = BindingError::from_error(error, &redacted);
        let message = format!("{key}: {}", redacted.message(&error.to_string()));
        return Err(problem.with_message(message));
    }
    // Secrets are already replaced by redaction marks. Sensitive values that are to be revealed are unchanged.
    Ok(Value::Hash(found.values))
}
