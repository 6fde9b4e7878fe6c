//! # unknown-interpolation-function
//!
//! An interpolation calls a function that does not exist. (error)
//!
//! ## What is found
//!
//! An interpolation calls a function other than `lookup`, `hiera`, `alias`, `literal` and `scope`.
//!
//! ## Why it matters
//!
//! Every lookup of the key fails with `Unknown interpolation method`.
//!
//! ## How to fix it
//!
//! Use the function that the help line suggests.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lokup('host')}/"
//! host: www
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('host')}/"
//! host: www
//! ```
//!
//! A comment `# hieratic: ignore unknown-interpolation-function` on the same line or the line before accepts the
//! finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about a call of a function of this name.
pub(crate) fn unknown(name: &str, written: &str) -> Finding {
    let finding = Finding::new(&rules::UNKNOWN_FUNCTION, format!("'{written}' calls '{name}', which does not exist"));
    finding.help(match hieratic_diagnostics::nearest(name, ["lookup", "hiera", "alias", "literal", "scope"]) {
        Some(near) => format!("did you mean '{near}'?"),
        None => "the functions are lookup, hiera, alias, literal and scope".to_owned(),
    })
}
