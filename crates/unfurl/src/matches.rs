//! [`Match`]: a match of an expression.

use std::fmt;

use hieratic_python_values as python;
use hieratic_value::{Rich, Value};

use crate::Instance;

/// A match of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Match {
    /// Data. Instances in it are `{"ref": "::name"}`, and secrets are Sensitive.
    Value(Value),
    /// An instance.
    Instance(Instance),
}

impl Match {
    /// Converts the match to data. An instance is `{"ref": "::name"}`.
    pub fn to_value(&self) -> Value {
        match self {
            Match::Value(value) => value.clone(),
            Match::Instance(instance) => instance.to_value(),
        }
    }

    /// Converts the match to data with revealed secrets.
    ///
    /// ```
    /// use hieratic_unfurl::Match;
    /// use hieratic_value::Value;
    ///
    /// assert_eq!(Match::Value(Value::sensitive("word".into())).revealed(), Value::from("word"));
    /// ```
    pub fn revealed(&self) -> Value {
        revealed(&self.to_value())
    }

    /// Returns the instance, or `None` for data.
    pub fn instance(&self) -> Option<&Instance> {
        match self {
            Match::Instance(instance) => Some(instance),
            Match::Value(_) => None,
        }
    }
}

/// Prints the match as templates do: a string unchanged, everything else in Python's form. Secrets are redacted.
impl fmt::Display for Match {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Match::Value(value) if value.contains_sensitive() => out.write_str(REDACTED),
            Match::Value(value) => out.write_str(&python::text(value)),
            Match::Instance(instance) => write!(out, "NodeInstance('{}')", instance.name()),
        }
    }
}

/// The redaction mark of the reference.
const REDACTED: &str = "<<REDACTED>>";

/// The value without the marks of secrets.
pub(crate) fn revealed(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(revealed).collect(),
        Value::Hash(hash) => Value::Hash(hash.iter().map(|(key, value)| (revealed(key), revealed(value))).collect()),
        Value::Rich(rich) => match &**rich {
            Rich::Sensitive(inner) => revealed(inner),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}
