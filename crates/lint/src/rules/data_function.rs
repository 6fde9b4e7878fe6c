//! # data-function
//!
//! A level names a function that does not exist. (error)
//!
//! ## What is found
//!
//! The function of a level is not a built-in function (`yaml_data`, `json_data`, `hocon_data`, `hcl_data`,
//! `eyaml_lookup_key`), not an executable that `hieratic.yaml` names, and not a function of the module it belongs to.
//! Or it is of the wrong kind, such as `data_hash: eyaml_lookup_key`. A name without a module could come with any
//! module or package: it is reported only if it is almost the name of a built-in function.
//!
//! ## Why it matters
//!
//! Every lookup that reaches the level fails.
//!
//! ## How to fix it
//!
//! Correct the name, write the function, or declare an executable for it ([Backends](../backends.md)).
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     data_hash: yml_data
//!     path: common.yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! version: 5
//! hierarchy:
//!   - name: Common
//!     data_hash: yaml_data
//!     path: common.yaml
//! ```
//!
//! A comment `# hieratic: ignore data-function` on the same line or the line before accepts the finding.

use crate::finding::Finding;
use crate::rules;

/// The finding about a level whose function does not exist, or cannot be used there.
pub(crate) fn unusable(message: String, help: String) -> Finding {
    Finding::new(&rules::DATA_FUNCTION, message).help(help)
}
