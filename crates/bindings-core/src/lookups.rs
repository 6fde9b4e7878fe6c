//! Lookups of many keys.

use std::cell::Cell;
use std::slice;

use hieratic::budget::Budget;
use hieratic::diagnostics::did_you_mean;
use hieratic::lookup::{FailedKey, matches_patterns, suggest_keys};
use hieratic::value::Str;
use hieratic::{Environment, Node, Query, Redactor, Value};

use crate::error::BindingError;

/// The parts that a lookup of many keys may lack without an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct Omissions {
    /// Leaves out keys whose lookup fails.
    pub errors: bool,
    /// Accepts keys and patterns that no key matches.
    pub unmatched: bool,
}

/// Looks up all keys of a node's hierarchy that match one of the patterns.
///
/// # Errors
/// A lookup fails, or no key matches a pattern, unless this may be omitted.
pub fn lookup_all(
    environment: &Environment,
    node: &Node,
    patterns: &[String],
    redactor: &Redactor,
    omitted: Omissions,
    budget: &Budget,
) -> Result<Value, BindingError> {
    let redacted = Redactor::new(environment.secrets(), false);
    let has_selected: Vec<Cell<bool>> = patterns.iter().map(|_| Cell::new(false)).collect();
    let is_selected = |key: &str| {
        let mut is_selected = patterns.is_empty();
        for (pattern, has_selected) in patterns.iter().zip(&has_selected) {
            if matches_patterns(key, slice::from_ref(pattern)) {
                has_selected.set(true);
                is_selected = true;
            }
        }
        is_selected
    };
    let found = environment.everything(
        node,
        &Query { budget: budget.clone(), ..Query::default() },
        !redactor.reveals(),
        &is_selected,
    );
    let found = found.map_err(|error| BindingError::from_error(&error, &redacted))?;
    if let (Some(FailedKey { key, error }), false) = (found.errors.first(), omitted.errors) {
        let problem = BindingError::from_error(error, &redacted);
        let message = format!("{key}: {}", redacted.message(&error.to_string()));
        return Err(problem.with_message(message));
    }
    let unmatched = patterns.iter().zip(&has_selected).find(|(_, has_selected)| !has_selected.get());
    if let (Some((pattern, _)), false) = (unmatched, omitted.unmatched) {
        let known = node.keys().map_err(|error| BindingError::from_error(&error, &redacted))?;
        return Err(unmatched_pattern(pattern, &known));
    }
    // Secrets are already replaced by redaction marks. Sensitive values that are to be revealed are unchanged.
    Ok(Value::Hash(found.values))
}

/// The error for a key or a pattern that selects nothing: it would look like a node without data.
fn unmatched_pattern(pattern: &str, known: &[Str]) -> BindingError {
    // A pattern resembles nothing.
    let nearest = if pattern.contains(['*', '?']) { Vec::new() } else { suggest_keys(known, pattern) };
    let help = did_you_mean(&nearest).unwrap_or_else(|| "check the spelling, or pass allow_empty".to_owned());
    BindingError::key_not_found(format!("no key of the node matches '{pattern}'"), help)
}
