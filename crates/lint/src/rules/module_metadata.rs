//! # module-metadata
//!
//! The metadata of a module is not complete. (warning)
//!
//! ## What is found
//!
//! In the `metadata.json` of a module:
//!
//! - a missing field: `name`, `version`, `author`, `license`, `summary`, `source` or `dependencies`
//! - a misspelled field
//! - a name without an author (as a note: modules of a control repository never get to the Forge)
//! - a version, or a range of versions of a dependency or of Puppet, that is not valid
//! - a license that is not an identifier or expression of SPDX, nor `proprietary` (as a note)
//! - a dependency without a name, or one that is listed twice
//! - `operatingsystem_support` that is not a list of systems with their releases
//!
//! ## Why it matters
//!
//! The Forge refuses such a module, and tools that choose versions skip invalid ranges.
//!
//! ## How to fix it
//!
//! Add or correct the field. The finding shows the valid form.
//!
//! ## Example
//!
//! ```json
//! { "name": "example-ntp", "version": "1.0", "license": "Apache License, Version 2.0" }
//! ```
//!
//! becomes
//!
//! ```json
//! { "name": "example-ntp", "version": "1.0.0", "license": "Apache-2.0" }
//! ```

use hieratic_diagnostics::{Source, Span};

use crate::finding::Finding;
use crate::rules;

/// The finding about a field of the metadata.
pub(crate) fn of_field(source: &Source, span: Span, message: String, help: &str) -> Finding {
    Finding::new(&rules::MODULE_METADATA, message).at(source, span, "").help(help)
}
