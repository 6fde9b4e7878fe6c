//! Secrets: which values are secret, and how they are kept out of output.

pub use hieratic_hiera::Secrets;

pub use crate::redaction::{Redactor, TaintTracker};
