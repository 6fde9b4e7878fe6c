//! # duplicate-key
//!
//! A key is duplicated. (error)
//!
//! ## What is found
//!
//! A map of a YAML or JSON file contains the same key twice. `1` and `'1'` are different keys. Merge keys (`<<`) may be
//! repeated.
//!
//! ## Why it matters
//!
//! The last value wins, and the other is silently lost. This is hard to see in a long file.
//!
//! ## How to fix it
//!
//! Remove one of them, or put both values under one key.
//!
//! ## Example
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a]
//! ntp::iburst: true
//! ntp::servers: [b]
//! ```
//!
//! becomes
//!
//! ```yaml
//! # data/common.yaml
//! ntp::servers: [a, b]
//! ntp::iburst: true
//! ```
//!
//! A comment `# hieratic: ignore duplicate-key` on the same line or the line before accepts the finding.
