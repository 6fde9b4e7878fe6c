//! Lookups of many keys, and where the parts of a value come from.

use hieratic::budget::Budget;
use hieratic::lookup::FailedKey;
use hieratic::lookup::{Origin, is_wanted};
use hieratic::{Environment, Error, Node, Query, Redactor, Value};
use hieratic_impact::{Leaf, leaves};

use crate::error::BindingError;

/// A leaf of a value, and where it comes from. Unlike an object, it can be given to another thread.
#[derive(Clone, Debug)]
pub struct OriginRow {
    /// The keys and indexes that lead to it.
    pub path: Vec<Value>,
    /// Its value as it may be shown.
    pub value: Value,
    /// The origin of the value.
    pub origin: Option<Origin>,
    /// Whether a part of it is redacted.
    pub secret: bool,
}

impl From<Leaf> for OriginRow {
    fn from(leaf: Leaf) -> OriginRow {
        OriginRow { path: leaf.path, value: leaf.value, origin: leaf.origin, secret: leaf.is_redacted }
    }
}

/// The leaves of an answer.
///
/// # Errors
/// The lookup fails.
pub fn origins(node: &Node, query: &Query<'_>, mask: &Redactor) -> Result<Vec<OriginRow>, Error> {
    let answer = node.lookup_traced(query)?;
    Ok(leaves(&answer.value, mask).into_iter().map(OriginRow::from).collect())
}

/// The values of all keys that a node's hierarchy can answer and that one of the patterns matches.
///
/// # Errors
/// A lookup fails, unless errors are skipped.
pub fn lookup_all(
    environment: &Environment,
    node: &Node,
    patterns: &[String],
    mask: &Redactor,
    skip_errors: bool,
    budget: &Budget,
) -> Result<Value, BindingError> {
    let covered = Redactor::new(environment.secrets(), false);
    let wanted = |key: &str| is_wanted(key, patterns);
    let found =
        environment.everything(node, &Query { budget: budget.clone(), ..Query::default() }, !mask.reveals(), &wanted);
    let found = found.map_err(|error| BindingError::from_error(&error, &covered))?;
    if let (Some(FailedKey { key, error }), false) = (found.errors.first(), skip_errors) {
        let fault = BindingError::from_error(error, &covered);
        let message = format!("{key}: {}", covered.message(&error.to_string()));
        return Err(fault.with_message(message));
    }
    // Secrets are already replaced by redaction marks. Sensitive values that are to be revealed are unchanged.
    Ok(Value::Hash(found.values))
}
