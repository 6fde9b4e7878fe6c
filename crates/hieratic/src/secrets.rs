//! Secrets: the values that are secret, and their redaction in output.

pub use hieratic_hiera::Secrets;

pub use crate::redaction::{Redactor, TaintTracker};
