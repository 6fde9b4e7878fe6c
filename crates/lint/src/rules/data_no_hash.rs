//! # data-no-hash
//!
//! A data file contains no keys. (error)
//!
//! ## What is found
//!
//! The top level of a data file is a list, a string or a number. Empty files are fine.
//!
//! ## Why it matters
//!
//! The file contains no keys. Puppet warns and continues without it, or fails if `strict` is `error`.
//!
//! ## How to fix it
//!
//! Put the value under a key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! - ntp1.example.com
//! - ntp2.example.com
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers:
//!   - ntp1.example.com
//!   - ntp2.example.com
//! ```
//!
//! A comment `# hieratic: ignore data-no-hash` on the same line or the line before accepts the finding.
