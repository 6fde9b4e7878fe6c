//! # foreign-key
//!
//! A module has data outside of its namespace. (warning)
//!
//! ## What is found
//!
//! A data file of a module contains a key that does not begin with the module's name and `::`.
//!
//! ## Why it matters
//!
//! Hiera asks a module's data only for keys in its namespace, so this key can never match.
//!
//! ## How to fix it
//!
//! Rename the key, or move it to the data of the environment.
//!
//! ## Example
//!
//! ```yaml
//! # modules/ntp/data/common.yaml
//! servers: [a]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # modules/ntp/data/common.yaml
//! ntp::servers: [a]
//! ```
//!
//! A comment `# hieratic: ignore foreign-key` on the same line or the line before accepts the finding.
