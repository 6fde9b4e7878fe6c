//! # hierarchy-warning
//!
//! A hiera.yaml is questionable. (warning)
//!
//! ## What is found
//!
//! Puppet warns about the configuration: its version is deprecated, it is not a hash, or it is a version 3 file in a
//! place where version 3 is ignored.
//!
//! ## Why it matters
//!
//! A future release of Puppet removes deprecated versions. An ignored file has no effect.
//!
//! ## How to fix it
//!
//! Convert the file to version 5.
//!
//! ## Example
//!
//! ```yaml
//! # hiera.yaml
//! ---
//! version: 4
//! hierarchy:
//!   - name: common
//!     backend: yaml
//! ```
//!
//! becomes
//!
//! ```yaml
//! # hiera.yaml
//! ---
//! version: 5
//! hierarchy:
//!   - name: common
//!     path: common.yaml
//! ```
//!
//! A comment `# hieratic: ignore hierarchy-warning` on the same line or the line before accepts the finding.
