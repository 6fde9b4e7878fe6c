//! # unknown-key
//!
//! An interpolation looks up a key that no data has. (warning)
//!
//! ## What is found
//!
//! The key of a `lookup`, `hiera` or `alias` is not defined in any data file of the environment or its modules. Nothing
//! is reported if a level answers for keys that cannot be listed.
//!
//! ## Why it matters
//!
//! `lookup` and `alias` return the empty string.
//!
//! ## How to fix it
//!
//! The help line names the nearest key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! url: "https://%{lookup('hots')}/"
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
//! A comment `# hieratic: ignore unknown-key` on the same line or the line before accepts the finding.
