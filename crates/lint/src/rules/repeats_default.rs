//! # repeats-default
//!
//! A value repeats the default of its parameter. (note)
//!
//! ## What is found
//!
//! With `--hygiene`: the value equals the default that the class declares, no lower level has another value, and
//! neither code nor data looks the key up by name.
//!
//! ## Why it matters
//!
//! The value hides later changes of the default, and makes the data longer.
//!
//! ## How to fix it
//!
//! Remove the value, unless it protects against a new default.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml; class ntp(Boolean $restrict = true)
//! ntp::restrict: true
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! # removed
//! ```
//!
//! A comment `# hieratic: ignore repeats-default` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about a key, the help, and the words about another place.
pub(crate) fn of_key(key: &str) -> (Finding, &'static str, &'static str) {
    let message = format!("The value of '{key}' is the default of the parameter");
    (Finding::new(&rules::REPEATS_DEFAULT, message), "remove it: the class uses its default", "the same value")
}
